import { createHash } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { OPERATOR_SCOPE } from '../../db/idempotency.ts';
import { invalidField } from '../../domain/errors.ts';
import type { Caller, Deps, IdempotentCall } from '../deps.ts';
import type { Endpoint } from '../endpoint.ts';
import { readBody } from '../read-body.ts';
import { parseBody, parseParams, parseQuery } from './parse-input.ts';
import { sendAnswer } from './send-answer.ts';

/** Parses the request, lets the endpoint handle it and sends its answer. */
export function handleEndpoint(endpoint: Endpoint, deps: Deps): RequestHandler {
  return async (request, response) => {
    const { requestId, caller = { kind: 'NONE' } } = response.locals;
    const params = parseParams(endpoint, request.params);
    const query = parseQuery(endpoint, request.originalUrl);
    const rawBody = await readBody(request);
    const idempotency = idempotentCall(endpoint, request, caller, rawBody);
    const handle = async () =>
      endpoint.handle(
        {
          params,
          query,
          body: parseBody(endpoint, rawBody, request.headers),
          rawBody,
          caller,
          requestId,
          log: request.log,
          header: (name) => request.get(name),
          wantsCount: wantsCount(request),
          idempotency,
          isStopping: request.app.locals['stopping'] === true,
        },
        deps,
      );
    const kept = idempotency && deps.answerOnce?.(idempotency, requestId, handle);
    sendAnswer(response, await (kept ?? handle()));
  };
}

/** RFC 7240: preferences are a comma list, each with parameters after a semicolon. */
function wantsCount(request: Request): boolean {
  return !/(^|,)\s*count="?none"?\s*(,|;|$)/i.test(request.get('Prefer') ?? '');
}

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

function idempotentCall(
  { idempotent }: Endpoint,
  request: Request,
  caller: Caller,
  rawBody: Buffer,
): IdempotentCall | undefined {
  const key = request.get('Idempotency-Key');
  if (!idempotent || key === undefined) return undefined;
  if (!IDEMPOTENCY_KEY.test(key)) {
    throw invalidField(
      '/Idempotency-Key',
      'invalid_format',
      '1 to 255 printable ASCII characters are expected.',
    );
  }
  const fingerprint = createHash('sha256')
    .update(`${request.method} ${request.originalUrl}\n`)
    .update(rawBody)
    .digest();
  return { tenantId: caller.kind === 'API_KEY' ? caller.tenantId : OPERATOR_SCOPE, key, fingerprint };
}
