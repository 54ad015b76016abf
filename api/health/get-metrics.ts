import { notFound } from '../../domain/errors.ts';
import { defineEndpoint } from '../endpoint.ts';

export const getMetricsEndpoint = defineEndpoint({
  operationId: 'getMetrics',
  method: 'GET',
  path: '/metrics',
  auth: 'NONE',
  limit: 'ANONYMOUS',
  tag: 'Health',
  summary: 'Read the metrics for Prometheus',
  description: 'If `METRICS_PORT` is set, that port serves the metrics and this path is 404.',
  responses: { 200: { description: "Prometheus's text format.", contentType: 'text/plain' } },
  errors: ['not_found', 'rate_limited'],
  async handle(_request, { settings, metrics: { registry } }) {
    if (settings.METRICS_PORT !== undefined) throw notFound('page');
    const text = await registry.metrics();
    return { status: 200, headers: { 'Content-Type': registry.contentType }, body: Buffer.from(text) };
  },
});
