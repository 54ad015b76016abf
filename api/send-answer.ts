import type { ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';

/**
 * What an endpoint answers: nothing, bytes as they are (with their Content-Type header; a stream with its Content-Length,
 * too), or a value sent as JSON.
 */
export interface EndpointAnswer {
  status: number;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
}

/** Writes an answer in one go, without Express's hashing of bodies for ETags. */
export function sendAnswer(response: ServerResponse, { status, body, headers = {} }: EndpointAnswer): void {
  response.statusCode = status;
  if (body instanceof Readable) return sendStream(response, headers, body);
  const content = toContent(body);
  if (typeof content === 'string') response.setHeader('Content-Type', 'application/json');
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (status !== 204) response.setHeader('Content-Length', content ? Buffer.byteLength(content) : 0);
  response.end(content);
}

/** One that breaks off cuts the connection: what was promised as the length tells the caller. */
function sendStream(
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
  body: Readable,
): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  pipeline(body, response, () => undefined);
}

/** JSON stays a string: Node sends it in one piece with the headers. */
function toContent(body: unknown): Buffer | string | undefined {
  if (body === undefined || body === null) return undefined;
  return Buffer.isBuffer(body) ? body : JSON.stringify(body);
}
