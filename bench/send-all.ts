import autocannon from 'autocannon';
import type { BenchTenant } from './product.ts';

export interface SentAll {
  /** Requests per second. */
  rate: number;
  /** Milliseconds of each request, without the first one of each connection. */
  times: number[];
}

/** Sends one list of POST requests per connection, each list in sequence. Throws unless every answer is 2xx. */
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
      // A connection's first request is not counted: its time starts before the other connections are ready.
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
