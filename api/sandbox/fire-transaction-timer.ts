import { z } from 'zod';
import { changeTransaction } from '../../db/transactions/change-transaction.ts';
import { endRuleWaits } from '../../db/rules/end-rule-waits.ts';
import { fireTimer } from '../../domain/transactions/lifecycle/fire-timer.ts';
import { Transaction } from '../../domain/transactions/schema.ts';
import { viewTransaction } from '../../domain/transactions/viewing/view-transaction.ts';
import { actorOf } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const fireTransactionTimerEndpoint = defineEndpoint({
  method: 'POST',
  path: '/sandbox/transactions/{id}/fire-timer',
  auth: 'TENANT',
  limit: 'WRITES',
  tag: 'Sandbox',
  summary: 'End the deadline that a transaction waits for',
  description:
    'Only in a sandbox. What would happen after 72 hours without a delivery or 90 days without an answer happens now, ' +
    'shortly after this answer, and so does what follows the wait of a rule. The wait before the next delivery attempt is no deadline and stays. 409 when no ' +
    'deadline runs: INCOMING unless a rule made it wait, final, FAILED or EXPIRED.',
  params: z.strictObject({ id: UuidParam }),
  // Doing it twice ends the same deadline, or is refused by the state itself.
  idempotency: 'NONE',
  responses: { 202: { description: 'Its time is over.', schema: Transaction } },
  errors: ['conflict'],
  async handle({ params, caller }, deps) {
    const now = new Date();
    const actor = actorOf(caller);
    const place = { tenantId: caller.tenantId, id: params.id, now };
    const { record, outbox } = await changeTransaction(deps.db, {
      ...place,
      decide: (own) => fireTimer(own, { actor, now }),
      also: async (tx) => await endRuleWaits(tx, place),
    });
    deps.notifyWorkflows(outbox);
    return { status: 202, body: viewTransaction(record, caller.tenant.entityId) };
  },
});
