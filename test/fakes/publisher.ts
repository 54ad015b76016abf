import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A publisher of lists over HTTP: gives what it was told to, with an ETag, and 304 to who has it already. */
export async function startPublisher() {
  const seen: { url: string; status: number; agent: string }[] = [];
  const contents = new Map<string, string | Buffer | RequestListener>();
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    response.on('close', () => {
      seen.push({ url: path, status: response.statusCode, agent: request.headers['user-agent'] ?? '' });
    });
    const content = contents.get(path);
    if (typeof content === 'function') content(request, response);
    else if (content === undefined) response.writeHead(404).end('gone');
    else give(content, request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    /** What was answered, in order. */
    seen,
    /** What is given under a path from now on. */
    publish: (path: string, content: string | Buffer | RequestListener) => void contents.set(path, content),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export type Publisher = Awaited<ReturnType<typeof startPublisher>>;

function give(content: string | Buffer, request: IncomingMessage, response: ServerResponse): void {
  const etag = `"${createHash('sha256').update(content).digest('hex')}"`;
  response.setHeader('ETag', etag);
  response.setHeader('Last-Modified', 'Fri, 20 Nov 2026 06:00:00 GMT');
  if (request.headers['if-none-match'] === etag) response.writeHead(304).end();
  else response.end(content);
}
