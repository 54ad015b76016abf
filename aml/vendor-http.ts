import { ProviderFault, type ProviderFaultCode } from '../domain/aml/fault.ts';
import type { LookupOptions } from '../outside/checked-lookup.ts';
import { createHttpClient } from '../outside/http.ts';
import { HttpFault, type HttpFaultCode } from '../outside/http-fault.ts';
import { retryAfterMs } from '../outside/retry-after.ts';

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
  /** Sends one request. Throws ProviderFault without an answer; any HTTP status is an answer. */
  send(baseUrl: string, request: VendorRequest): Promise<VendorAnswer>;
}

export interface VendorHttpOptions extends Pick<LookupOptions, 'resolve'> {
  /** In production only public addresses are called: a vendor's name must not lead into a private network. */
  environment: 'sandbox' | 'production';
  /** Deadline of one request and its answer, in milliseconds. */
  timeoutMs?: number;
  /** Certificates (PEM) to trust instead of those of the system. */
  ca?: string;
}

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 1 << 20;
const MAX_RETRY_AFTER_MS = 3_600_000;

/** The fault of a request without a response. UNREACHABLE: nothing was sent, so nothing can be charged. */
const UNANSWERED: Readonly<Partial<Record<HttpFaultCode, ProviderFaultCode>>> = {
  CONNECT_REFUSED: 'UNREACHABLE',
  CONNECT_TIMEOUT: 'UNREACHABLE',
  HOST_UNREACHABLE: 'UNREACHABLE',
  DNS_FAILED: 'UNREACHABLE',
  ADDRESS_NOT_ALLOWED: 'UNREACHABLE',
  INVALID_REQUEST: 'REQUEST_REFUSED',
  TLS_ERROR: 'TLS_ERROR',
  TIMEOUT: 'TIMED_OUT',
};

/** The HTTP client for all vendors: one deadline for request and answer, an answer of at most 1 MB. */
export function createVendorHttp({
  environment,
  timeoutMs = TIMEOUT_MS,
  resolve,
  ca,
}: VendorHttpOptions): VendorHttp {
  const http = createHttpClient({
    reach: environment === 'production' ? { allowedHosts: [] } : 'ANYWHERE',
    limits: { deadlineMs: timeoutMs, maxBodyBytes: MAX_ANSWER_BYTES },
    connectTimeoutMs: timeoutMs / 2,
    ...(resolve && { resolve }),
    ...(ca !== undefined && { ca }),
  });
  return {
    async send(baseUrl, { method, path, headers, body }) {
      const url = new URL(baseUrl.replace(/\/+$/, '') + path);
      const request = {
        method,
        headers: { Accept: 'application/json', ...headers },
        ...(body !== undefined && { body }),
      };
      const response = await http.send(url, request).catch((error: unknown) => {
        throw error instanceof HttpFault ? providerFaultOf(error) : error;
      });
      return {
        status: response.status,
        text: response.body.toString(),
        retryAfterMs: retryAfterMs(response.headers['retry-after'], Date.now(), MAX_RETRY_AFTER_MS),
      };
    },
  };
}

function providerFaultOf({ code, status }: HttpFault): ProviderFault {
  if (status === null) return new ProviderFault(UNANSWERED[code] ?? 'CONNECTION_LOST');
  const facts = { status, isPaid: status >= 200 && status < 300 };
  if (code === 'TOO_LARGE') return new ProviderFault('ANSWER_TOO_LARGE', facts);
  return new ProviderFault(code === 'TIMEOUT' ? 'TIMED_OUT' : 'BAD_ANSWER', facts);
}
