import { z } from 'zod';
import { redeliver } from '../../db/webhooks/redeliver.ts';
import { viewDelivery, WebhookDelivery } from '../../domain/webhooks/schema.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const redeliverWebhookEndpoint = defineEndpoint({
  method: 'POST',
  path: '/tenant/me/webhook-deliveries/{id}/redeliver',
  auth: 'TENANT',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Webhooks',
  summary: 'Send a webhook again',
  description:
    'At once, whether it was delivered, failed or was given up, and then by the whole schedule again. Body and ' +
    'X-Event-Id are those of the first time, X-Delivery-Attempt keeps counting. One that waits for its first attempt ' +
    'stays as it is.',
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
