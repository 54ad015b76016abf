import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { createHttpClient } from '../outside/http.ts';

/** Metrics of the Temporal SDK. The SDK serves them only on its own address, here on loopback; `read` fetches them. */
export interface SdkMetrics {
  address: string;
  read: () => Promise<string>;
}

const LIMITS = { deadlineMs: 2_000, maxBodyBytes: 16 * 1024 * 1024 };

/** Reserves an address for the metrics of the Temporal SDK (slots, pollers, latencies). Install the runtime with `address` before reading. */
export async function sdkMetrics(): Promise<SdkMetrics> {
  const address = `127.0.0.1:${await freePort()}`;
  const http = createHttpClient({ reach: 'ANYWHERE', limits: LIMITS });
  return {
    address,
    read: async () => (await http.send(new URL(`http://${address}/metrics`))).body.toString('utf8'),
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
