import { z } from 'zod';
import { retryTransaction } from '../../domain/transactions/lifecycle/restart-routing.ts';
import { Transaction } from '../../domain/transactions/schema.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { viewTransaction } from '../../domain/transactions/viewing/view-transaction.ts';
import { actorOf } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { commitChange } from './commit-change.ts';

export const retryTransactionEndpoint = defineEndpoint({
  method: 'POST',
  path: '/transactions/{id}/retry',
  auth: 'TENANT',
  limit: 'WRITES',
  tag: 'Transactions',
  summary: 'Retry a failed transaction',
  description: 'The message is routed and delivered anew, with new deadlines.',
  params: z.strictObject({ id: UuidParam }),
  idempotency: 'TRANSACTION',
  responses: { 200: { description: 'PENDING again.', schema: Transaction } },
  errors: ['invalid_transition'],
  async handle({ params, caller, commit }, { db }) {
    const now = new Date();
    const actor = actorOf(caller);
    const command = {
      tenantId: caller.tenantId,
      id: params.id,
      now,
      decide: (own: TransactionRecord) => retryTransaction(own, { actor, now }),
    };
    return await commitChange({ db, commit }, command, (record) => ({
      status: 200,
      body: viewTransaction(record, caller.tenant.entityId),
    }));
  },
});
