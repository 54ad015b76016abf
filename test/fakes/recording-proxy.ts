import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Passes JSON-RPC calls on to a node and writes their methods down. */
export async function recordingProxy(target: string) {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      calls.push((JSON.parse(body) as { method: string }).method);
      const headers = { 'Content-Type': 'application/json' };
      fetch(target, { method: 'POST', headers, body }).then(
        async (answer) => response.writeHead(answer.status, headers).end(await answer.text()),
        () => response.destroy(),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    stop: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
