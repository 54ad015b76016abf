import { listDeliveries } from '../../db/webhooks/list-deliveries.ts';
import { ListDeliveriesQuery, viewDelivery, WebhookDelivery } from '../../domain/webhooks/schema.ts';
import { defineEndpoint } from '../endpoint.ts';
import { answerPage, pageOf } from '../page-answer.ts';

export const listWebhookDeliveriesEndpoint = defineEndpoint({
  operationId: 'listWebhookDeliveries',
  method: 'GET',
  path: '/tenant/me/webhook-deliveries',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Webhooks',
  summary: 'List webhook deliveries',
  description:
    'Newest first, each with its attempts. `q` finds ids of deliveries and of records, exactly or by prefix.',
  query: ListDeliveriesQuery,
  responses: { 200: pageOf(WebhookDelivery) },
  errors: [],
  async handle({ query, caller }, { db }) {
    return answerPage(await listDeliveries(db, caller.tenantId, query), viewDelivery);
  },
});
