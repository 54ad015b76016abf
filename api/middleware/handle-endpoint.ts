import { createHash } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { StaleCaller } from '../../db/api-keys/cached-key.ts';
import { OPERATOR_SCOPE } from '../../db/idempotency/idempotency.ts';
import { DomainError, invalidField } from '../../domain/errors.ts';
import type { Caller, Deps, IdempotentCall } from '../deps.ts';
import { takesBody, type Endpoint } from '../endpoint.ts';
import { readBody } from '../read-body.ts';
import type { PartRules } from '../uploads/part-rule.ts';
import { formFingerprint, readMultipart } from '../uploads/read-multipart.ts';
import { authenticateAgain } from './authenticate.ts';
import { parseBody, parseParams, parseQuery } from './parse-input.ts';
import { sendAnswer, type EndpointAnswer } from './send-answer.ts';

/** Parses the request, lets the endpoint handle it and sends its answer. */
export function handleEndpoint(endpoint: Endpoint, deps: Deps): RequestHandler {
  return async (request, response) => {
    const { caller = { kind: 'NONE' } } = response.locals;
    const answer = answering(endpoint, deps, request, response);
    const isRemembered = caller.kind === 'API_KEY' && caller.cachedKey !== undefined;
    const given = isRemembered
      ? await answer(caller).catch(async (error: unknown) => {
          // Not even what is wrong with a request is told to a key that does not hold any more.
          const now = await authenticateAgain(request, endpoint, deps);
          if (error instanceof StaleCaller) return await answer(now);
          throw error;
        })
      : await answer(caller);
    sendAnswer(response, given);
  };
}

/** What the endpoint answers to a caller; may be asked again for another one. */
function answering(
  endpoint: Endpoint,
  deps: Deps,
  request: Request,
  { locals: { requestId } }: Response,
): (caller: Caller) => Promise<EndpointAnswer> {
  const multipart = formOf(endpoint, request);
  let reading: Promise<Buffer> | undefined;
  const readOnce = async () => await (reading ??= readBody(request));
  return async (caller) => {
    const params = parseParams(endpoint, request.params);
    const query = queryOf(endpoint, request);
    const key = idempotencyKey(endpoint, request);
    const callWith = (content: Buffer) => idempotentCall(key, request, caller, content);
    const rawBody = multipart ? Buffer.alloc(0) : await readOnce();
    const idempotency = multipart ? undefined : callWith(rawBody);
    const handle = async () =>
      endpoint.handle(
        {
          params,
          query,
          body: multipart ? undefined : parseNamed(endpoint, rawBody, request),
          isForm: multipart !== undefined,
          rawBody,
          caller,
          requestId,
          log: request.log,
          header: (name) => request.get(name),
          idempotency,
          readForm: async (takeFile) => {
            const parts = await readMultipart(request, multipart ?? {}, takeFile);
            return { parts, idempotency: callWith(formFingerprint(parts)) };
          },
          isStopping: request.app.locals['stopping'] === true,
        },
        deps,
      );
    const kept = idempotency && deps.answerOnce?.(idempotency, requestId, handle);
    return await (kept ?? handle());
  };
}

/** The parts of the form that is expected; undefined where the request is, or should be, JSON. */
function formOf(endpoint: Endpoint, request: Request): PartRules | undefined {
  const isForm = /^multipart\//i.test(request.get('Content-Type') ?? '');
  return isForm || !takesBody(endpoint) ? endpoint.multipart : undefined;
}

function parseNamed(endpoint: Endpoint, rawBody: Buffer, request: Request): unknown {
  try {
    return parseBody(endpoint, rawBody, request.headers);
  } catch (error) {
    throw error instanceof DomainError && endpoint.nameFault ? endpoint.nameFault(error) : error;
  }
}

/** The parsed query. That of a list says by `wantsCount` whether the answer states the number of all items. */
function queryOf(endpoint: Endpoint, request: Request): unknown {
  const query = parseQuery(endpoint, request.originalUrl);
  const isList = typeof query === 'object' && query !== null && 'wantsCount' in query;
  return isList && prefersNoCount(request) ? { ...query, wantsCount: false } : query;
}

/** RFC 7240: preferences are a comma list, each with parameters after a semicolon. */
function prefersNoCount(request: Request): boolean {
  return /(^|,)\s*count="?none"?\s*(,|;|$)/i.test(request.get('Prefer') ?? '');
}

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

function idempotencyKey({ idempotent }: Endpoint, request: Request): string | undefined {
  const key = request.get('Idempotency-Key');
  if (!idempotent || key === undefined) return undefined;
  if (!IDEMPOTENCY_KEY.test(key)) {
    throw invalidField(
      '/Idempotency-Key',
      'invalid_format',
      '1 to 255 printable ASCII characters are expected.',
    );
  }
  return key;
}

/** `content` is the raw body, or the fingerprint of a form. */
function idempotentCall(
  key: string | undefined,
  request: Request,
  caller: Caller,
  content: Buffer,
): IdempotentCall | undefined {
  if (key === undefined) return undefined;
  const fingerprint = createHash('sha256')
    .update(`${request.method} ${request.originalUrl}\n`)
    .update(content)
    .digest();
  return { tenantId: caller.kind === 'API_KEY' ? caller.tenantId : OPERATOR_SCOPE, key, fingerprint };
}
