import type { RequestHandler, Response } from 'express';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** What nginx calls a request whose client left before the answer; it never goes over the wire. */
const CLIENT_CLOSED_REQUEST = 499;

/** The figures of one process; other parts register theirs in the same registry. */
export interface RequestMetrics {
  registry: Registry;
  requests: Histogram<'method' | 'route' | 'status'>;
}

export function createMetrics(): RequestMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first header to the end of the answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  });
  return { registry, requests };
}

/** Times every request by the pattern of its path, so that the number of series stays fixed. */
export function measureRequests({ requests }: RequestMetrics): RequestHandler {
  return (request, response, next) => {
    const startedAt = process.hrtime.bigint();
    response.once('close', () => {
      const seconds = Number(process.hrtime.bigint() - startedAt) / 1e9;
      const { route = 'none' } = response.locals;
      requests.observe({ method: request.method, route, status: statusOf(response) }, seconds);
    });
    next();
  };
}

/** The status that was answered, or 499 if the client did not wait for it. */
export function statusOf(response: Response): number {
  return response.writableEnded ? response.statusCode : CLIENT_CLOSED_REQUEST;
}
