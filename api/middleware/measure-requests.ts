import type { RequestHandler, Response } from 'express';
import type { RequestMetrics } from '../request-metrics.ts';

/** The status that nginx uses for a client that left before the answer. It is logged and never sent. */
const CLIENT_CLOSED_REQUEST = 499;

/** Measures the duration of every request, labelled with the pattern of its path to keep the number of series fixed. */
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

/** The status of the response, or 499 if the client left before it ended. */
export function statusOf(response: Response): number {
  return response.writableEnded ? response.statusCode : CLIENT_CLOSED_REQUEST;
}
