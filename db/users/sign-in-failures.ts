import { DomainError } from '../../domain/errors.ts';
import type { Database } from '../database.ts';
import type { Queryable } from '../postgres.ts';

const FAILURES = 10;
const LOCKED_MINUTES = 15;

/** Who tries to sign in, and from where. */
export interface SignInAttempt {
  /** In lower case. */
  email: string;
  /** The address of the client. */
  address: string;
}

/** The keyed hash of account and address under which the failures are counted. */
export function attemptHash({ vault }: Pick<Database, 'vault'>, { email, address }: SignInAttempt): Buffer {
  return vault.deploymentHash('failed-sign-in', `${address}\n${email}`);
}

/**
 * Counts an attempt as failed before it is made, so that many at once have no more tries than one after the other; `forget`
 * takes it back after a success. Whether the account exists makes no difference. Throws rate_limited with the time to wait.
 */
export async function countAttempt(db: Queryable, hash: Buffer, now: Date): Promise<void> {
  const { rows } = await db.query<{ locked_until: Date | null; refused: boolean }>(
    `insert into failed_sign_ins as f (hash, count, since) values ($1, 1, $2::timestamptz)
     on conflict (hash) do update set
       count = case when f.since < $2::timestamptz - $3::interval or f.locked_until <= $2::timestamptz then 1 else f.count + 1 end,
       since = case when f.since < $2::timestamptz - $3::interval or f.locked_until <= $2::timestamptz then $2::timestamptz else f.since end,
       locked_until = case when f.locked_until > $2::timestamptz then f.locked_until
         when f.since >= $2::timestamptz - $3::interval and f.locked_until is null and f.count + 1 >= $4::int then $2::timestamptz + $3::interval end
     returning locked_until, count > $4::int as refused`,
    [hash, now, `${LOCKED_MINUTES} minutes`, FAILURES],
  );
  const attempt = rows[0];
  if (!attempt?.refused || !attempt.locked_until) return;
  throw new DomainError('rate_limited', 'Too many failed sign-ins. Wait, or ask an administrator.', {
    retryAfterSeconds: Math.max(1, Math.ceil((attempt.locked_until.getTime() - now.getTime()) / 1_000)),
  });
}

/** Takes the counted failures back after a sign-in. */
export async function forgetAttempts(db: Queryable, hash: Buffer): Promise<void> {
  await db.query('delete from failed_sign_ins where hash = $1', [hash]);
}
