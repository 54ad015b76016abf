import type { ServerResponse } from 'node:http';

/** What an endpoint answers: no body, bytes as they are (with their Content-Type header), or a value sent as JSON. */
export interface Answer {
  status: number;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
}

/** Writes an answer in one go, without Express's hashing of bodies for ETags. */
export function sendAnswer(response: ServerResponse, { status, body, headers = {} }: Answer): void {
  response.statusCode = status;
  if (body !== undefined && !Buffer.isBuffer(body)) response.setHeader('Content-Type', 'application/json');
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  const bytes = toBytes(body);
  if (status !== 204) response.setHeader('Content-Length', bytes.length);
  response.end(bytes);
}

function toBytes(body: unknown): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  return Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
}
