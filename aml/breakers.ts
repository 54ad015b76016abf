import { LRUCache } from 'lru-cache';
import { admit, afterOutcome, CLOSED, type Breaker } from '../domain/aml/breaker.ts';
import { isTrouble, ProviderFault } from '../domain/aml/fault.ts';

/** Stops requests to a failing provider; one breaker per tenant and provider, in each process. */
export interface Breakers {
  /** Runs the request, or throws ProviderFault RESTING without running it. */
  run<T>(key: string, ask: () => Promise<T>): Promise<T>;
}

const MOST_BREAKERS = 10_000;

export function createBreakers(now: () => number): Breakers {
  const breakers = new LRUCache<string, Breaker>({ max: MOST_BREAKERS });
  const breakerOf = (key: string) => breakers.get(key) ?? CLOSED;
  const note = (key: string, { failed }: { failed: boolean }) =>
    breakers.set(key, afterOutcome(breakerOf(key), { failed, atMs: now() }));

  return {
    async run(key, ask) {
      const admission = admit(breakerOf(key), now());
      if (!admission.ok) throw new ProviderFault('RESTING', { retryAfterMs: admission.retryAfterMs });
      breakers.set(key, admission.breaker);
      try {
        const answer = await ask();
        note(key, { failed: false });
        return answer;
      } catch (error) {
        // A refused key or request shows that the provider works; an error of our own says nothing about it.
        note(key, { failed: error instanceof ProviderFault && isTrouble(error) });
        throw error;
      }
    },
  };
}
