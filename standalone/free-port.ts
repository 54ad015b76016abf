import { createServer } from 'node:net';

/** A port that is free on that address now: the first free one of those preferred, else any. */
export async function freePort(preferred: readonly number[], host = '127.0.0.1'): Promise<number> {
  for (const port of preferred) {
    if ((await tryPort(port, host)) !== undefined) return port;
  }
  const port = await tryPort(0, host);
  if (port === undefined) throw new Error(`No port can be opened on ${host}`);
  return port;
}

function tryPort(port: number, host: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(port, host, () => {
      const address = server.address();
      const bound = typeof address === 'object' && address !== null ? address.port : undefined;
      server.close(() => resolve(bound));
    });
  });
}
