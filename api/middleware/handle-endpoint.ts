import { Readable } from 'node:stream';
import type { Request, RequestHandler } from 'express';
import { StaleCaller } from '../../db/api-keys/cached-key.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Caller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { takesBody, type Endpoint, type RunEffect } from '../endpoint.ts';
import { readBody } from '../read-body.ts';
import type { PartRules } from '../uploads/part-rule.ts';
import { formFingerprint, readMultipart, type TakeFile } from '../uploads/read-multipart.ts';
import { requestAudit, type RequestAudit } from './audit-requests.ts';
import { addressOf, callerIp } from './caller-address.ts';
import { authenticateAgain } from './authenticate.ts';
import { peerCertificate } from '../peer-certificate.ts';
import { keyedEffects } from './keyed-effects.ts';
import { parseBody, parseParams, parseQuery } from './parse-input.ts';
import { sendAnswer, type EndpointAnswer } from '../send-answer.ts';

/** Parses the request, lets the endpoint handle it and sends its answer. */
export function handleEndpoint(endpoint: Endpoint, deps: Deps): RequestHandler {
  return async (request, response) => {
    const { caller = { kind: 'NONE' } } = response.locals;
    const audit = requestAudit(endpoint, deps, request, response);
    response.locals.audit = audit;
    const answer = answering(endpoint, deps, request, { requestId: response.locals.requestId, audit });
    const isRemembered = caller.kind === 'TENANT' && caller.cachedKey !== undefined;
    const answered = async () =>
      isRemembered
        ? await answer(caller).catch(async (error: unknown) => {
            // A revoked key must not even learn what is wrong with its request, so the key is read first.
            const current = await authenticateAgain(request, endpoint, deps);
            if (error instanceof StaleCaller) return await answer(current);
            throw error;
          })
        : await answer(caller);
    const given = await answered();
    await audited(given, audit);
    sendAnswer(response, given);
  };
}

/** The tenant or partner that reads, null for other requests: those take their own turns. */
function readerOf({ method, readsOutOfTurn, readsInTurn }: Endpoint, caller: Caller): string | null {
  const isReading = method === 'GET' ? !readsOutOfTurn : readsInTurn;
  if (!isReading) return null;
  if (caller.kind === 'TENANT') return caller.tenantId;
  return caller.kind === 'PARTNER' ? caller.partnerId : null;
}

/** Notes an answer before it is sent. If it cannot be noted, nothing of it is read out. */
async function audited({ body, ...answer }: EndpointAnswer, audit: RequestAudit): Promise<void> {
  try {
    await audit.answered({ ...answer, body });
  } catch (error) {
    if (body instanceof Readable) body.destroy();
    throw error;
  }
}

/** Returns a function that answers the request for a caller. It may be called again after the caller was read anew. */
function answering(
  endpoint: Endpoint,
  deps: Deps,
  request: Request,
  { requestId, audit }: { requestId: string; audit: RequestAudit },
): (caller: Caller) => Promise<EndpointAnswer> {
  const multipart = formOf(endpoint, request);
  let reading: Promise<Buffer> | undefined;
  const readOnce = async () => await (reading ??= readBody(request, endpoint.bodyBytes));
  return async (caller) => {
    const params = parseParams(endpoint, request.params);
    const query = queryOf(endpoint, request);
    audit.takeParameters(params);
    await endpoint.admit?.({ params, header: (name) => request.get(name) }, deps);
    const { once, commit, idempotency } = keyedEffects(endpoint, deps, request, { caller, requestId, audit });
    const given = {
      params,
      query,
      isForm: multipart !== undefined,
      caller,
      log: request.log,
      header: (name: string) => request.get(name),
      address: addressOf(request),
      ip: callerIp(request),
      certificate: () => peerCertificate(request, deps.settings),
      requestId,
      commit,
      idempotency,
      async readForm(takeFile: TakeFile) {
        const parts = await readMultipart(request, multipart ?? {}, takeFile);
        return { parts, once: async (run: RunEffect) => await once({ form: formFingerprint(parts) }, run) };
      },
      isStopping: request.app.locals['stopping'] === true,
    };
    if (multipart) return await endpoint.handle({ ...given, body: undefined }, deps);
    // A body may never come: no turn waits for it.
    const rawBody = await readOnce();
    const handled = async () =>
      await once({ json: rawBody }, async () => {
        const body = parseNamed(endpoint, rawBody, request);
        audit.takeBody(endpoint.auditedBody?.(body as never) ?? {});
        return await endpoint.handle({ ...given, body }, deps);
      });
    const reader = readerOf(endpoint, caller);
    return reader === null ? await handled() : await deps.readInTurn(reader, handled);
  };
}

/** The parts of the expected form; undefined if the request is JSON or should be. */
function formOf(endpoint: Endpoint, request: Request): PartRules | undefined {
  const isForm = /^multipart\//i.test(request.get('Content-Type') ?? '');
  return isForm || !takesBody(endpoint) ? endpoint.multipart : undefined;
}

function parseNamed(endpoint: Endpoint, rawBody: Buffer, request: Request): unknown {
  try {
    return parseBody(endpoint, rawBody, request.headers);
  } catch (error) {
    throw error instanceof DomainError && endpoint.refineRefusal ? endpoint.refineRefusal(error) : error;
  }
}

/** Parses the query. For a list, `Prefer: count=none` sets `wantsCount` to false, which leaves X-Total-Count out. */
function queryOf(endpoint: Endpoint, request: Request): unknown {
  const query = parseQuery(endpoint, request.originalUrl);
  const isList = typeof query === 'object' && query !== null && 'wantsCount' in query;
  return isList && prefersNoCount(request) ? { ...query, wantsCount: false } : query;
}

/** True for `Prefer: count=none`. By RFC 7240, commas separate preferences and semicolons their parameters. */
function prefersNoCount(request: Request): boolean {
  return /(^|,)\s*count="?none"?\s*(,|;|$)/i.test(request.get('Prefer') ?? '');
}
