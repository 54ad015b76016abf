import { z } from 'zod';
import { changeTransaction } from '../../db/transactions/change-transaction.ts';
import { deleteTransaction } from '../../domain/transactions/delete-transaction.ts';
import { actorOf } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const deleteTransactionEndpoint = defineEndpoint({
  operationId: 'deleteTransaction',
  method: 'DELETE',
  path: '/transactions/{id}',
  auth: 'TENANT',
  limit: 'WRITES',
  tag: 'Transactions',
  summary: 'Delete a transaction',
  description:
    'The tenant can no longer read the record. Data that was already forwarded stays with the counterparty, which is ' +
    'notified. The event log is kept without personal data.',
  params: z.strictObject({ id: UuidParam }),
  responses: { 204: { description: 'Deleted.', schema: null } },
  errors: [],
  async handle({ params, caller }, deps) {
    const now = new Date();
    const actor = actorOf(caller);
    const { outbox } = await deps.writeInTurn(
      caller.tenantId,
      async () =>
        await changeTransaction(deps.db, {
          tenantId: caller.tenantId,
          id: params.id,
          now,
          decide: (own, counterpart) => deleteTransaction(own, counterpart, { actor, now }),
        }),
    );
    deps.notifyWorkflows(outbox);
    return { status: 204 };
  },
});
