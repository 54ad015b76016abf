import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sampleBody } from './sample-body.ts';
import type { WholeProduct } from './whole-product.ts';

/** Other tenants that receive messages at endpoints of their own. */
export interface NeighbourTenants {
  /** From now on their endpoints take requests and never answer. */
  hang: () => void;
  /** Sends the next of them a message. */
  send: () => Promise<unknown>;
  close: () => void;
}

/** Creates tenants, each of them with an endpoint that answers 204 at once. */
export async function openNeighbourTenants(product: WholeProduct, count: number): Promise<NeighbourTenants> {
  let hangs = false;
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      if (!hangs) response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const names = Array.from({ length: count }, (_, n) => `Neighbour ${n}`);
  for (const [n, name] of names.entries()) await product.createTenant(name, `http://127.0.0.1:${port}/${n}`);
  let sent = 0;
  return {
    hang: () => (hangs = true),
    async send() {
      sent += 1;
      await product.sender.api.post('/transactions', sampleBody(sent, names[sent % count]));
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
