import { createGunzip } from 'node:zlib';
import { request, type Dispatcher } from 'undici';
import { MAX_FILE_BYTES, type HttpValidator } from '../../domain/sanctions-lists/update.ts';

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
/** Publishers refuse callers that do not say who they are. */
const USER_AGENT = 'Waybill (update of sanctions lists)';

export interface FetchOptions {
  limits?: Partial<FetchLimits>;
  /** Connections that differ from the usual ones. */
  dispatcher?: Dispatcher;
  /** Aborted when the worker stops. */
  signal?: AbortSignal;
}

/** The file as it arrives, and what to ask with the next time. */
export interface FetchedFile {
  validator: HttpValidator;
  /** Throws FetchFault. */
  content: AsyncIterable<Uint8Array>;
}

/**
 * Asks for a file; null when the publisher says that it is the one known by `known`. Redirects are followed from https
 * to https only, because whoever is in between could name any address. Throws FetchFault.
 */
export async function fetchFile(
  url: string,
  known: HttpValidator | undefined,
  options: FetchOptions = {},
): Promise<FetchedFile | null> {
  const limits = { ...LIMITS, ...options.limits };
  const timer = AbortSignal.timeout(limits.totalMs);
  const signal = options.signal ? AbortSignal.any([timer, options.signal]) : timer;
  const answer = await inWords(async () => await follow(url, known, { ...options, limits, signal }), options);
  if (answer.statusCode === 304 && known) {
    await discard(answer);
    return null;
  }
  if (answer.statusCode !== 200) {
    await discard(answer);
    throw new FetchFault('HTTP_STATUS', String(answer.statusCode));
  }
  const validator = { url, etag: header(answer, 'etag'), lastModified: header(answer, 'last-modified') };
  return { validator, content: contentOf(answer, limits.maxBytes, options) };
}

type FetchAnswer = Dispatcher.ResponseData;

interface FetchRequest {
  limits: FetchLimits;
  signal: AbortSignal;
  dispatcher?: Dispatcher;
}

async function follow(
  start: string,
  known: HttpValidator | undefined,
  asking: FetchRequest,
): Promise<FetchAnswer> {
  let url = new URL(start);
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const answer = await ask(url, known, asking);
    if (![301, 302, 303, 307, 308].includes(answer.statusCode)) return answer;
    await discard(answer);
    const target = header(answer, 'location');
    if (target === null || !URL.canParse(target, url.href)) throw new FetchFault('REDIRECT', 'INVALID');
    const next = new URL(target, url.href);
    if (url.protocol !== 'https:' || next.protocol !== 'https:')
      throw new FetchFault('REDIRECT', 'NOT_HTTPS');
    url = next;
  }
  throw new FetchFault('REDIRECT', 'TOO_MANY');
}

async function ask(url: URL, known: HttpValidator | undefined, asking: FetchRequest): Promise<FetchAnswer> {
  const { limits, signal, dispatcher } = asking;
  return await request(url, {
    headers: {
      'user-agent': USER_AGENT,
      accept: '*/*',
      'accept-encoding': 'gzip, identity',
      ...(known?.etag != null && { 'if-none-match': known.etag }),
      ...(known?.lastModified != null && { 'if-modified-since': known.lastModified }),
    },
    headersTimeout: limits.silenceMs,
    bodyTimeout: limits.silenceMs,
    signal,
    ...(dispatcher && { dispatcher }),
  });
}

/** A body that nobody reads must not keep its connection. */
async function discard(answer: FetchAnswer): Promise<void> {
  await answer.body.dump({ limit: 64 * 1024 }).catch(() => undefined);
}

function header({ headers }: FetchAnswer, name: string): string | null {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

async function* contentOf(
  answer: FetchAnswer,
  maxBytes: number,
  options: FetchOptions,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of plain(answer)) {
      bytes += chunk.length;
      // Leaving the loop early closes the connection.
      if (bytes > maxBytes) throw new FetchFault('TOO_LARGE');
      yield chunk;
    }
  } catch (error) {
    throw faultOf(error, 'INTERRUPTED', options);
  }
}

/** Counted after unpacking: a packed file may become any size. */
function plain(answer: FetchAnswer): AsyncIterable<Uint8Array> {
  const encoding = header(answer, 'content-encoding')?.toLowerCase() ?? 'identity';
  if (encoding === 'identity') return answer.body as AsyncIterable<Uint8Array>;
  if (encoding !== 'gzip') {
    answer.body.destroy();
    throw new FetchFault('ENCODING');
  }
  const gunzip = createGunzip();
  answer.body.on('error', (error) => gunzip.destroy(error));
  gunzip.on('close', () => answer.body.destroy());
  return answer.body.pipe(gunzip);
}

async function inWords<T>(work: () => Promise<T>, options: FetchOptions): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw faultOf(error, 'CONNECTION', options);
  }
}

function faultOf(error: unknown, otherwise: FetchFaultCode, { signal }: FetchOptions): FetchFault {
  if (error instanceof FetchFault) return error;
  if (signal?.aborted) return new FetchFault('STOPPED');
  const { name, code } = error as { name?: unknown; code?: unknown };
  const isTimeout = name === 'TimeoutError' || /TIMEOUT/.test(String(code));
  return new FetchFault(isTimeout ? 'TIMEOUT' : otherwise);
}
