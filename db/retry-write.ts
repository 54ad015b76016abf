import { setTimeout as delay } from 'node:timers/promises';

/** A restart of PostgreSQL takes a few seconds. */
const TRY_FOR_MS = 5_000;
const PAUSE_MS = 250;

/**
 * Tries a write again until five seconds are over, a quarter of a second apart. For what follows from a request that was
 * sent already: if it cannot be written, the request is sent, or paid for, a second time. Throws the error of the last try.
 */
export async function retryWrite<T>(write: () => Promise<T>): Promise<T> {
  const until = performance.now() + TRY_FOR_MS;
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (performance.now() >= until) throw error;
      await delay(PAUSE_MS);
    }
  }
}
