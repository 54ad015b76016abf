import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Database } from '../database.ts';
import type { Queryable } from '../postgres.ts';
import { newId } from '../new-id.ts';

/** A refresh token ends after this time without use. */
export const REFRESH_HOURS = 24;

/** A refresh token: the session that it belongs to, and a secret that counts once: 128 random bits and their mark. */
const TOKEN = /^wbr_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})_([A-Za-z0-9_-]{43})$/;

const RANDOM_BYTES = 16;
const MARK_BYTES = 16;

type WithVault = Pick<Database, 'vault'>;

export function newRefreshToken(db: WithVault, sessionId: string): string {
  const random = randomBytes(RANDOM_BYTES);
  const [mark] = marksOf(db, sessionId, random);
  return `wbr_${sessionId}_${Buffer.concat([random, mark]).toString('base64url')}`;
}

/**
 * Whether this deployment made the token. Session ids stand in access tokens, so anybody who holds one could make a token up
 * that names the session.
 */
export function isOwnToken(db: WithVault, token: string): boolean {
  const [, sessionId = '', text = ''] = TOKEN.exec(token) ?? [];
  const secret = Buffer.from(text, 'base64url');
  if (secret.length !== RANDOM_BYTES + MARK_BYTES) return false;
  const given = secret.subarray(RANDOM_BYTES);
  return marksOf(db, sessionId, secret.subarray(0, RANDOM_BYTES)).some((mark) =>
    timingSafeEqual(mark, given),
  );
}

/** The keyed hashes of a session and a random value, by each version of the key, the current one first. */
function marksOf(
  { vault }: WithVault,
  sessionId: string,
  random: Buffer,
): [current: Buffer, ...earlier: Buffer[]] {
  const [current, ...earlier] = vault.versionedHashes(
    'refresh-token',
    `${sessionId} ${random.toString('hex')}`,
  );
  // Each hash follows the number of its version.
  const markOf = (hash: Buffer) => hash.subarray(4, 4 + MARK_BYTES);
  return [markOf(current), ...earlier.map(markOf)];
}

/** The session that a refresh token names; null if the text is none. */
export function sessionOfToken(token: string): string | null {
  return TOKEN.exec(token)?.[1] ?? null;
}

/** The secret has 128 random bits, so a plain hash keeps it. */
export function refreshHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

export interface StartedSession {
  id: string;
  refreshToken: string;
}

interface SignIn {
  userId: string;
  passwordHash: string | null;
  now: Date;
}

/** Locks and dates a user who signs in. False if the password is another one by now, or the user is disabled. */
export async function noteSignIn(tx: Queryable, { userId, passwordHash, now }: SignIn): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update users set last_sign_in_at = $3
     where id = $1 and password_hash is not distinct from $2 and disabled_at is null`,
    [userId, passwordHash, now],
  );
  return rowCount === 1;
}

/** Stores a new session of a user, inside the transaction that lets them in. */
export async function startSession(
  db: WithVault,
  tx: Queryable,
  { userId, tenantId, now }: { userId: string; tenantId: string; now: Date },
): Promise<StartedSession> {
  const id = newId(now);
  const refreshToken = newRefreshToken(db, id);
  await tx.query(
    `insert into user_sessions (id, tenant_id, user_id, refresh_hash, refreshed_at, created_at, expires_at)
     values ($1, $2, $3, $4, $5::timestamptz, $5::timestamptz, $5::timestamptz + make_interval(hours => $6))`,
    [id, tenantId, userId, refreshHash(refreshToken), now, REFRESH_HOURS],
  );
  return { id, refreshToken };
}

/** The user of a session, and when it ended. */
interface SessionUser {
  id: string;
  tenantId: string;
  endedAt: Date | null;
}

/** The user of a session, whether it has ended or not; null if there is none. */
export async function findSessionUser(db: Queryable, sessionId: string | null): Promise<SessionUser | null> {
  const { rows } = await db.query<{ user_id: string; tenant_id: string; ended_at: Date | null }>(
    'select user_id, tenant_id, ended_at from user_sessions where id = $1',
    [sessionId],
  );
  const [row] = rows;
  return row ? { id: row.user_id, tenantId: row.tenant_id, endedAt: row.ended_at } : null;
}

/** Ends a session with all its tokens. One that has ended, or that never was, is left as it is. */
export async function endSession(tx: Queryable, sessionId: string, now: Date): Promise<void> {
  await tx.query(
    'update user_sessions set ended_at = $2, successor = null where id = $1 and ended_at is null',
    [sessionId, now],
  );
}

/** Ends all sessions of a user, as after a change of the password or of the role. */
export async function endSessionsOf(tx: Queryable, userId: string, now: Date): Promise<void> {
  await tx.query(
    'update user_sessions set ended_at = $2, successor = null where user_id = $1 and ended_at is null',
    [userId, now],
  );
}
