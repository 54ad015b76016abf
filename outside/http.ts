import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { Agent, Pool, type Dispatcher } from 'undici';
import { checkedLookup, isInReach, type LookupOptions } from './checked-lookup.ts';
import { startDeadline } from './deadline.ts';
import { HttpFault, httpFaultOf } from './http-fault.ts';
import { limitedBody, readStart, readWhole } from './limited-body.ts';

export interface HttpClientOptions extends LookupOptions {
  /** The limits of every request that has none of its own. */
  limits: HttpLimits;
  /** Milliseconds; the deadline of the request counts as well. */
  connectTimeoutMs?: number;
  /** Without it as many connections as there are requests at one time. */
  connectionsPerOrigin?: number;
  /** Certificates (PEM) to trust instead of those of the system. */
  ca?: string | readonly string[];
  /** The certificate (PEM, with its chain) that servers are shown which ask for one. */
  clientCertificate?: { cert: string; key: string };
}

interface HttpLimits {
  /** Milliseconds for all of the exchange: waiting for a connection, name look-up, connecting, headers and body. */
  deadlineMs: number;
  /** Milliseconds until the headers, and between two pieces of the body; without it only the deadline counts. */
  silenceMs?: number;
  maxBodyBytes: number;
}

interface HttpRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers?: Record<string, string>;
  body?: string | Buffer | Readable;
  /** Takes a body that is packed with gzip, and unpacks it. */
  acceptsGzip?: boolean;
  /** Ends the request with HttpFault ABORTED. */
  signal?: AbortSignal | undefined;
  limits?: Partial<HttpLimits>;
}

export interface HttpResponse<Body> {
  status: number;
  headers: IncomingHttpHeaders;
  body: Body;
}

export interface HttpClient {
  /** The response with its whole body, whatever its status. Throws HttpFault. */
  send(url: URL, request?: HttpRequest): Promise<HttpResponse<Buffer>>;
  /** The response as soon as it begins; its body has to be read, discarded or destroyed. Throws HttpFault, as its body does. */
  open(url: URL, request?: HttpRequest): Promise<HttpResponse<Readable>>;
  /** Ends every connection; requests that are under way fail with SHUTTING_DOWN. */
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 10_000;
const USER_AGENT = 'Waybill';
const DISCARDED_BYTES = 65_536;

/**
 * The one HTTP client of the product. A request ends with its deadline, reads no more than it allows, checks certificates
 * whatever the environment says, dials only addresses within `reach`, and never follows a redirect.
 */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const agent = new Agent({ factory: (origin) => poolFor(new URL(origin), options) });

  async function open(url: URL, request: HttpRequest = {}): Promise<HttpResponse<Readable>> {
    if (!isInReach(url, options.reach)) throw new HttpFault('ADDRESS_NOT_ALLOWED');
    const limits = { ...options.limits, ...request.limits };
    const deadline = startDeadline(limits.deadlineMs, request.signal);
    try {
      const sent = agent.request({ ...dispatchOf(url, request, limits), signal: deadline.signal });
      // A request that waits for a connection is not told of the abort before its turn: the wait has to end here.
      const response = responseOf(await Promise.race([sent, deadline.passed]), request, limits);
      response.body.once('close', deadline.end);
      return response;
    } catch (error) {
      deadline.end();
      throw httpFaultOf(error);
    }
  }

  return {
    open,
    send: async (url, request) => {
      const response = await open(url, request);
      return { ...response, body: await readWhole(response.body) };
    },
    close: async () => await agent.destroy(),
  };
}

/** Ends a body that nobody needs. A short one is read to its end, so that its connection can be used again. */
export async function discard({ body }: HttpResponse<Readable>): Promise<void> {
  await readStart(body, DISCARDED_BYTES);
}

function poolFor(origin: URL, options: HttpClientOptions): Pool {
  return new Pool(origin, {
    connections: options.connectionsPerOrigin ?? null,
    keepAliveMaxTimeout: 30_000,
    // A busy connection is renewed now and then, so that a host that moved is found again.
    maxRequestsPerClient: 1_000,
    connect: {
      lookup: checkedLookup(origin, options),
      timeout: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
      // Makes the look-up ask for all addresses and the dial try each of them.
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: 1_000,
      // Said explicitly: otherwise an environment variable could switch it off.
      rejectUnauthorized: true,
      ...(options.ca === undefined ? {} : { ca: [options.ca].flat() }),
      ...options.clientCertificate,
    },
  });
}

function dispatchOf(url: URL, request: HttpRequest, { silenceMs = 0 }: HttpLimits) {
  const { method = 'GET', headers, body = null, acceptsGzip = false } = request;
  return {
    origin: url.origin,
    path: url.pathname + url.search,
    method,
    headers: {
      'User-Agent': USER_AGENT,
      ...(acceptsGzip && { 'Accept-Encoding': 'gzip, identity' }),
      ...headers,
    },
    body,
    headersTimeout: silenceMs,
    bodyTimeout: silenceMs,
  } satisfies Dispatcher.RequestOptions;
}

function responseOf(
  { statusCode: status, headers, body: raw }: Dispatcher.ResponseData,
  { acceptsGzip = false }: HttpRequest,
  { maxBodyBytes }: HttpLimits,
): HttpResponse<Readable> {
  const encoding = acceptsGzip ? String(headers['content-encoding'] ?? 'identity').toLowerCase() : 'identity';
  const body = limitedBody(raw, { status, maxBytes: maxBodyBytes, isGzip: encoding === 'gzip' });
  if (encoding !== 'gzip' && encoding !== 'identity') body.destroy(new HttpFault('UNKNOWN_ENCODING', status));
  return { status, headers, body };
}
