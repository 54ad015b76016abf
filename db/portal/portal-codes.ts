import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { CODE_MINUTES, MAX_CODE_TRIES, SESSION_MINUTES } from '../../domain/portal/link.ts';
import { invalidField } from '../../domain/errors.ts';
import type { Database } from '../database.ts';
import type { Queryable } from '../postgres.ts';

const CODES = 1_000_000;

/** Makes the code of a link, in the place of the one before: six digits, of which a keyed hash is stored. */
export async function makeCode(
  { vault }: Pick<Database, 'vault'>,
  tx: Queryable,
  linkId: string,
  now: Date,
): Promise<string> {
  const code = String(randomInt(CODES)).padStart(6, '0');
  await tx.query(
    `update portal_links set code_hash = $2, code_expires_at = $3::timestamptz + make_interval(mins => $4) where id = $1`,
    [linkId, codeHash({ vault }, linkId, code), now, CODE_MINUTES],
  );
  return code;
}

export interface TriedCode {
  isRight: boolean;
  /** How many more codes may be tried with the link. */
  triesLeft: number;
}

/**
 * Counts a try before it is compared, so that many at once have no more tries than one after the other; that of a right code is
 * taken back. A right code is used up by `startSession`, together with what it opens. Compares in constant time.
 */
export async function tryCode(
  { pool, vault }: Database,
  { linkId, code }: { linkId: string; code: string },
  now: Date,
): Promise<TriedCode> {
  const { rows } = await pool.query<{ tries: number; code_hash: Buffer | null }>(
    `update portal_links set tries = tries + 1 where id = $1 and tries < $2
     returning tries, case when code_expires_at > $3 then code_hash end as code_hash`,
    [linkId, MAX_CODE_TRIES, now],
  );
  const counted = rows[0];
  if (!counted) return { isRight: false, triesLeft: 0 };
  const given = codeHash({ vault }, linkId, code);
  const stored = counted.code_hash ?? randomBytes(given.length);
  const isEqual = stored.length === given.length && timingSafeEqual(stored, given);
  const isRight = isEqual && counted.code_hash !== null && (await takeBackTry(pool, linkId, stored));
  return { isRight, triesLeft: MAX_CODE_TRIES - counted.tries };
}

/** A right code is no wrong try; those before it stay counted. False if the code was used up meanwhile. */
async function takeBackTry(db: Queryable, linkId: string, stored: Buffer): Promise<boolean> {
  const { rowCount } = await db.query(
    'update portal_links set tries = tries - 1 where id = $1 and code_hash = $2',
    [linkId, stored],
  );
  return rowCount === 1;
}

/** Keyed, since there are few codes: without the key a copy of the database tells none. */
function codeHash({ vault }: Pick<Database, 'vault'>, linkId: string, code: string): Buffer {
  return vault.deploymentHash('portal-code', `${linkId} ${code}`);
}

/**
 * Uses up a right code and opens the record of its link for an hour, in the place of a session before. Returns the session's token
 * of 256 bits. Of two requests with the same code only one counts: throws validation_failed for the other.
 */
export async function startSession(
  { vault }: Pick<Database, 'vault'>,
  tx: Queryable,
  { linkId, code }: { linkId: string; code: string },
  now: Date,
): Promise<{ session: string; expiresAt: Date }> {
  const session = randomBytes(32).toString('base64url');
  const expiresAt = new Date(now.getTime() + SESSION_MINUTES * 60_000);
  const { rowCount } = await tx.query(
    `update portal_links set session_hash = $2, session_expires_at = $3, opened_at = coalesce(opened_at, $4), last_opened_at = $4,
       code_hash = null, code_expires_at = null
     where id = $1 and code_hash = $5`,
    [linkId, sessionHash(session), expiresAt, now, codeHash({ vault }, linkId, code)],
  );
  if (rowCount !== 1) throw invalidField('/code', 'wrong_code', 'this code is over: it counts once');
  return { session, expiresAt };
}

/** Whether the session is the one that opens the link now. */
export async function isSessionOf(
  db: Queryable,
  { linkId, session }: { linkId: string; session: string },
  now: Date,
): Promise<boolean> {
  const { rows } = await db.query<{ session_hash: Buffer }>(
    'select session_hash from portal_links where id = $1 and session_expires_at > $2 and ended_at is null',
    [linkId, now],
  );
  const stored = rows[0]?.session_hash;
  return stored !== undefined && timingSafeEqual(stored, sessionHash(session));
}

function sessionHash(session: string): Buffer {
  return createHash('sha256').update(session).digest();
}
