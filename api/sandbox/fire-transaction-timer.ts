import { z } from 'zod';
import { changeTransaction } from '../../db/transactions/change-transaction.ts';
import { endRuleWaits } from '../../db/rules/end-rule-waits.ts';
import { fireTimer } from '../../domain/transactions/lifecycle/fire-timer.ts';
import { Transaction } from '../../domain/transactions/schema.ts';
import { showTransaction } from '../../db/transactions/show-transaction.ts';
import { actorOf } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const fireTransactionTimerEndpoint = defineEndpoint({
  method: 'POST',
  path: '/sandbox/transactions/{id}/fire-timer',
  auth: 'TENANT',
  limit: 'WRITES',
  tag: 'Sandbox',
  summary: 'End the deadline of a transaction',
  description:
    'Only in a sandbox. Ends the deadline of 72 hours for a delivery or 90 days for an answer, or the wait of a rule; its ' +
    'effect follows shortly after this answer. The wait before the next delivery attempt is no deadline and stays. 409 ' +
    'without a deadline: for an INCOMING transaction that does not wait for a rule, and for a final, FAILED or EXPIRED one.',
  params: z.strictObject({ id: UuidParam }),
  // A repeat ends the same deadline, or the status of the transaction refuses it.
  idempotency: 'LEASE',
  responses: { 202: { description: 'The deadline is over.', schema: Transaction } },
  errors: ['conflict'],
  async handle({ params, caller }, deps) {
    const now = new Date();
    const actor = actorOf(caller);
    const target = { tenantId: caller.tenantId, id: params.id, now };
    const { record, outbox } = await changeTransaction(deps.db, {
      ...target,
      decide: (own) => fireTimer(own, { actor, now }),
      also: async (tx) => await endRuleWaits(tx, target),
    });
    deps.notifyWorkflows(outbox);
    const view = await showTransaction(deps.db.pool, record, caller.tenant.entityId);
    return { status: 202, body: view, shows: { kind: 'TRANSACTION', id: params.id } };
  },
});
