import { z } from 'zod';
import { answerDeadline } from '../../db/counterparties/answer-deadline.ts';
import { getTransaction } from '../../db/transactions/find-transaction.ts';
import { requestRepair } from '../../domain/transactions/changing/request-repair.ts';
import { RepairBody, Transaction } from '../../domain/transactions/schema.ts';
import { actorOf } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { commitChange } from './commit-change.ts';

export const requestRepairEndpoint = defineEndpoint({
  operationId: 'requestRepair',
  method: 'POST',
  path: '/transactions/{id}/repair',
  auth: 'TENANT',
  limit: 'WRITES',
  tag: 'Transactions',
  summary: 'Ask the originator VASP for data',
  description:
    'For an INCOMING message that is DELIVERED: names the fields that are missing or wrong. Both records are then ' +
    '`DATA_REQUESTED`, the originator VASP gets a webhook and gives the fields by `PATCH /transactions/{id}`, which ends the ' +
    'request once all are given. The message stays the same one, and you may decide on it at any time. If the time ' +
    '(`clearance.deadlineAt`, as long as for claims) is over before, it waits for your decision again. Another request ' +
    'takes the place of an open one. 409 for any other transaction, and while the destination is not confirmed as yours.',
  params: z.strictObject({ id: UuidParam }),
  body: RepairBody,
  // Without a key a repeat of the same request changes nothing.
  idempotency: 'TRANSACTION',
  example: {
    body: {
      fields: ['originator.dateOfBirth', 'originator.placeOfBirth'],
      reason: 'We cannot tell your customer from another person.',
    },
  },
  responses: { 200: { description: 'Asked.', schema: Transaction } },
  errors: ['invalid_transition'],
  async handle({ params: { id }, body, caller, commit }, deps) {
    const now = new Date();
    const actor = actorOf(caller);
    const { tenantId } = caller;
    const { counterpartyEntityId } = await getTransaction(deps.db, tenantId, id);
    const deadlineAt = await answerDeadline(deps.db.pool, tenantId, counterpartyEntityId, now);
    const { fields, reason = null } = body;
    return await commitChange(
      deps,
      { caller, commit, status: 200 },
      {
        tenantId,
        id,
        now,
        decide: (own, counterpart) =>
          requestRepair(own, counterpart, { fields, reason, deadlineAt, actor, now }),
      },
    );
  },
});
