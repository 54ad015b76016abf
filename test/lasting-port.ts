import { randomInt } from 'node:crypto';
import { freePort } from '../standalone/free-port.ts';

/** A server that was told one may not listen yet when the next one is asked for. */
const given = new Set<number>();

/**
 * For a server that a test starts by its port, or stops and starts again: free, and below the ports that the system gives to
 * outgoing connections and to servers that name none. One of these could hold it when the server is to start. No two are the same.
 */
export async function lastingPort(): Promise<number> {
  const preferred = Array.from({ length: 20 }, () => randomInt(20_000, 30_000));
  const port = await freePort(preferred.filter((each) => !given.has(each)));
  given.add(port);
  return port;
}
