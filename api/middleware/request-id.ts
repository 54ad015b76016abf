import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Caller } from '../caller.ts';

declare global {
  namespace Express {
    /** What the middleware has learnt about a request. */
    interface Locals {
      requestId: string;
      /** The pattern of the path, never the path itself, for log and metrics. */
      route?: string;
      caller?: Caller;
    }
  }
}

const ACCEPTABLE = /^[A-Za-z0-9._-]{1,128}$/;

/** Takes the caller's X-Request-Id if it is harmless, else makes one; every answer and log line carries it. */
export function giveRequestId(): RequestHandler {
  return (request, response, next) => {
    const given = request.headers['x-request-id'];
    const requestId = typeof given === 'string' && ACCEPTABLE.test(given) ? given : randomUUID();
    response.locals.requestId = requestId;
    response.setHeader('X-Request-Id', requestId);
    next();
  };
}
