import { redeliverRange } from '../../db/webhooks/redeliver-range.ts';
import { RedeliveredRange, RedeliverRangeBody } from '../../domain/webhooks/schema.ts';
import { defineEndpoint } from '../endpoint.ts';

export const redeliverRangeEndpoint = defineEndpoint({
  operationId: 'redeliverWebhooks',
  method: 'POST',
  path: '/tenant/me/webhook-deliveries/redeliver',
  auth: 'TENANT',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Webhooks',
  summary: 'Send a range of webhooks again',
  description:
    'Sends the webhooks again that were created from `from` to `to` (both included) and have one of the statuses, each ' +
    'like `POST /tenant/me/webhook-deliveries/{id}/redeliver`. The oldest go first, at most 50 per second and 8 at once; ' +
    '`nextAttemptAt` is the time of each. One call takes about 10,000: while `nextFrom` is not null, repeat the call with ' +
    'it as `from`. Webhooks older than 30 days are left out, because their bodies were deleted.',
  body: RedeliverRangeBody,
  example: { body: { from: '2026-01-01T00:00:00Z', to: '2027-01-01T00:00:00Z' } },
  responses: { 202: { description: 'The number of webhooks to be sent again.', schema: RedeliveredRange } },
  errors: ['conflict'],
  async handle({ body, caller: { tenantId }, commit }) {
    const now = new Date();
    return await commit(async (tx) => {
      const made = await redeliverRange(tx, tenantId, body, now);
      // No outbox rows here: the outbox relay starts each delivery when it is due.
      return { status: 202, body: made };
    });
  },
});
