import type { Database } from '../database.ts';
import type { Queryable } from '../postgres.ts';
import { endLinksOf } from './user-links.ts';

/** The stored hash of a user's password, an Argon2id PHC string; null if there is none. */
export async function findPasswordHash(
  { pool }: Pick<Database, 'pool'>,
  tenantId: string,
  userId: string,
): Promise<string | null> {
  const { rows } = await pool.query<{ password_hash: string | null }>(
    'select password_hash from users where tenant_id = $1 and id = $2',
    [tenantId, userId],
  );
  return rows[0]?.password_hash ?? null;
}

/**
 * Locks a user whose password was found right. False if the password is another one by now, or the user is disabled: a reset
 * must not be undone by whoever knew the password before it.
 */
export async function keepPassword(
  tx: Queryable,
  { userId, passwordHash }: { userId: string; passwordHash: string },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    'select from users where id = $1 and password_hash = $2 and disabled_at is null for no key update',
    [userId, passwordHash],
  );
  return rowCount === 1;
}

interface PasswordChange {
  userId: string;
  passwordHash: string;
  /** The session that goes on; every other one of the user ends. */
  sessionId: string | null;
  now: Date;
}

/** Stores a new password of a user and ends their other sessions and their links. */
export async function changePassword(
  tx: Queryable,
  { userId, passwordHash, sessionId, now }: PasswordChange,
): Promise<void> {
  await tx.query('update users set password_hash = $2, updated_at = $3 where id = $1', [
    userId,
    passwordHash,
    now,
  ]);
  await tx.query(
    `update user_sessions set ended_at = $2, successor = null
     where user_id = $1 and ended_at is null and id is distinct from $3`,
    [userId, now, sessionId],
  );
  await endLinksOf(tx, userId, now);
}
