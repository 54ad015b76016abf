import type { Method } from './operations.ts';
import {
  ConnectionFailed,
  problemOf,
  UnexpectedAnswer,
  type ProblemDocument,
  type WaybillError,
  type WaybillProblem,
} from './problems.ts';
import { readRetryAfter } from './retry.ts';
import { startTimeLimit } from './time.ts';

/** One HTTP request, ready to be sent any number of times. */
export interface PreparedRequest {
  method: Method;
  /** The path without values, as in `/transactions/{id}`. */
  template: string;
  url: string;
  headers: Record<string, string>;
  body: string | FormData | undefined;
  /** The longest time of one attempt, in milliseconds. */
  timeoutMs: number;
  /** The caller's. */
  signal: AbortSignal | undefined;
}

/** The answer to an accepted request. */
export interface ReceivedAnswer {
  body: unknown;
  headers: Headers;
}

/** What became of one attempt. */
export type AttemptResult =
  | { kind: 'ACCEPTED'; answer: ReceivedAnswer }
  | { kind: 'REFUSED'; error: WaybillProblem }
  /** Another program than the API has answered; nothing is gained by asking again. */
  | { kind: 'MISUNDERSTOOD'; error: UnexpectedAnswer }
  /** The request did not reach the API. */
  | { kind: 'NOT_SENT'; error: WaybillError }
  /** The request may have been done. */
  | { kind: 'UNKNOWN'; error: WaybillError; retryAfterMs?: number | undefined };

/** Sends a request once. Throws the reason of the caller's signal, and nothing else. */
export async function attempt(send: typeof fetch, request: PreparedRequest): Promise<AttemptResult> {
  const { url, method, headers, body, timeoutMs, signal } = request;
  signal?.throwIfAborted();
  const limit = startTimeLimit(timeoutMs, signal);
  try {
    // A redirect would take the key to another address, and turn a POST into a GET.
    const init: RequestInit = { method, headers, redirect: 'manual', signal: limit.signal };
    return await readResult(request, await send(url, body === undefined ? init : { ...init, body }));
  } catch (cause) {
    signal?.throwIfAborted();
    const error = new ConnectionFailed(`${nameOf(request)}: no answer`, { cause });
    return { kind: isBeforeSending(cause) ? 'NOT_SENT' : 'UNKNOWN', error };
  } finally {
    limit.clear();
  }
}

/** Throws if the body breaks off. */
async function readResult(request: PreparedRequest, response: Response): Promise<AttemptResult> {
  const { status, ok, headers } = response;
  const type = headers.get('content-type') ?? '';
  if (ok) return { kind: 'ACCEPTED', answer: { body: await readBody(response, type), headers } };
  const retryAfterMs = readRetryAfter(headers.get('retry-after'), Date.now());
  if (type.startsWith('application/problem+json')) {
    const document = (await response.json()) as ProblemDocument;
    return { kind: 'REFUSED', error: problemOf(nameOf(request), document, retryAfterMs) };
  }
  await response.body?.cancel();
  const error = new UnexpectedAnswer(`${nameOf(request)}: ${status} without a problem document`, status);
  // A proxy says so of an API that does not run.
  return isGateway(status) ? { kind: 'UNKNOWN', error, retryAfterMs } : { kind: 'MISUNDERSTOOD', error };
}

async function readBody(response: Response, type: string): Promise<unknown> {
  if (type.startsWith('application/json')) return await response.json();
  if (type.startsWith('text/')) return await response.text();
  const bytes = new Uint8Array(await response.arrayBuffer());
  return bytes.length === 0 ? undefined : bytes;
}

function isGateway(status: number): boolean {
  return [429, 502, 503, 504].includes(status);
}

function nameOf({ method, template }: PreparedRequest): string {
  return `${method} ${template}`;
}

/** Codes of errors that come before the first byte of a request is sent. */
const BEFORE_SENDING = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT'];

function isBeforeSending(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // One error for each address of a host with several.
  if (error instanceof AggregateError) return error.errors.every((each) => isBeforeSending(each));
  const code = 'code' in error ? String(error.code) : '';
  return BEFORE_SENDING.includes(code) || isBeforeSending(error.cause);
}
