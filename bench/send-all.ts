import autocannon from 'autocannon';
import type { BenchTenant } from './product.ts';

export interface SentAll {
  /** Per second. */
  rate: number;
  /** Milliseconds of each request but the first of a connection. */
  times: number[];
}

/**
 * Sends these requests, one list for each connection and within it one after the other. Anything but 2xx is a failure of
 * the bench.
 */
export async function sendAll(
  url: string,
  { apiKey }: BenchTenant,
  lists: readonly autocannon.Request[][],
): Promise<SentAll> {
  const amount = lists.reduce((sum, list) => sum + list.length, 0);
  const times: number[] = [];
  const begun = new Set<autocannon.Client>();
  let clients = 0;
  let startedMs = 0;
  let endedMs = 0;
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon(
      {
        url,
        connections: lists.length,
        amount,
        method: 'POST',
        headers: { 'X-Api-Key': apiKey, 'Content-Type': 'application/json' },
        setupClient: (client) => client.setRequests(lists[clients++] ?? []),
      },
      (error: unknown, done) => (error instanceof Error ? reject(error) : resolve(done)),
    );
    run.on('start', () => (startedMs = performance.now()));
    run.on('response', (client, _status, _bytes, ms) => {
      endedMs = performance.now();
      // The clock of a connection's first request starts before the others have theirs ready.
      if (begun.has(client)) times.push(ms);
      begun.add(client);
    });
  });
  const accepted = result['2xx'];
  if (accepted !== amount || result.errors > 0) {
    throw new Error(`${accepted} of ${amount} requests were accepted`);
  }
  return { rate: (accepted * 1_000) / (endedMs - startedMs), times };
}
