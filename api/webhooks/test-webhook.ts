import { insertTestDelivery } from '../../db/webhooks/insert-test-delivery.ts';
import { WebhookDelivery } from '../../domain/webhooks/schema.ts';
import { defineEndpoint } from '../endpoint.ts';
import { acceptDelivery } from './accept-delivery.ts';

export const testWebhookEndpoint = defineEndpoint({
  method: 'POST',
  path: '/tenant/me/webhook/test',
  auth: 'TENANT',
  role: 'ADMIN',
  limit: 'WRITES',
  tag: 'Webhooks',
  summary: 'Send a test webhook',
  description:
    'An event of type `test` with the body `{id, type, createdAt, message}`, signed and retried like any other. What ' +
    'became of it is in the delivery log.',
  responses: { 202: { description: 'The delivery, due now.', schema: WebhookDelivery } },
  errors: ['conflict'],
  handle: async (request, deps) =>
    await acceptDelivery(request, deps, async ({ tx, keys, tenantId, now }) =>
      insertTestDelivery(tx, keys, tenantId, now),
    ),
});
