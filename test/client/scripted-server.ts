import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface SeenRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** What the server does with one request. */
export type Reaction = (response: ServerResponse) => void;

/** A server on loopback that reacts to its requests in the order of a script, and to all further ones as to the last. */
export async function startScriptedServer() {
  const seen: SeenRequest[] = [];
  let script: Reaction[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      const reaction = script[Math.min(seen.length, script.length - 1)];
      seen.push({ method, path, headers, body: Buffer.concat(chunks).toString() });
      reaction?.(response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    /** Forgets what was seen, and follows a new script. */
    follow(...reactions: Reaction[]) {
      seen.length = 0;
      script = reactions;
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

export const accepts =
  (body: unknown, status = 200): Reaction =>
  (response) =>
    void response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));

/** Takes the request and drops the connection. */
export const drops: Reaction = (response) => void response.socket?.destroy();

/** Takes the request and never answers. */
export const hangs: Reaction = () => undefined;

export const refuses =
  (status: number, code: string, headers: Record<string, string> = {}, members = {}): Reaction =>
  (response) => {
    const problem = { type: '', title: code, status, detail: 'No.', instance: '', code, requestId: 'r-1' };
    response
      .writeHead(status, { 'Content-Type': 'application/problem+json', ...headers })
      .end(JSON.stringify({ ...problem, errors: [], ...members }));
  };

/** As a proxy does of which the API is away. */
export const answersAsProxy =
  (status: number, headers: Record<string, string> = {}): Reaction =>
  (response) =>
    void response.writeHead(status, { 'Content-Type': 'text/html', ...headers }).end('<h1>Bad Gateway</h1>');
