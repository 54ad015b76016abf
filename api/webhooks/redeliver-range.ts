import { withIdempotency } from '../../db/idempotency/idempotency.ts';
import { redeliverRange } from '../../db/webhooks/redeliver-range.ts';
import { RedeliveredRange, RedeliverRangeBody } from '../../domain/webhooks/schema.ts';
import { defineEndpoint } from '../endpoint.ts';
import { replayOf } from '../replay.ts';

export const redeliverRangeEndpoint = defineEndpoint({
  method: 'POST',
  path: '/tenant/me/webhook-deliveries/redeliver',
  auth: 'TENANT',
  limit: 'WRITES',
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
  async handle({ body, caller: { tenantId }, idempotency = null }, { db }) {
    const now = new Date();
    // Before the transaction, which must not wait for a second connection.
    const keys = await db.vault.tenantKeys(tenantId);
    const answer = await withIdempotency(db, { tenantId, idempotency, now }, async (tx) => {
      const made = await redeliverRange(tx, tenantId, body, now);
      return { status: 202, body: made, sealer: { tenantId, keys } };
    });
    // Nobody is told here: the relay starts each one when it falls due.
    return answer.replayed ? replayOf(answer) : { status: answer.status, body: answer.body };
  },
});
