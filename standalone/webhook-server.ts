import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';

/** A webhook as it arrived; nothing in it is proven yet. */
export interface ArrivedWebhook {
  path: string;
  header: (name: string) => string;
  raw: Buffer;
}

export interface WebhookServer {
  port: number;
  close(): void;
}

const MAX_BYTES = 1_000_000;

/** Listens on loopback and answers each POST with the status that `handle` gives. Rejects when the port is taken. */
export async function startWebhookServer(
  port: number,
  handle: (webhook: ArrivedWebhook) => number | Promise<number>,
): Promise<WebhookServer> {
  const server: Server = createServer((request, response) => {
    void statusFor(request, handle).then((status) => response.writeHead(status).end());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function statusFor(
  request: IncomingMessage,
  handle: (webhook: ArrivedWebhook) => number | Promise<number>,
): Promise<number> {
  if (request.method !== 'POST') return 405;
  try {
    const raw = await readBody(request);
    if (raw === undefined) return 413;
    const header = (name: string) => String(request.headers[name] ?? '');
    return await handle({ path: request.url ?? '/', header, raw });
  } catch {
    // The sender makes another attempt.
    return 500;
  }
}

/** Undefined when the body is too large. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Read to its end in any case, since the answer would be lost with the connection otherwise.
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= MAX_BYTES) chunks.push(chunk);
  }
  return bytes <= MAX_BYTES ? Buffer.concat(chunks) : undefined;
}
