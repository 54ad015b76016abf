import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const WAIT_LIMIT_MS = 60_000;

/** Receives the webhooks of all tenants and answers each at once. */
export interface Inbox {
  urlOf: (tenant: string) => string;
  /** Different webhooks that the tenant was sent and that were answered. */
  countOf: (tenant: string) => number;
  /** When each webhook arrived first, by its id: milliseconds since 1970. */
  arrivals: ReadonlyMap<string, number>;
  /** Resolves when `holds`; looked at with every webhook. Throws after a minute. */
  until: (holds: () => boolean) => Promise<void>;
  close: () => void;
}

export async function openInbox(): Promise<Inbox> {
  const arrivals = new Map<string, number>();
  const counts = new Map<string, number>();
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const atMs = performance.timeOrigin + performance.now();
    const id = String(request.headers['x-event-id']);
    request.resume().once('end', () => {
      response.writeHead(204).end();
      if (arrivals.has(id)) return;
      arrivals.set(id, atMs);
      const tenant = request.url?.slice(1) ?? '';
      counts.set(tenant, (counts.get(tenant) ?? 0) + 1);
      for (const look of waiting) look();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    urlOf: (tenant) => `http://127.0.0.1:${port}/${tenant}`,
    countOf: (tenant) => counts.get(tenant) ?? 0,
    arrivals,
    until: async (holds) => await lookUntil(holds, waiting),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function lookUntil(holds: () => boolean, waiting: Set<() => void>): Promise<void> {
  if (holds()) return;
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      waiting.delete(look);
      reject(new Error(`webhooks did not arrive within ${WAIT_LIMIT_MS / 1_000} s`));
    }, WAIT_LIMIT_MS);
    const look = () => {
      if (!holds()) return;
      clearTimeout(timer);
      waiting.delete(look);
      resolve();
    };
    waiting.add(look);
  });
}
