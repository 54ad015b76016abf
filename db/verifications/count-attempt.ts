import { DomainError } from '../../domain/errors.ts';
import type { Queryable } from '../postgres.ts';

const PER_WINDOW = 10;
const WINDOW_SECONDS = 60;

interface AttemptRef {
  tenantId: string;
  id: string;
}

/** A counted proof: its number in the current window, starting at 1. */
export interface CountedAttempt {
  attempts: number;
  window_started_at: Date;
}

const IS_OVER = `a.window_started_at + interval '${WINDOW_SECONDS} seconds' <= excluded.window_started_at`;

/**
 * SQL: counts proofs that are about to be checked, across all processes. `rows` selects verification, tenant, time
 * and number; returns the counter after all of them.
 */
export function countAttemptsSql(rows: string): string {
  return `
    insert into proof_attempts as a (verification_id, tenant_id, window_started_at, attempts) ${rows}
    on conflict (verification_id) do update set
      attempts = case when ${IS_OVER} then 0 else a.attempts end + excluded.attempts,
      window_started_at = case when ${IS_OVER} then excluded.window_started_at else a.window_started_at end
    returning verification_id, attempts, window_started_at`;
}

const COUNT_ONE = countAttemptsSql('values ($1::uuid, $2::uuid, $3::timestamptz, 1)');

/**
 * Counts a proof that is about to be checked: ten per minute, starting with the first. Throws rate_limited with the
 * seconds until the minute ends.
 */
export async function countAttempt(db: Queryable, { tenantId, id }: AttemptRef, now: Date): Promise<void> {
  const { rows } = await db.query<{ attempts: number; window_started_at: Date }>(COUNT_ONE, [
    id,
    tenantId,
    now,
  ]);
  if (rows[0]) requireAllowed(rows[0], now);
}

/** Throws rate_limited with the seconds until the minute is over. */
export function requireAllowed({ attempts, window_started_at }: CountedAttempt, now: Date): void {
  if (attempts <= PER_WINDOW) return;
  const endsAt = window_started_at.getTime() + WINDOW_SECONDS * 1_000;
  throw new DomainError('rate_limited', 'A verification takes at most ten proofs in a minute.', {
    retryAfterSeconds: Math.max(1, Math.ceil((endsAt - now.getTime()) / 1_000)),
  });
}
