import { z } from 'zod';
import { retryTransaction } from '../../domain/transactions/lifecycle/restart-routing.ts';
import { Transaction } from '../../domain/transactions/schema.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { commitDecision } from './commit-change.ts';

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
  handle: async (request, deps) =>
    await commitDecision(deps, request, (own, by) => retryTransaction(own, by)),
});
