import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, request } from 'undici';
import { ProviderFault, type ProviderFaultCode } from '../domain/aml/fault.ts';
import { isPublicAddress } from '../domain/webhooks/endpoint-url.ts';

export interface VendorRequest {
  method: 'GET' | 'POST';
  /** Below the vendor's address, with its leading slash. */
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export interface VendorAnswer {
  status: number;
  text: string;
  retryAfterMs: number | null;
}

export interface VendorHttp {
  /** Throws ProviderFault; an answer of any status is no fault here. */
  send(baseUrl: string, request: VendorRequest): Promise<VendorAnswer>;
}

export interface VendorHttpOptions {
  /** In production only the public internet is dialled: a vendor's name must not lead inside. */
  environment: 'sandbox' | 'production';
  /** For all of one exchange, milliseconds. */
  timeoutMs?: number;
  /** Certificates (PEM) to trust instead of those of the system. */
  ca?: string;
}

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 1 << 20;
const MAX_RETRY_AFTER_MS = 3_600_000;
const NOT_PUBLIC = 'ADDRESS_NOT_PUBLIC';

/** The codes of drivers by what they mean: up to the connection nothing was sent, so that nothing can be charged. */
const WORDS: Readonly<Record<string, ProviderFaultCode>> = {
  ECONNREFUSED: 'UNREACHABLE',
  EHOSTUNREACH: 'UNREACHABLE',
  ENETUNREACH: 'UNREACHABLE',
  EADDRNOTAVAIL: 'UNREACHABLE',
  ENOTFOUND: 'UNREACHABLE',
  EAI_AGAIN: 'UNREACHABLE',
  UND_ERR_CONNECT_TIMEOUT: 'UNREACHABLE',
  [NOT_PUBLIC]: 'UNREACHABLE',
  UND_ERR_INVALID_ARG: 'REQUEST_REFUSED',
};
const TLS_CODE =
  /^(ERR_TLS_|ERR_SSL_|EPROTO|CERT_|CRL_|ERROR_IN_C|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_|INVALID_|PATH_LENGTH_)/;

/** The one way out to vendors: no redirects, one deadline for all of it, an answer of at most 1 MB. */
export function createVendorHttp(options: VendorHttpOptions): VendorHttp {
  const { environment, timeoutMs = TIMEOUT_MS, ca } = options;
  const onlyPublic = environment === 'production';
  const agent = new Agent({
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: {
      timeout: timeoutMs / 2,
      // Said explicitly: otherwise an environment variable could switch it off.
      rejectUnauthorized: true,
      ...(onlyPublic && { lookup: publicLookup }),
      ...(ca !== undefined && { ca }),
    },
  });

  async function exchange(url: URL, { method, headers, body }: VendorRequest): Promise<VendorAnswer> {
    const signal = AbortSignal.timeout(timeoutMs);
    const answer = await request(url, {
      dispatcher: agent,
      method,
      headers: { Accept: 'application/json', 'User-Agent': 'Waybill', ...headers },
      body: body ?? null,
      signal,
    }).catch((error: unknown) => {
      throw faultOf(error, signal);
    });
    const isSuccess = answer.statusCode >= 200 && answer.statusCode < 300;
    return {
      status: answer.statusCode,
      text: await readText(answer.body, signal, { status: answer.statusCode, isPaid: isSuccess }),
      retryAfterMs: retryAfterMs(answer.headers['retry-after'], Date.now()),
    };
  }

  return {
    send: async (baseUrl, wanted) => {
      const url = new URL(baseUrl.replace(/\/+$/, '') + wanted.path);
      if (onlyPublic && isIP(url.hostname) !== 0 && !isPublicAddress(url.hostname)) {
        throw new ProviderFault('UNREACHABLE');
      }
      return await exchange(url, wanted);
    },
  };
}

/** Exactly the addresses that were judged are dialled. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) callback(error, []);
    else if (addresses.every(({ address }) => isPublicAddress(address))) callback(null, addresses);
    else callback(Object.assign(new Error(NOT_PUBLIC), { code: NOT_PUBLIC }), []);
  });
};

async function readText(
  body: AsyncIterable<Buffer>,
  signal: AbortSignal,
  facts: { status: number; isPaid: boolean },
): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      // Leaving the loop closes the connection.
      if (bytes > MAX_ANSWER_BYTES) throw new ProviderFault('ANSWER_TOO_LARGE', facts);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof ProviderFault) throw error;
    throw new ProviderFault(signal.aborted ? 'TIMED_OUT' : 'BAD_ANSWER', facts);
  }
  return Buffer.concat(chunks).toString();
}

function faultOf(error: unknown, signal: AbortSignal): ProviderFault {
  if (signal.aborted) return new ProviderFault('TIMED_OUT');
  const code = codeOf(error);
  return new ProviderFault(WORDS[code] ?? (TLS_CODE.test(code) ? 'TLS_ERROR' : 'CONNECTION_LOST'));
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

// Seconds or a date (RFC 9110, 10.2.3).
function retryAfterMs(header: string | string[] | undefined, nowMs: number): number | null {
  const [text] = [header].flat();
  if (text === undefined) return null;
  const waitMs = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - nowMs;
  return Number.isNaN(waitMs) ? null : Math.min(Math.max(waitMs, 0), MAX_RETRY_AFTER_MS);
}
