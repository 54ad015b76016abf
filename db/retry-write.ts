import { setTimeout as delay } from 'node:timers/promises';

const TRIES = 3;
const PAUSE_MS = 500;

/**
 * Tries a write up to three times, half a second apart. For what follows from a request that was sent already: if it cannot
 * be written, the request is sent, or paid for, a second time. Throws the error of the last try.
 */
export async function retryWrite<T>(write: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await write();
    } catch (error) {
      if (tries === TRIES) throw error;
      await delay(PAUSE_MS);
    }
  }
}
