import { redeliverRange } from '../../db/webhooks/redeliver-range.ts';
import { RedeliveredRange, RedeliverRangeBody } from '../../domain/webhooks/schema.ts';
import { defineEndpoint } from '../endpoint.ts';

export const redeliverRangeEndpoint = defineEndpoint({
  method: 'POST',
  path: '/tenant/me/webhook-deliveries/redeliver',
  auth: 'TENANT',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Webhooks',
  summary: 'Send a range of webhooks again',
  description:
    'Those that were created from `from` to `to` (both included) and have one of the statuses, each as if it were sent ' +
    'again by itself. The oldest go first, at most 50 a second and 8 at once; `nextAttemptAt` of each says when. One call takes ' +
    'about 10,000: while `nextFrom` is not null, repeat the call with it as `from`. What is older than 30 days has no ' +
    'body any more and is left out.',
  body: RedeliverRangeBody,
  responses: { 202: { description: 'How many will be sent again.', schema: RedeliveredRange } },
  errors: ['conflict'],
  async handle({ body, caller: { tenantId }, commit }) {
    const now = new Date();
    return await commit(async (tx) => {
      const made = await redeliverRange(tx, tenantId, body, now);
      // No outbox: the relay starts each one when it falls due.
      return { status: 202, body: made };
    });
  },
});
