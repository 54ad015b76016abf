import { notFound } from '../../domain/errors.ts';
import { defineEndpoint } from '../endpoint.ts';

export const getMetricsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/metrics',
  auth: 'NONE',
  limit: 'READS',
  tag: 'Health',
  summary: 'Figures for Prometheus',
  description: 'Where `METRICS_PORT` is set they are told on that port only, and here is nothing.',
  responses: { 200: { description: 'The text exposition format.', contentType: 'text/plain' } },
  errors: ['not_found'],
  async handle(_request, { settings, metrics: { registry } }) {
    if (settings.METRICS_PORT !== undefined) throw notFound('page');
    const text = await registry.metrics();
    return { status: 200, headers: { 'Content-Type': registry.contentType }, body: Buffer.from(text) };
  },
});
