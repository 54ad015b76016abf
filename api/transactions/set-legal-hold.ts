import { z } from 'zod';
import { changeTransaction } from '../../db/transactions/change-transaction.ts';
import { findDeletedTransactionTenant } from '../../db/transactions/find-transaction.ts';
import { keepTenant } from '../../db/tenants/keep-tenant.ts';
import {
  LegalHold,
  LegalHoldBody,
  setLegalHold,
  viewLegalHold,
} from '../../domain/transactions/legal-hold.ts';
import { actorOf } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const setLegalHoldEndpoint = defineEndpoint({
  operationId: 'setLegalHold',
  method: 'PUT',
  path: '/transactions/{id}/legal-hold',
  auth: 'TENANT',
  limit: 'WRITES',
  tag: 'Transactions',
  summary: 'Keep a transaction beyond its retention, or no longer',
  description:
    'While a hold is on, the record is not erased, however old it is; also one that was deleted. Each change is an event. ' +
    'Nothing else of the transaction changes, and the other VASP does not learn it. A record that was erased is 404.',
  params: z.strictObject({ id: UuidParam }),
  body: LegalHoldBody,
  example: { body: { hold: true, reason: 'Case 4 K 81/26 of the district court.' } },
  auditedBody: ({ hold }) => ({ hold: String(hold), reason: null }),
  responses: { 200: { description: 'The hold as it is now.', schema: LegalHold } },
  errors: [],
  async handle({ params: { id }, body, caller }, { db, writeInTurn }) {
    const { tenantId } = caller;
    const now = new Date();
    const by = { actor: actorOf(caller), now };
    const deleted = (await findDeletedTransactionTenant(db.pool, id)) === tenantId;
    const { record } = await writeInTurn(
      tenantId,
      async () =>
        await changeTransaction(db, {
          tenantId,
          id,
          now,
          deleted,
          decide: (own) => setLegalHold(own, body, by),
          also: async (tx) => await keepTenant(tx, tenantId),
        }),
    );
    return { status: 200, body: viewLegalHold(record) };
  },
});
