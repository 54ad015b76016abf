import { DomainError } from '../../domain/errors.ts';
import type { Database } from '../database.ts';
import type { Queryable } from '../postgres.ts';

/** How often something may be tried, counted in PostgreSQL for all processes. */
export interface TryLimit {
  /** Keeps the counts of different limits apart. */
  purpose: string;
  max: number;
  seconds: number;
  /** True if the last of these tries begins the time anew, so that all of it is waited for. */
  locks?: boolean;
  refusal: string;
}

/** A limit, and for whom it counts. */
export interface CountedTry {
  limit: TryLimit;
  hash: Buffer;
}

/** Stored by a keyed hash, so that nobody reads who tries. */
export function triesOf({ vault }: Pick<Database, 'vault'>, limit: TryLimit, whose: string): CountedTry {
  return { limit, hash: vault.deploymentHash(limit.purpose, whose) };
}

const IS_OVER = `t.since + $3 * interval '1 second' <= excluded.since`;
const IS_LAST = '$5::boolean and t.count + 1 = $4::int';

/**
 * Counts a try before it is made, so that many at once have no more tries than one after the other. Throws rate_limited with
 * the seconds to wait.
 */
export async function countTry(db: Queryable, { limit, hash }: CountedTry, now: Date): Promise<void> {
  const { rows } = await db.query<{ count: number; since: Date }>(
    `insert into counted_tries as t (hash, count, since) values ($1, 1, $2)
     on conflict (hash) do update set
       count = case when ${IS_OVER} then 1 else t.count + 1 end,
       since = case when ${IS_OVER} or (${IS_LAST}) then excluded.since else t.since end
     returning count, since`,
    [hash, now, limit.seconds, limit.max, limit.locks ?? false],
  );
  const counted = rows[0];
  if (counted && counted.count > limit.max) throw refusedTry(limit, counted.since, now);
}

/** Throws rate_limited if no try is left. Counts none: for tries that are counted when they have failed. */
export async function requireTriesLeft(db: Queryable, { limit, hash }: CountedTry, now: Date): Promise<void> {
  const { rows } = await db.query<{ since: Date }>(
    `select since from counted_tries where hash = $1 and count >= $4 and since + $3 * interval '1 second' > $2`,
    [hash, now, limit.seconds, limit.max],
  );
  if (rows[0]) throw refusedTry(limit, rows[0].since, now);
}

function refusedTry(limit: TryLimit, since: Date, now: Date): DomainError {
  const endsAt = since.getTime() + limit.seconds * 1_000;
  return new DomainError('rate_limited', limit.refusal, {
    retryAfterSeconds: Math.max(1, Math.ceil((endsAt - now.getTime()) / 1_000)),
  });
}

/** Takes all tries back. */
export async function forgetTries(db: Queryable, { hash }: CountedTry): Promise<void> {
  await db.query('delete from counted_tries where hash = $1', [hash]);
}
