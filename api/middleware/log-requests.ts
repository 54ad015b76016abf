import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { pinoHttp } from 'pino-http';
import { loggedCaller } from '../caller.ts';
import { statusOf } from './measure-requests.ts';

/**
 * Logs one line per request with the pattern of its path, and sets `request.log`, whose lines carry the request id. Paths,
 * queries, headers and bodies are never logged, because they contain keys, addresses and names.
 */
export function logRequests(log: Logger): RequestHandler {
  return pinoHttp<Request, Response>({
    logger: log,
    wrapSerializers: false,
    serializers: { req: () => undefined },
    quietReqLogger: true,
    quietResLogger: true,
    customAttributeKeys: { reqId: 'requestId' },
    genReqId: (_request, response) => response.locals.requestId,
    customLogLevel: (_request, response) => (response.statusCode >= 500 ? 'error' : 'info'),
    customSuccessObject: requestLine,
    customErrorObject: (request, response, _error, line: { responseTime: number }) =>
      requestLine(request, response, line),
    customSuccessMessage: () => 'request',
    customErrorMessage: () => 'request',
  });
}

function requestLine(request: Request, response: Response, { responseTime }: { responseTime: number }) {
  const { route = 'none', caller } = response.locals;
  return {
    method: request.method,
    route,
    status: statusOf(response),
    durationMs: responseTime,
    ...(caller && loggedCaller(caller)),
  };
}
