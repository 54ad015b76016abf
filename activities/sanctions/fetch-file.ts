import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { hostAndPort } from '../../domain/outgoing-hosts.ts';
import { MAX_FILE_BYTES, type HttpValidator } from '../../domain/sanctions-lists/update.ts';
import { createHttpClient, discard, type HttpClient, type HttpResponse } from '../../outside/http.ts';
import { HttpFault, type HttpFaultCode } from '../../outside/http-fault.ts';

/** Why a file could not be fetched, as a code for operators: what publishers answer goes nowhere. */
export class FetchFault extends Error {
  readonly code: string;

  constructor(code: FetchFaultCode, detail = '') {
    super(`the list could not be fetched: ${code}`);
    this.code = detail === '' ? code : `${code} ${detail}`;
  }
}

type FetchFaultCode =
  | 'HTTP_STATUS'
  | 'REDIRECT'
  | 'TOO_LARGE'
  | 'TIMEOUT'
  | 'ENCODING'
  | 'CONNECTION'
  | 'INTERRUPTED'
  | 'STOPPED';

/** Times in milliseconds. */
interface FetchLimits {
  maxBytes: number;
  /** Until the headers, and between two pieces of the body. */
  silenceMs: number;
  /** For everything. */
  totalMs: number;
}

const LIMITS: FetchLimits = { maxBytes: MAX_FILE_BYTES, silenceMs: 30_000, totalMs: 15 * 60_000 };

const MAX_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];
/** Publishers refuse callers that do not say who they are. */
const USER_AGENT = 'Waybill (update of sanctions lists)';

/** Connections to the host that the operator configured, and to those that a publisher's redirect names. */
export interface ListHttp {
  configured: HttpClient;
  redirected: HttpClient;
}

export interface FetchOptions {
  limits?: Partial<FetchLimits>;
  /** Connections that differ from the usual ones. */
  http?: ListHttp;
  /** Aborted when the worker stops. */
  signal?: AbortSignal;
}

/** The file as it arrives, and what to ask with the next time. */
export interface FetchedFile {
  validator: HttpValidator;
  /** Throws FetchFault. */
  content: AsyncIterable<Uint8Array>;
}

/** `ca`: certificates (PEM) to trust instead of those of the system. */
export function createListHttp({ ca }: { ca?: string } = {}): ListHttp {
  const options = {
    limits: { deadlineMs: LIMITS.totalMs, silenceMs: LIMITS.silenceMs, maxBodyBytes: LIMITS.maxBytes },
    ...(ca !== undefined && { ca }),
  };
  return {
    configured: createHttpClient({ ...options, reach: 'ANYWHERE' }),
    // A redirect may name any address, so only public ones are dialled.
    redirected: createHttpClient({ ...options, reach: { allowedHosts: [] } }),
  };
}

const usualHttp = createListHttp();

/**
 * Asks for a file; null when the publisher says that it is the one known by `known`. Redirects are followed from https
 * to https only, because whoever is in between could name any address, and to another host only at a public address.
 * Throws FetchFault.
 */
export async function fetchFile(
  url: string,
  known: HttpValidator | undefined,
  options: FetchOptions = {},
): Promise<FetchedFile | null> {
  const response = await follow(url, known, options);
  const { status, headers, body } = response;
  if (status === 200) {
    const validator = {
      url,
      etag: headerOf(headers, 'etag'),
      lastModified: headerOf(headers, 'last-modified'),
    };
    return { validator, content: contentOf(body) };
  }
  await discard(response);
  if (status === 304 && known) return null;
  throw new FetchFault('HTTP_STATUS', String(status));
}

async function follow(
  start: string,
  known: HttpValidator | undefined,
  options: FetchOptions,
): Promise<HttpResponse<Readable>> {
  const question = {
    ...options,
    known,
    untilMs: performance.now() + (options.limits?.totalMs ?? LIMITS.totalMs),
  };
  const { configured, redirected } = options.http ?? usualHttp;
  const first = new URL(start);
  let url = first;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const isSameHost = hostAndPort(url) === hostAndPort(first);
    const response = await ask(isSameHost ? configured : redirected, url, question);
    if (!REDIRECTS.includes(response.status)) return response;
    await discard(response);
    url = redirectTarget(url, headerOf(response.headers, 'location'));
  }
  throw new FetchFault('REDIRECT', 'TOO_MANY');
}

function redirectTarget(from: URL, location: string | null): URL {
  if (location === null || !URL.canParse(location, from.href)) throw new FetchFault('REDIRECT', 'INVALID');
  const target = new URL(location, from.href);
  if (from.protocol !== 'https:' || target.protocol !== 'https:')
    throw new FetchFault('REDIRECT', 'NOT_HTTPS');
  return target;
}

interface FileQuestion extends FetchOptions {
  known: HttpValidator | undefined;
  /** When the time for everything is over, by `performance.now()`. */
  untilMs: number;
}

async function ask(
  http: HttpClient,
  url: URL,
  { known, limits, untilMs, signal }: FileQuestion,
): Promise<HttpResponse<Readable>> {
  const { silenceMs, maxBytes } = { ...LIMITS, ...limits };
  try {
    return await http.open(url, {
      headers: {
        'User-Agent': USER_AGENT,
        accept: '*/*',
        ...(known?.etag != null && { 'if-none-match': known.etag }),
        ...(known?.lastModified != null && { 'if-modified-since': known.lastModified }),
      },
      acceptsGzip: true,
      signal,
      limits: { silenceMs, maxBodyBytes: maxBytes, deadlineMs: Math.max(0, untilMs - performance.now()) },
    });
  } catch (error) {
    throw fetchFaultOf(error);
  }
}

function headerOf(headers: IncomingHttpHeaders, name: string): string | null {
  return [headers[name]].flat()[0] ?? null;
}

async function* contentOf(body: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* body as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw fetchFaultOf(error);
  }
}

const FAULTS: Readonly<Partial<Record<HttpFaultCode, readonly [FetchFaultCode, string?]>>> = {
  TOO_LARGE: ['TOO_LARGE'],
  TIMEOUT: ['TIMEOUT'],
  CONNECT_TIMEOUT: ['TIMEOUT'],
  UNKNOWN_ENCODING: ['ENCODING'],
  ADDRESS_NOT_ALLOWED: ['REDIRECT', 'NOT_PUBLIC'],
  ABORTED: ['STOPPED'],
};

function fetchFaultOf(error: unknown): unknown {
  if (!(error instanceof HttpFault)) return error;
  return new FetchFault(...(FAULTS[error.code] ?? [error.status === null ? 'CONNECTION' : 'INTERRUPTED']));
}
