import type { UserRecord } from '../../domain/users/user.ts';
import type { Database } from '../database.ts';
import { emailHash } from './email-hash.ts';
import { toUser, USER_COLUMNS, type UserRow } from './user-row.ts';

export interface UserWithPassword {
  user: UserRecord;
  passwordHash: string | null;
}

/** The user of an e-mail address in lower case; null if there is none. */
export async function findUserByEmail(db: Database, email: string): Promise<UserWithPassword | null> {
  const { rows } = await db.pool.query<UserRow & { password_hash: string | null }>(
    `select ${USER_COLUMNS}, u.password_hash from users u where u.email_hash = $1`,
    [emailHash(db, email)],
  );
  const row = rows[0];
  if (!row) return null;
  const keys = await db.vault.tenantKeys(row.tenant_id, [row.personal]);
  return { user: toUser(keys, row), passwordHash: row.password_hash };
}
