import type { RequestHandler, Response } from 'express';
import type { RequestMetrics } from '../request-metrics.ts';

/** What nginx calls a request whose client left before the answer; it never goes over the wire. */
const CLIENT_CLOSED_REQUEST = 499;

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
