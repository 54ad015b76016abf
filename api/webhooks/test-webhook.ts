import { insertTestDelivery } from '../../db/webhooks/insert-test-delivery.ts';
import { viewDelivery, WebhookDelivery } from '../../domain/webhooks/schema.ts';
import { defineEndpoint } from '../endpoint.ts';

export const testWebhookEndpoint = defineEndpoint({
  operationId: 'sendTestWebhook',
  method: 'POST',
  path: '/tenant/me/webhook/test',
  auth: 'TENANT',
  permission: 'ADMINISTER',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Webhooks',
  summary: 'Send a test webhook',
  description:
    'Sends an event of type `test` with the body `{id, type, createdAt, message}`, signed and retried like any other. The ' +
    'delivery log shows its result.',
  responses: { 202: { description: 'The delivery, due now.', schema: WebhookDelivery } },
  errors: ['conflict'],
  async handle({ caller: { tenantId }, commit }, { db }) {
    const now = new Date();
    const keys = await db.vault.tenantKeys(tenantId);
    return await commit(async (tx) => {
      const { delivery, outbox } = await insertTestDelivery(tx, keys, tenantId, now);
      return { status: 202, body: viewDelivery(delivery), outbox };
    });
  },
});
