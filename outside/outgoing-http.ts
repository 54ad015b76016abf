import { checkWebhookUrl, type WebhookUrlRules } from '../domain/webhooks/endpoint-url.ts';
import type { LookupOptions } from './checked-lookup.ts';
import { createHttpClient, type HttpClient } from './http.ts';
import { HttpFault, type HttpFaultCode } from './http-fault.ts';
import { readStart } from './limited-body.ts';
import { retryAfterMs } from './retry-after.ts';

/** Why an attempt failed, in fixed words: texts of drivers and receivers may carry personal data. */
type OutgoingError = Exclude<HttpFaultCode, 'CONNECT_TIMEOUT'> | 'INVALID_URL' | 'REDIRECT' | 'HTTP_STATUS';

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
  /** `deadlineMs`: for everything, instead of the usual one. */
  post(
    url: string,
    headers: Record<string, string>,
    body: Buffer,
    deadlineMs?: number,
  ): Promise<OutgoingResult>;
  /** Ends every connection; to be called when no attempt is under way any more, those that are fail. */
  close(): Promise<void>;
}

interface OutgoingLimits {
  connectTimeoutMs: number;
  /** For everything: waiting for a connection, name look-up, connecting, answer and body. */
  deadlineMs: number;
  maxResponseBytes: number;
  /** Tenants that share an origin do not wait for each other's connections: turns limit each of them instead. */
  connectionsPerOrigin: number | undefined;
}

interface OutgoingHttpOptions extends WebhookUrlRules, Pick<LookupOptions, 'resolve'> {
  limits?: Partial<OutgoingLimits>;
  /** Certificates (PEM) to trust instead of those of the system. */
  ca?: string;
  now?: () => number;
}

interface OutgoingRequest {
  headers: Record<string, string>;
  body: Buffer;
  limits?: { deadlineMs: number };
}

type AttemptOutcome = Omit<OutgoingResult, 'durationMs'>;

const DEFAULT_LIMITS: OutgoingLimits = {
  connectTimeoutMs: 5_000,
  deadlineMs: 10_000,
  maxResponseBytes: 65_536,
  connectionsPerOrigin: undefined,
};
const EXCERPT_CHARACTERS = 1_000;
const MAX_RETRY_AFTER_MS = 30 * 24 * 3_600_000;

/**
 * Sends webhooks to addresses that tenants choose: only public ones and hosts that the operator allowed are dialled. The
 * status decides: a 2xx is a success also when the body is too long, breaks off or never ends.
 */
export function createOutgoingHttp(options: OutgoingHttpOptions): OutgoingHttp {
  const { now = Date.now } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const http = webhookClient(options, limits);

  async function attempt(url: URL, request: OutgoingRequest): Promise<AttemptOutcome> {
    try {
      const response = await http.open(url, { method: 'POST', ...request });
      const start = await readStart(response.body, limits.maxResponseBytes);
      return judge(response.status, response.headers['retry-after'], start, now());
    } catch (error) {
      if (!(error instanceof HttpFault)) throw error;
      return unanswered(error.code === 'CONNECT_TIMEOUT' ? 'TIMEOUT' : error.code);
    }
  }

  async function post(
    url: string,
    headers: Record<string, string>,
    body: Buffer,
    deadlineMs?: number,
  ): Promise<OutgoingResult> {
    const startedMs = performance.now();
    const checked = checkWebhookUrl(url, options);
    const outcome = checked.ok
      ? await attempt(checked.url, {
          headers,
          body,
          ...(deadlineMs !== undefined && { limits: { deadlineMs } }),
        })
      : unanswered(checked.code === 'address_not_allowed' ? 'ADDRESS_NOT_ALLOWED' : 'INVALID_URL');
    return { ...outcome, durationMs: Math.round(performance.now() - startedMs) };
  }

  return { post, close: async () => await http.close() };
}

function webhookClient(
  { allowedHosts, resolve, ca }: OutgoingHttpOptions,
  { connectTimeoutMs, deadlineMs, maxResponseBytes, connectionsPerOrigin }: OutgoingLimits,
): HttpClient {
  return createHttpClient({
    reach: { allowedHosts },
    limits: { deadlineMs, maxBodyBytes: maxResponseBytes },
    connectTimeoutMs,
    ...(connectionsPerOrigin !== undefined && { connectionsPerOrigin }),
    ...(resolve && { resolve }),
    ...(ca !== undefined && { ca }),
  });
}

function judge(
  statusCode: number,
  retryAfter: string | string[] | undefined,
  start: Buffer,
  nowMs: number,
): AttemptOutcome {
  const responseExcerpt = excerptOf(start);
  if (statusCode >= 200 && statusCode < 300) {
    return { outcome: 'DELIVERED', statusCode, error: null, retryAfterMs: null, responseExcerpt };
  }
  return {
    outcome: statusCode === 410 ? 'GONE' : 'FAILED',
    statusCode,
    error: statusCode < 400 ? 'REDIRECT' : 'HTTP_STATUS',
    retryAfterMs: retryAfterMs(retryAfter, nowMs, MAX_RETRY_AFTER_MS),
    responseExcerpt,
  };
}

function unanswered(error: OutgoingError): AttemptOutcome {
  return { outcome: 'FAILED', statusCode: null, error, retryAfterMs: null, responseExcerpt: null };
}

function excerptOf(start: Buffer): string | null {
  // Four bytes are the most that a character takes; streaming leaves out one that is cut at the end.
  const text = new TextDecoder().decode(start.subarray(0, 4 * EXCERPT_CHARACTERS), { stream: true });
  const printable = text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim();
  return Array.from(printable).slice(0, EXCERPT_CHARACTERS).join('') || null;
}
