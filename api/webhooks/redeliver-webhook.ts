import { z } from 'zod';
import { redeliver } from '../../db/webhooks/redeliver.ts';
import { WebhookDelivery } from '../../domain/webhooks/schema.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { acceptDelivery } from './accept-delivery.ts';

export const redeliverWebhookEndpoint = defineEndpoint({
  method: 'POST',
  path: '/tenant/me/webhook-deliveries/{id}/redeliver',
  auth: 'TENANT',
  limit: 'WRITES',
  tag: 'Webhooks',
  summary: 'Send a webhook again',
  description:
    'At once, whether it was delivered, failed or was given up, and then by the whole schedule again. Body and ' +
    'X-Event-Id are those of the first time, X-Delivery-Attempt keeps counting. One that waits for its first attempt ' +
    'stays as it is.',
  params: z.strictObject({ id: UuidParam }),
  responses: { 202: { description: 'The delivery, due now.', schema: WebhookDelivery } },
  errors: ['conflict'],
  handle: async (request, deps) =>
    await acceptDelivery(request, deps, async ({ tx, tenantId, now }) =>
      redeliver(tx, tenantId, request.params.id, now),
    ),
});
