import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';

/** Metrics of the Temporal SDK. The SDK serves them only on its own address, here on loopback; `read` fetches them. */
export interface SdkMetrics {
  address: string;
  read: () => Promise<string>;
}

const DEADLINE_MS = 2_000;

/** Reserves an address for the metrics of the Temporal SDK (slots, pollers, latencies). Install the runtime with `address` before reading. */
export async function sdkMetrics(): Promise<SdkMetrics> {
  const address = `127.0.0.1:${await freePort()}`;
  return {
    address,
    read: async () => {
      const answer = await fetch(`http://${address}/metrics`, { signal: AbortSignal.timeout(DEADLINE_MS) });
      return await answer.text();
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
