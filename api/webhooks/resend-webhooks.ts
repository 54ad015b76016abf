import { z } from 'zod';
import { resendOfTransaction } from '../../db/webhooks/resend-of-transaction.ts';
import { ResendWebhooksBody, ResentWebhooks } from '../../domain/webhooks/schema.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const resendWebhooksEndpoint = defineEndpoint({
  operationId: 'resendTransactionWebhooks',
  method: 'POST',
  path: '/transactions/{id}/webhooks/resend',
  auth: 'TENANT',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Webhooks',
  summary: "Send a transaction's webhooks again",
  description:
    "Sends the transaction's webhooks again at once, the latest 100 at most, each like " +
    '`POST /tenant/me/webhook-deliveries/{id}/redeliver`: bodies and X-Event-Ids stay the same, X-Delivery-Attempt ' +
    'continues to count. Left out are webhooks that still wait for their first attempt, those whose bodies were deleted ' +
    'after 30 days, and, while the destination wallet of a received message is unconfirmed, those that show party data.',
  params: z.strictObject({ id: UuidParam }),
  body: ResendWebhooksBody,
  bodyOptional: true,
  example: { body: {} },
  responses: { 202: { description: 'The webhooks that are due now.', schema: ResentWebhooks } },
  errors: ['conflict'],
  async handle({ params, body: { status }, caller: { tenantId }, commit }) {
    const now = new Date();
    return await commit(async (tx) => {
      const resend = { tenantId, id: params.id, status };
      const { resent, outbox } = await resendOfTransaction(tx, resend, now);
      return { status: 202, body: resent, outbox, shows: { kind: 'TRANSACTION', id: params.id } };
    });
  },
});
