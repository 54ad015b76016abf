import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Caller } from '../caller.ts';
import type { RequestAudit } from './audit-requests.ts';

declare global {
  namespace Express {
    /** Data that the middleware attaches to a request. */
    interface Locals {
      requestId: string;
      /** The pattern of the path, for logs and metrics, which must not contain the path itself. */
      route?: string;
      caller?: Caller;
      audit?: RequestAudit;
    }
  }
}

const ACCEPTABLE = /^[A-Za-z0-9._-]{1,128}$/;

/** Sets the request id of the response and its log lines: a well-formed X-Request-Id of the caller, or a new UUID. */
export function giveRequestId(): RequestHandler {
  return (request, response, next) => {
    const given = request.headers['x-request-id'];
    const requestId = typeof given === 'string' && ACCEPTABLE.test(given) ? given : randomUUID();
    response.locals.requestId = requestId;
    response.setHeader('X-Request-Id', requestId);
    next();
  };
}
