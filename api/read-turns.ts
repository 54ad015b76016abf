import type pg from 'pg';
import { turnsOfEach, type InTurn } from '../db/fair-turns.ts';
import { DomainError } from '../domain/errors.ts';

/** A list reads its page and its count at once, so that all readings of a tenant have three quarters of the connections at most. */
const SHARE_OF_POOL = 0.375;
const MAX_WAITING = 2_000;
const MAX_WAIT_MS = 10_000;

/**
 * Lets each tenant read as much at once as leaves connections to the others: connections are lent first come first served,
 * and behind the many readings of one tenant everything of others would wait, sign-ins included.
 */
export function readTurns({ options }: Pick<pg.Pool, 'options'>): InTurn {
  const atOnce = Math.max(1, Math.floor((options.max ?? 1) * SHARE_OF_POOL));
  return turnsOfEach({
    atOnce,
    places: { maxWaiting: MAX_WAITING, maxWaitMs: MAX_WAIT_MS, refusal: noTurn },
  });
}

function noTurn(): DomainError {
  return new DomainError(
    'temporarily_unavailable',
    'Too many requests of yours wait at this moment: try again.',
    {
      retryAfterSeconds: 2,
    },
  );
}
