import { z } from 'zod';
import { redeliver } from '../../db/webhooks/redeliver.ts';
import { viewDelivery, WebhookDelivery } from '../../domain/webhooks/schema.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const redeliverWebhookEndpoint = defineEndpoint({
  operationId: 'redeliverWebhook',
  method: 'POST',
  path: '/tenant/me/webhook-deliveries/{id}/redeliver',
  auth: 'TENANT',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Webhooks',
  summary: 'Send a webhook again',
  description:
    'Sends a webhook that was delivered, failed or given up again at once, with the whole retry schedule. Body and ' +
    'X-Event-Id stay the same, X-Delivery-Attempt continues to count. A webhook that waits for its first attempt does ' +
    'not change.',
  params: z.strictObject({ id: UuidParam }),
  responses: { 202: { description: 'The delivery, due now.', schema: WebhookDelivery } },
  errors: ['conflict'],
  async handle({ params, caller, commit }) {
    const now = new Date();
    return await commit(async (tx) => {
      const { delivery, outbox } = await redeliver(tx, caller.tenantId, params.id, now);
      return { status: 202, body: viewDelivery(delivery), outbox };
    });
  },
});
