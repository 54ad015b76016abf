import { lookup, Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, errors, Pool, type Dispatcher } from 'undici';
import {
  checkWebhookUrl,
  isAllowedHost,
  mayDial,
  type WebhookUrlRules,
} from '../../domain/webhooks/endpoint-url.ts';

/** Why an attempt failed, in fixed words: texts of drivers and receivers may carry personal data. */
type OutgoingError =
  | 'INVALID_URL'
  | 'INVALID_REQUEST'
  | 'ADDRESS_NOT_ALLOWED'
  | 'DNS_FAILED'
  | 'CONNECT_REFUSED'
  | 'HOST_UNREACHABLE'
  | 'TLS_ERROR'
  | 'TIMEOUT'
  | 'CONNECTION_CLOSED'
  | 'INVALID_RESPONSE'
  | 'REDIRECT'
  | 'HTTP_STATUS'
  | 'SHUTTING_DOWN'
  | 'REQUEST_FAILED';

export interface OutgoingResult {
  outcome: 'DELIVERED' | 'FAILED' | 'GONE';
  /** Null when no answer came. */
  statusCode: number | null;
  durationMs: number;
  error: OutgoingError | null;
  /** What the receiver asked for in Retry-After, not yet held within the schedule. */
  retryAfterMs: number | null;
  /** First 1,000 printable characters. A receiver may echo what it got: keep it sealed, out of logs and workflows. */
  responseExcerpt: string | null;
}

export interface OutgoingHttp {
  post(url: string, headers: Record<string, string>, body: Buffer): Promise<OutgoingResult>;
  /** Ends every connection; to be called when no attempt is under way any more, those that are fail. */
  close(): Promise<void>;
}

interface OutgoingLimits {
  connectTimeoutMs: number;
  /** For everything: waiting for a connection, name look-up, connecting, answer and body. */
  deadlineMs: number;
  maxResponseBytes: number;
  connectionsPerOrigin: number;
}

interface OutgoingHttpOptions extends WebhookUrlRules {
  /** All addresses of a host name. */
  resolve?: (hostname: string) => Promise<readonly string[]>;
  limits?: Partial<OutgoingLimits>;
  /** Certificates (PEM) to trust instead of those of the system. */
  ca?: string;
  now?: () => number;
}

type AddressJudgement = Omit<OutgoingResult, 'durationMs'>;

const DEFAULT_LIMITS: OutgoingLimits = {
  connectTimeoutMs: 5_000,
  deadlineMs: 10_000,
  maxResponseBytes: 65_536,
  connectionsPerOrigin: 16,
};
const EXCERPT_CHARACTERS = 1_000;
const MAX_RETRY_AFTER_MS = 30 * 24 * 3_600_000;

const TLS_CODE =
  /^(ERR_TLS_|ERR_SSL_|EPROTO|CERT_|CRL_|ERROR_IN_C|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_|INVALID_|PATH_LENGTH_)/;
const WORDS: Readonly<Record<string, OutgoingError>> = {
  ECONNREFUSED: 'CONNECT_REFUSED',
  EHOSTUNREACH: 'HOST_UNREACHABLE',
  ENETUNREACH: 'HOST_UNREACHABLE',
  EADDRNOTAVAIL: 'HOST_UNREACHABLE',
  ETIMEDOUT: 'TIMEOUT',
  UND_ERR_CONNECT_TIMEOUT: 'TIMEOUT',
  ECONNRESET: 'CONNECTION_CLOSED',
  EPIPE: 'CONNECTION_CLOSED',
  UND_ERR_SOCKET: 'CONNECTION_CLOSED',
  UND_ERR_HEADERS_OVERFLOW: 'INVALID_RESPONSE',
  UND_ERR_INVALID_ARG: 'INVALID_REQUEST',
  UND_ERR_DESTROYED: 'SHUTTING_DOWN',
  UND_ERR_CLOSED: 'SHUTTING_DOWN',
};

class AttemptError extends Error {
  readonly word: OutgoingError;

  constructor(word: OutgoingError) {
    super(word);
    this.word = word;
  }
}

/**
 * The one way out to addresses that tenants choose. A name is resolved when a connection is made, and exactly the
 * addresses that passed are dialled, so that an answer which changes in between reaches nothing. Redirects are not
 * followed. The status decides: a 2xx is a success also when the body is too long, breaks off or never ends.
 */
export function createOutgoingHttp(options: OutgoingHttpOptions): OutgoingHttp {
  const { now = Date.now } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const agent = new Agent({ factory: (origin) => poolFor(new URL(origin), limits, options) });

  async function exchange(
    url: URL,
    headers: Record<string, string>,
    body: Buffer,
  ): Promise<AddressJudgement> {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(new AttemptError('TIMEOUT')), limits.deadlineMs);
    const { origin, pathname, search } = url;
    const request = {
      origin,
      path: pathname + search,
      method: 'POST',
      headers,
      body,
      signal: abort.signal,
    } as const;
    try {
      const answer = await Promise.race([agent.request(request), aborted(abort.signal)]);
      const start = await readStart(answer.body, limits.maxResponseBytes);
      return judge(answer.statusCode, answer.headers['retry-after'], start, now());
    } catch (error) {
      return unanswered(wordFor(error));
    } finally {
      clearTimeout(timer);
    }
  }

  async function post(url: string, headers: Record<string, string>, body: Buffer): Promise<OutgoingResult> {
    const startedMs = performance.now();
    const checked = checkWebhookUrl(url, options);
    const judgement = checked.ok
      ? await exchange(checked.url, headers, body)
      : unanswered(checked.code === 'address_not_allowed' ? 'ADDRESS_NOT_ALLOWED' : 'INVALID_URL');
    return { ...judgement, durationMs: Math.round(performance.now() - startedMs) };
  }

  return { post, close: () => agent.destroy() };
}

