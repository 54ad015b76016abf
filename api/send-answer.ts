import type { ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import type { ShownRecord } from '../db/idempotency/shown-record.ts';

/**
 * The answer of an endpoint. `body` is undefined, bytes or a stream that are sent unchanged, or a value that is sent as
 * JSON. Bytes need a Content-Type header, a stream needs Content-Length too.
 */
export interface EndpointAnswer {
  status: number;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  /** The record that the answer shows, for its kept copy. It is not sent. */
  shows?: ShownRecord;
  /** The tenant that a request of an operator was about, for its audit log, unless the path names it. It is not sent. */
  tenantId?: string;
}

/** Sends an answer in one write, without the ETag hash that Express would compute. */
export function sendAnswer(response: ServerResponse, { status, body, headers = {} }: EndpointAnswer): void {
  response.statusCode = status;
  if (body instanceof Readable) return sendStream(response, headers, body);
  const content = toContent(body);
  if (typeof content === 'string') response.setHeader('Content-Type', 'application/json');
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (status !== 204) response.setHeader('Content-Length', content ? Buffer.byteLength(content) : 0);
  response.end(content);
}

/** If the stream fails, the connection is cut; the caller notices because Content-Length bytes have not arrived. */
function sendStream(
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
  body: Readable,
): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  pipeline(body, response, () => undefined);
}

/** Keeps JSON as a string, because Node then sends headers and body in one packet. */
function toContent(body: unknown): Buffer | string | undefined {
  if (body === undefined || body === null) return undefined;
  return Buffer.isBuffer(body) ? body : JSON.stringify(body);
}
