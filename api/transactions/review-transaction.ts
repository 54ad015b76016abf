import { z } from 'zod';
import { changeTransaction } from '../../db/transactions/change-transaction.ts';
import { getTenantSettings } from '../../db/tenants/get-tenant-settings.ts';
import { reviewTransaction } from '../../domain/transactions/deciding/review.ts';
import { ReviewBody, Transaction } from '../../domain/transactions/schema.ts';
import { viewTransaction } from '../../domain/transactions/viewing/view-transaction.ts';
import { actorOf } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const reviewTransactionEndpoint = defineEndpoint({
  method: 'POST',
  path: '/transactions/{id}/review',
  auth: 'TENANT',
  limit: 'WRITES',
  tag: 'Transactions',
  summary: 'Decide on a transaction that is held',
  description:
    'PROCEED continues an OUTGOING transaction and confirms an INCOMING one; BLOCK cancels or declines it. Nothing else ' +
    'ends the hold of a transaction that screening has stopped. With `settings.fourEyes.review`, PROCEED needs two API ' +
    'keys: the first call answers 200 with the transaction still held, and a second call with the same API key is 409. ' +
    'The counterparty receives the new status and a neutral reason code, never `reason`.',
  params: z.strictObject({ id: UuidParam }),
  body: ReviewBody,
  // A repeat is refused: the transaction is no longer held, or this API key has already proposed PROCEED.
  idempotency: 'NONE',
  responses: { 200: { description: 'Decided, or proposed.', schema: Transaction } },
  errors: ['invalid_transition', 'conflict'],
  async handle({ params, body, caller }, deps) {
    const now = new Date();
    const actor = actorOf(caller);
    const { fourEyes } = await getTenantSettings(deps.db.pool, caller.tenantId);
    const review = { actor, now, fourEyes: fourEyes.review };
    const { record, outbox } = await changeTransaction(deps.db, {
      tenantId: caller.tenantId,
      id: params.id,
      now,
      decide: (own, counterpart) => reviewTransaction(own, counterpart, body, review),
    });
    deps.notifyWorkflows(outbox);
    return { status: 200, body: viewTransaction(record, caller.tenant.entityId) };
  },
});
