import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const WAIT_LIMIT_MS = 60_000;

/** A webhook receiver for all tenants, which answers 204 at once. */
export interface Inbox {
  urlOf: (tenant: string) => string;
  /** The number of distinct webhooks that the tenant has received. */
  countOf: (tenant: string) => number;
  /** The number of webhooks that came again. */
  repeats: () => number;
  /** Time of the first arrival of each webhook, by its id, in milliseconds since 1970. */
  arrivals: ReadonlyMap<string, number>;
  /** Resolves when `holds` is true, which is tested with every webhook. Rejects after `limitMs`, by default a minute. */
  until: (holds: () => boolean, limitMs?: number) => Promise<void>;
  close: () => void;
}

export async function openInbox(): Promise<Inbox> {
  const arrivals = new Map<string, number>();
  const counts = new Map<string, number>();
  const waiting = new Set<() => void>();
  let repeats = 0;
  const server = createServer((request, response) => {
    const atMs = performance.timeOrigin + performance.now();
    const id = String(request.headers['x-event-id']);
    request.resume().once('end', () => {
      response.writeHead(204).end();
      if (arrivals.has(id)) return void (repeats += 1);
      arrivals.set(id, atMs);
      const tenant = request.url?.slice(1) ?? '';
      counts.set(tenant, (counts.get(tenant) ?? 0) + 1);
      for (const test of waiting) test();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    urlOf: (tenant) => `http://127.0.0.1:${port}/${tenant}`,
    countOf: (tenant) => counts.get(tenant) ?? 0,
    repeats: () => repeats,
    arrivals,
    until: async (holds, limitMs = WAIT_LIMIT_MS) => await waitUntil(holds, waiting, limitMs),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function waitUntil(holds: () => boolean, waiting: Set<() => void>, limitMs: number): Promise<void> {
  if (holds()) return;
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      waiting.delete(test);
      reject(new Error(`webhooks did not arrive within ${limitMs / 1_000} s`));
    }, limitMs);
    const test = () => {
      if (!holds()) return;
      clearTimeout(timer);
      waiting.delete(test);
      resolve();
    };
    waiting.add(test);
  });
}
