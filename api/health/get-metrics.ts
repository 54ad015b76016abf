import { defineEndpoint } from '../endpoint.ts';

export const getMetrics = defineEndpoint({
  method: 'GET',
  path: '/metrics',
  auth: 'NONE',
  limit: 'READS',
  tag: 'Health',
  summary: 'Figures for Prometheus',
  responses: { 200: { description: 'The text exposition format.', contentType: 'text/plain' } },
  errors: [],
  async handle(_request, { metrics: { registry } }) {
    const text = await registry.metrics();
    return { status: 200, headers: { 'Content-Type': registry.contentType }, body: Buffer.from(text) };
  },
});
