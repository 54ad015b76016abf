import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** What a vendor was sent. */
export interface SeenRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  text: string;
  /** The fields of a form. */
  form: Record<string, string>;
}

/** One answer: a status with JSON or text, or whatever the test does with the socket. */
export type VendorReply =
  | { status?: number; json?: unknown; text?: string; headers?: Record<string, string>; afterMs?: number }
  | ((response: ServerResponse) => void);

/** A vendor behind a real socket; replies are taken from the script first, then `reply` answers. */
export async function fakeVendor(
  reply: (seen: SeenRequest) => VendorReply,
  tls?: { key: string; cert: string },
) {
  const seen: SeenRequest[] = [];
  const script: VendorReply[] = [];
  const listener: RequestListener = (request, response) => {
    void readText(request).then((text) => {
      const form = Object.fromEntries(new URLSearchParams(text));
      const { method = '', url: path = '', headers } = request;
      const entry = { method, path, headers, text, form };
      seen.push(entry);
      send(response, script.shift() ?? reply(entry));
    });
  };
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    seen,
    /** Replies for the next requests. */
    script,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

export type FakeVendor = Awaited<ReturnType<typeof fakeVendor>>;

function send(response: ServerResponse, reply: VendorReply): void {
  if (typeof reply === 'function') return reply(response);
  const { status = 200, json, text = JSON.stringify(json), headers = {}, afterMs = 0 } = reply;
  const answer = () =>
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(text);
  if (afterMs === 0) answer();
  else setTimeout(answer, afterMs);
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
