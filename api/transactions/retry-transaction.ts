import { z } from 'zod';
import { changeTransaction } from '../../db/transactions/change-transaction.ts';
import { getTransaction } from '../../db/transactions/find-transaction.ts';
import { retryTransaction } from '../../domain/transactions/lifecycle/restart-routing.ts';
import { Transaction } from '../../domain/transactions/schema.ts';
import { showTransaction } from '../../db/transactions/show-transaction.ts';
import { actorOf } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const retryTransactionEndpoint = defineEndpoint({
  method: 'POST',
  path: '/transactions/{id}/retry',
  auth: 'TENANT',
  limit: 'WRITES',
  tag: 'Transactions',
  summary: 'Retry a failed transaction',
  description: 'The message is routed and delivered anew, with new deadlines.',
  params: z.strictObject({ id: UuidParam }),
  // A repeat is refused, because the transaction is no longer FAILED.
  idempotency: 'LEASE',
  responses: { 200: { description: 'PENDING again.', schema: Transaction } },
  errors: ['invalid_transition'],
  async handle({ params, caller }, deps) {
    const now = new Date();
    const actor = actorOf(caller);
    const { outbox } = await changeTransaction(deps.db, {
      tenantId: caller.tenantId,
      id: params.id,
      now,
      decide: (own) => retryTransaction(own, { actor, now }),
    });
    deps.notifyWorkflows(outbox);
    const record = await getTransaction(deps.db, caller.tenantId, params.id);
    const view = await showTransaction(deps.db.pool, record, caller.tenant.entityId);
    return { status: 200, body: view, shows: { kind: 'TRANSACTION', id: params.id } };
  },
});
