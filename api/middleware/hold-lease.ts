import type { Database } from '../../db/database.ts';
import { LEASE_SECONDS, renewLease, type IdempotencyLease } from '../../db/idempotency/idempotency-lease.ts';

/** A lease outlives two renewals that fail. */
export const RENEWAL_MS = (LEASE_SECONDS * 1_000) / 3;

/** A lease that is prolonged while its request runs. */
export interface HeldLease {
  /** Runs `work` with the lease as it is then; the next renewal waits for it. */
  use: <T>(work: (lease: IdempotencyLease) => Promise<T>) => Promise<T>;
  /** Stops the renewals; the lease as it is then. Must always be called. */
  end: () => Promise<IdempotencyLease>;
}

/** Prolongs the lease of an Idempotency-Key again and again: an upload may run for minutes, and must not run twice. */
export function holdLease(db: Database, lease: IdempotencyLease, renewalMs: number): HeldLease {
  let held = lease;
  let turn = Promise.resolve();
  const renew = async () => {
    held = (await renewLease(db, held)) ?? held;
  };
  const timer = setInterval(() => {
    // What fails is tried again at the next turn.
    turn = turn.then(renew).catch(() => undefined);
  }, renewalMs);
  return {
    async use(work) {
      const using = turn.then(async () => await work(held));
      turn = using.then(
        () => undefined,
        () => undefined,
      );
      return await using;
    },
    async end() {
      clearInterval(timer);
      await turn;
      return held;
    },
  };
}
