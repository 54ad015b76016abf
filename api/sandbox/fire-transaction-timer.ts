import { z } from 'zod';
import { endRuleWaits } from '../../db/rules/end-rule-waits.ts';
import { fireTimer } from '../../domain/transactions/lifecycle/fire-timer.ts';
import { Transaction } from '../../domain/transactions/schema.ts';
import { actorOf } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { commitChange } from '../transactions/commit-change.ts';

export const fireTransactionTimerEndpoint = defineEndpoint({
  operationId: 'fireTransactionTimer',
  method: 'POST',
  path: '/sandbox/transactions/{id}/fire-timer',
  auth: 'TENANT',
  limit: 'WRITES',
  tag: 'Sandbox',
  summary: 'End the deadline of a transaction',
  description:
    'Only in a sandbox. Ends the deadline of 72 hours for a delivery or 90 days for an answer, the time to give data that was asked for (on either side), or the wait of a rule; its ' +
    'effect follows shortly after this answer. The wait before the next delivery attempt is no deadline and stays. 409 ' +
    'without a deadline: for an INCOMING transaction that does not wait for a rule, and for a final, FAILED or EXPIRED one.',
  params: z.strictObject({ id: UuidParam }),
  idempotency: 'TRANSACTION',
  responses: { 202: { description: 'The deadline is over.', schema: Transaction } },
  errors: ['conflict'],
  async handle({ params, caller, commit }, deps) {
    const now = new Date();
    const actor = actorOf(caller);
    const target = { tenantId: caller.tenantId, id: params.id, now };
    return await commitChange(
      deps,
      { caller, commit, status: 202 },
      {
        ...target,
        decide: (own, counterpart) => fireTimer(own, counterpart, { actor, now }),
        also: async (tx) => await endRuleWaits(tx, target),
      },
    );
  },
});