function poolFor(origin: URL, limits: OutgoingLimits, options: OutgoingHttpOptions): Pool {
  return new Pool(origin, {
    connections: limits.connectionsPerOrigin,
    // The deadline of the exchange covers both.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveMaxTimeout: 30_000,
    // A busy connection is renewed now and then, so that a host that moved is found again.
    maxRequestsPerClient: 1_000,
    connect: {
      lookup: checkedLookup(origin, options),
      timeout: limits.connectTimeoutMs,
      // Makes the look-up ask for all addresses and the dial try each of them.
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: 1_000,
      // Said explicitly: otherwise an environment variable could switch it off.
      rejectUnauthorized: true,
      ...(options.ca === undefined ? {} : { ca: options.ca }),
    },
  });
}

// Addresses written in the URL never come here: no name is looked up for them, `checkWebhookUrl` judges them.
function checkedLookup(origin: URL, options: OutgoingHttpOptions): LookupFunction {
  return (hostname, _options, callback) => {
    addressesOf(hostname, origin, options).then(
      (addresses) =>
        callback(
          null,
          addresses.map((address) => ({ address, family: isIP(address) })),
        ),
      (error: unknown) =>
        callback(error instanceof AttemptError ? error : new AttemptError('DNS_FAILED'), []),
    );
  };
}

async function addressesOf(
  hostname: string,
  origin: URL,
  options: OutgoingHttpOptions,
): Promise<readonly string[]> {
  const { allowedHosts } = options;
  const resolve =
    options.resolve ?? (isAllowedHost(origin, allowedHosts) ? resolveBySystem : resolveByNameServer);
  const addresses = await resolve(hostname);
  if (addresses.length === 0) throw new AttemptError('DNS_FAILED');
  if (!addresses.every((address) => isIP(address) !== 0 && mayDial(address, origin, allowedHosts))) {
    throw new AttemptError('ADDRESS_NOT_ALLOWED');
  }
  return addresses;
}

// Off the thread pool: there, four names of a slow name server would hold up every other look-up of the process.
async function resolveByNameServer(hostname: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 });
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}

// Hosts that the operator allowed may be known to the hosts file or a search domain only.
async function resolveBySystem(hostname: string): Promise<string[]> {
  return (await lookup(hostname, { all: true })).map(({ address }) => address);
}

// A request that waits for a connection is not told of the abort before its turn: the wait has to end here.
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as AttemptError), { once: true });
  });
}

async function readStart(body: Dispatcher.ResponseData['body'], maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      // Leaving the loop early closes the connection.
      if (bytes > maxBytes) break;
    }
  } catch {
    // The body broke off or the deadline passed: the status has already decided.
  }
  return Buffer.concat(chunks);
}

function judge(
  statusCode: number,
  retryAfter: string | string[] | undefined,
  start: Buffer,
  nowMs: number,
): AddressJudgement {
  const responseExcerpt = excerptOf(start);
  if (statusCode >= 200 && statusCode < 300) {
    return { outcome: 'DELIVERED', statusCode, error: null, retryAfterMs: null, responseExcerpt };
  }
  return {
    outcome: statusCode === 410 ? 'GONE' : 'FAILED',
    statusCode,
    error: statusCode < 400 ? 'REDIRECT' : 'HTTP_STATUS',
    retryAfterMs: retryAfterMs(retryAfter, nowMs),
    responseExcerpt,
  };
}

function unanswered(error: OutgoingError): AddressJudgement {
  return { outcome: 'FAILED', statusCode: null, error, retryAfterMs: null, responseExcerpt: null };
}

// Seconds or a date in GMT (RFC 9110, 10.2.3); a date in the past means now.
function retryAfterMs(header: string | string[] | undefined, nowMs: number): number | null {
  const [text] = [header].flat();
  if (text === undefined) return null;
  const waitMs = /^\d+$/.test(text)
    ? Number(text) * 1_000
    : /^[A-Z].* GMT$/.test(text)
      ? Date.parse(text) - nowMs
      : NaN;
  return Number.isNaN(waitMs) ? null : Math.min(Math.max(waitMs, 0), MAX_RETRY_AFTER_MS);
}

function excerptOf(start: Buffer): string | null {
  // Four bytes are the most that a character takes; streaming leaves out one that is cut at the end.
  const text = new TextDecoder().decode(start.subarray(0, 4 * EXCERPT_CHARACTERS), { stream: true });
  const printable = text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim();
  return Array.from(printable).slice(0, EXCERPT_CHARACTERS).join('') || null;
}

function wordFor(error: unknown): OutgoingError {
  if (error instanceof AttemptError) return error.word;
  if (error instanceof errors.HTTPParserError) return 'INVALID_RESPONSE';
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  return WORDS[code] ?? (TLS_CODE.test(code) ? 'TLS_ERROR' : 'REQUEST_FAILED');
}
