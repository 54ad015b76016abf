import { z } from 'zod';
import { getDelivery } from '../../db/webhooks/get-delivery.ts';
import { viewDelivery, WebhookDelivery } from '../../domain/webhooks/schema.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const getWebhookDeliveryEndpoint = defineEndpoint({
  operationId: 'getWebhookDelivery',
  method: 'GET',
  path: '/tenant/me/webhook-deliveries/{id}',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Webhooks',
  summary: 'Read a webhook delivery',
  params: z.strictObject({ id: UuidParam }),
  responses: { 200: { description: 'The delivery with its attempts.', schema: WebhookDelivery } },
  errors: [],
  handle: async ({ params, caller }, { db }) => ({
    status: 200,
    body: viewDelivery(await getDelivery(db.pool, caller.tenantId, params.id)),
  }),
});
