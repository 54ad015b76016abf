import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import type { Settings } from './settings.ts';

export interface MetricsServer {
  url: string;
  stop: () => Promise<void>;
}

/**
 * Serves `GET /metrics` on METRICS_PORT, which need not be open to callers; nothing without one. `others` is told after
 * the registry: text in the same format. Rejects when the port is taken.
 */
export async function startMetricsServer(
  { HOST, METRICS_PORT }: Pick<Settings, 'HOST' | 'METRICS_PORT'>,
  registry: Registry,
  others: () => Promise<string> = async () => await Promise.resolve(''),
): Promise<MetricsServer | undefined> {
  if (METRICS_PORT === undefined) return undefined;
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    Promise.all([registry.metrics(), others()]).then(
      (texts) => response.writeHead(200, { 'Content-Type': registry.contentType }).end(texts.join('\n')),
      () => response.writeHead(500).end(),
    );
  });
  server.listen(METRICS_PORT, HOST);
  await once(server, 'listening');
  const { address, family, port } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}/metrics`,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
