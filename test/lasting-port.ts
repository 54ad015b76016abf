import { randomInt } from 'node:crypto';
import { freePort } from '../standalone/free-port.ts';

/**
 * For a server that a test stops and starts again: free, and below the ports that the system gives to outgoing connections. One
 * of these could hold it when the server is to start again.
 */
export async function lastingPort(): Promise<number> {
  return await freePort(Array.from({ length: 20 }, () => randomInt(20_000, 30_000)));
}
