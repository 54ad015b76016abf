import type pg from 'pg';
import { fairTurns, type InTurn } from '../db/fair-turns.ts';
import { DomainError } from '../domain/errors.ts';

/** A write may wait for a lock with its connection in hand: the others are for what reads, and for what is short. */
const SHARE_OF_POOL = 0.75;
const MAX_WAITING = 2_000;
/** Most callers give up a little later. */
const MAX_WAIT_MS = 10_000;

/**
 * Lets the writes of each tenant have their connections in turn, and never all there are: whoever sends many that wait for
 * one lock keeps neither readings from a connection nor, for longer than one of its writes takes, the writes of others.
 */
export function writeTurns({ options }: Pick<pg.Pool, 'options'>): InTurn {
  const atOnce = Math.max(1, Math.floor((options.max ?? 1) * SHARE_OF_POOL));
  return fairTurns({ atOnce, places: { maxWaiting: MAX_WAITING, maxWaitMs: MAX_WAIT_MS, refusal: noTurn } });
}

function noTurn(): DomainError {
  return new DomainError(
    'temporarily_unavailable',
    'Too many writes wait at this moment. Nothing was done: try again.',
    {
      retryAfterSeconds: 2,
    },
  );
}
