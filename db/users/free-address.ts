import { randomBytes } from 'node:crypto';
import type { Database } from '../database.ts';
import type { Queryable } from '../postgres.ts';
import { emailHash } from './email-hash.ts';
import { endSessionsOf } from './sessions.ts';
import { endLinksOf } from './user-links.ts';

/**
 * Takes the e-mail address from a user who was invited, has never set a password and has no link left: nobody has shown that
 * the mailbox is theirs. The user, of whatever tenant, stays, disabled.
 */
export async function freeAddress(db: Database, tx: Queryable, email: string, now: Date): Promise<void> {
  const hash = emailHash(db, email);
  await tx.query(
    `update users u set email_hash = $2, disabled_at = coalesce(disabled_at, $3), updated_at = $3
     where u.email_hash = $1 and u.password_hash is null and not exists (
       select from user_links l where l.user_id = u.id and l.used_at is null and l.expires_at > $3)`,
    [hash, randomBytes(hash.length), now],
  );
}

/** Takes the e-mail address from whoever has it, and disables that user with all sessions and links. Null if nobody has it. */
export async function releaseAddress(
  db: Database,
  tx: Queryable,
  email: string,
  now: Date,
): Promise<{ userId: string; tenantId: string } | null> {
  const hash = emailHash(db, email);
  const { rows } = await tx.query<{ userId: string; tenantId: string }>(
    `update users set email_hash = $2, password_hash = null, proven_at = null, disabled_at = coalesce(disabled_at, $3),
       updated_at = $3
     where email_hash = $1 returning id as "userId", tenant_id as "tenantId"`,
    [hash, randomBytes(hash.length), now],
  );
  const released = rows[0];
  if (!released) return null;
  await endSessionsOf(tx, released.userId, now);
  await endLinksOf(tx, released.userId, now);
  return released;
}
