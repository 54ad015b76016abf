import { randomUUID } from 'node:crypto';
import { createServer, IncomingMessage, ServerResponse, type Server } from 'node:http';
import { createServer as createTlsServer, Server as TlsServer } from 'node:https';
import { rootCertificates } from 'node:tls';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Express, Request, Response } from 'express';
import { DomainError } from '../domain/errors.ts';
import { problemAnswer } from './errors.ts';

/** Limits on time, in milliseconds, and on the number of connections. */
const LIMITS = {
  headersTimeout: 20_000,
  /** Enough for three videos of 50 MB from a phone. */
  requestTimeout: 300_000,
  keepAliveTimeout: 65_000,
  /** Closes a connection on which nothing moves during a request, such as that of a caller that stops reading. */
  silenceTimeout: 180_000,
  connectionsCheckingInterval: 5_000,
  maxConnections: 4_096,
};

const SWEEP_MS = 25;

export interface ServerOptions {
  app: Express;
  host: string;
  /** 0 takes any free port. */
  port: number;
  limits?: Partial<typeof LIMITS>;
  /** Speaks TLS, and asks callers for a certificate. */
  tls?: ServerTls;
}

interface ServerTls {
  /** The certificate with its chain, and its key (PEM). */
  cert: string;
  key: string;
  /** Authorities (PEM) that are trusted for certificates of callers, beside those of the system. */
  ca?: string | undefined;
}

export interface RunningServer {
  url: string;
  /** Stops accepting connections, answers 503 on readiness and lets running requests end, at most `limitMs` long. */
  stop(limitMs: number): Promise<void>;
}

/** Serves the application. Rejects if it cannot listen on the address, for example with `EADDRINUSE`. */
export async function startServer({ app, host, port, limits, tls }: ServerOptions): Promise<RunningServer> {
  const { silenceTimeout, maxConnections, ...timeouts } = { ...LIMITS, ...limits };
  const options = { ...timeouts, ...prototypesOf(app) };
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    request.url = originForm(request.url);
    // Called only if the error handler itself fails: Express would answer with the stack trace.
    app(request as Request, response as Response, () => response.destroy());
  };
  const server = tls
    ? createTlsServer({ ...options, ...tlsOptions(tls) }, answer)
    : createServer(options, answer);
  server.maxConnections = maxConnections;
  server.timeout = silenceTimeout;
  const traffic = watchTraffic(server, tls ? 'secureConnection' : 'connection');
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuseMalformed(error, socket, traffic));
  await listen(server, host, port);
  return { url: urlOf(server), stop: (limitMs) => stop(app, server, traffic, limitMs) };
}

/** A caller without a certificate, or with one that is not trusted, is served: endpoints decide what it may do. */
function tlsOptions({ cert, key, ca }: ServerTls) {
  const trusted = ca === undefined ? {} : { ca: [...rootCertificates, ca] };
  return {
    cert,
    key,
    ...trusted,
    requestCert: true,
    rejectUnauthorized: false,
    minVersion: 'TLSv1.2',
  } as const;
}

/**
 * Returns request and response classes that already have Express's prototypes. Express would set them on every object, and
 * V8 then drops its optimisations for that object, which costs half of the time of a small request.
 */
function prototypesOf(app: Express) {
  class ApiIncomingMessage extends IncomingMessage {}
  class ApiServerResponse extends ServerResponse {}
  Object.setPrototypeOf(ApiIncomingMessage.prototype, app.request);
  Object.setPrototypeOf(ApiServerResponse.prototype, app.response);
  app.request = ApiIncomingMessage.prototype as Request;
  app.response = ApiServerResponse.prototype as Response;
  return { IncomingMessage: ApiIncomingMessage, ServerResponse: ApiServerResponse };
}

/** Removes scheme and host, which a proxy may send in the target (RFC 9112, 3.2.2): Express fails on some hosts. */
function originForm(target = '/'): string {
  return target.replace(/^\w+:\/\/[^/?]*\/?/, '/');
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `${server instanceof TlsServer ? 'https' : 'http'}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** The open connections and the responses that have not ended. */
interface ServerTraffic {
  connections: Set<Socket>;
  running: Set<ServerResponse>;
}

function watchTraffic(server: Server, connected: 'connection' | 'secureConnection'): ServerTraffic {
  const traffic: ServerTraffic = { connections: new Set(), running: new Set() };
  server.on(connected, (socket: Socket) => keepUntilClosed(traffic.connections, socket));
  server.on('request', (_request, response) => keepUntilClosed(traffic.running, response));
  return traffic;
}

function keepUntilClosed<T extends Socket | ServerResponse>(open: Set<T>, item: T): void {
  open.add(item);
  item.once('close', () => open.delete(item));
}

/**
 * Refuses bytes that are not HTTP or that stopped coming, and closes the connection. An earlier request on it that was
 * complete still gets its answer first.
 */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex, { running }: ServerTraffic): void {
  const answering = [...running].findLast(({ req }) => req.socket === socket && req.complete);
  if (answering) answering.shouldKeepAlive = false;
  else if (socket.writable && error.code !== 'ECONNRESET') {
    socket.end(refusalOf(error.code), () => socket.destroy());
  } else socket.destroy();
}

const OTHER_REFUSALS: Record<string, string> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};

/** Writes the whole HTTP response as text, because there is no response object for a request that could not be parsed. */
function refusalOf(code = ''): string {
  const other = OTHER_REFUSALS[code];
  if (other) return httpText(other, {}, '');
  const refusal = new DomainError('validation_failed', 'The request is not valid HTTP.', {
    errors: [{ pointer: '', code: 'malformed_http', message: 'The request is not valid HTTP.' }],
  });
  const { headers = {}, body } = problemAnswer(refusal, randomUUID());
  return httpText('400 Bad Request', headers, String(body));
}

function httpText(status: string, headers: Readonly<Record<string, string>>, body: string): string {
  const all = { ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`;
}

async function stop(app: Express, server: Server, traffic: ServerTraffic, limitMs: number): Promise<void> {
  app.locals['stopping'] = true;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const response of traffic.running) {
    if (!response.headersSent) response.setHeader('Connection', 'close');
  }
  const sweep = setInterval(() => dropIdle(traffic), SWEEP_MS);
  await Promise.race([closed, delay(limitMs, undefined, { ref: false })]);
  clearInterval(sweep);
  for (const socket of traffic.connections) socket.destroy();
  await closed;
}

/** Closes every connection without a running request: idle ones, those with half a request, and those just answered. */
function dropIdle({ connections, running }: ServerTraffic): void {
  const busy = new Set([...running].map(({ req }) => req.socket));
  for (const socket of connections) {
    if (!busy.has(socket)) socket.destroySoon();
  }
}
