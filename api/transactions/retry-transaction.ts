import { z } from 'zod';
import { retryTransaction } from '../../domain/transactions/lifecycle/restart-routing.ts';
import { Transaction } from '../../domain/transactions/schema.ts';
import { actorOf } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { commitChange } from './commit-change.ts';

export const retryTransactionEndpoint = defineEndpoint({
  operationId: 'retryTransaction',
  method: 'POST',
  path: '/transactions/{id}/retry',
  auth: 'TENANT',
  limit: 'WRITES',
  tag: 'Transactions',
  summary: 'Retry a failed transaction',
  description: 'The message is routed and delivered anew, with new deadlines.',
  params: z.strictObject({ id: UuidParam }),
  // Without a key a repeat is refused, because the transaction is no longer FAILED.
  idempotency: 'TRANSACTION',
  responses: { 200: { description: 'PENDING again.', schema: Transaction } },
  errors: ['invalid_transition'],
  async handle({ params, caller, commit }, deps) {
    const now = new Date();
    const actor = actorOf(caller);
    return await commitChange(
      deps,
      { caller, commit, status: 200 },
      {
        tenantId: caller.tenantId,
        id: params.id,
        now,
        decide: (own) => retryTransaction(own, { actor, now }),
      },
    );
  },
});
