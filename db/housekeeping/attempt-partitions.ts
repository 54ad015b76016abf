import type { Queryable } from '../postgres.ts';

/** Makes the missing partitions of attempts for this month and the next three, as the owner of the table. Returns their number. */
export async function makeAttemptPartitions(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ made: number }>('select make_attempt_partitions() as made');
  return rows[0]?.made ?? 0;
}

/**
 * Drops the oldest month of attempts if all of them are past their time. Returns how many they were by PostgreSQL's estimate; null
 * when no month is.
 */
export async function dropPastAttempts(db: Queryable): Promise<number | null> {
  const { rows } = await db.query<{ attempts: number | null }>('select drop_past_attempts() as attempts');
  return rows[0]?.attempts ?? null;
}
