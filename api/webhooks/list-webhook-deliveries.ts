import { z } from 'zod';
import { listDeliveries } from '../../db/webhooks/list-deliveries.ts';
import { ListDeliveriesQuery, viewDelivery, WebhookDelivery } from '../../domain/webhooks/schema.ts';
import { defineEndpoint } from '../endpoint.ts';
import { countHeader, TOTAL_COUNT } from '../total-count.ts';

export const listWebhookDeliveriesEndpoint = defineEndpoint({
  method: 'GET',
  path: '/tenant/me/webhook-deliveries',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Webhooks',
  summary: 'List webhook deliveries',
  description:
    'Newest first, each with its attempts. `q` finds ids of deliveries and records, whole or by prefix.',
  query: ListDeliveriesQuery,
  responses: { 200: { description: 'One page.', schema: z.array(WebhookDelivery), headers: TOTAL_COUNT } },
  errors: [],
  async handle({ query, caller, wantsCount }, { db }) {
    const { deliveries, total } = await listDeliveries(db, caller.tenantId, query, wantsCount);
    return { status: 200, body: deliveries.map(viewDelivery), headers: countHeader(total) };
  },
});
