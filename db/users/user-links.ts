import { createHash, randomBytes } from 'node:crypto';
import { LINK_HOURS, type LinkMail } from '../../domain/mails/mail.ts';
import type { Queryable } from '../postgres.ts';

interface NewLink {
  tenantId: string;
  userId: string;
  purpose: LinkMail;
  now: Date;
}

/**
 * Makes a link for a mail and ends the earlier ones of this purpose: whoever asks for a new password of an invited user must
 * not end their invitation. Returns its token of 256 bits; only a hash is stored.
 */
export async function makeLink(tx: Queryable, { tenantId, userId, purpose, now }: NewLink): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await tx.query(
    'update user_links set used_at = $3 where user_id = $1 and purpose = $2 and used_at is null',
    [userId, purpose, now],
  );
  await tx.query(
    `insert into user_links (hash, tenant_id, user_id, purpose, created_at, expires_at)
     values ($1, $2, $3, $4, $5::timestamptz, $5::timestamptz + make_interval(hours => $6))`,
    [hashOf(token), tenantId, userId, purpose, now, LINK_HOURS[purpose]],
  );
  return token;
}

/** The user of a link that still counts; null otherwise. */
export async function findLink(
  db: Queryable,
  token: string,
  now: Date,
): Promise<{ tenantId: string; userId: string } | null> {
  const { rows } = await db.query<{ tenant_id: string; user_id: string }>(
    'select tenant_id, user_id from user_links where hash = $1 and used_at is null and expires_at > $2',
    [hashOf(token), now],
  );
  return rows[0] ? { tenantId: rows[0].tenant_id, userId: rows[0].user_id } : null;
}

/** Uses a link, which counts once. False if it does not count (any more). */
export async function useLink(tx: Queryable, token: string, now: Date): Promise<boolean> {
  const { rowCount } = await tx.query(
    'update user_links set used_at = $2 where hash = $1 and used_at is null and expires_at > $2',
    [hashOf(token), now],
  );
  return rowCount === 1;
}

/** Ends all links of a user that were not used. */
export async function endLinksOf(tx: Queryable, userId: string, now: Date): Promise<void> {
  await tx.query('update user_links set used_at = $2 where user_id = $1 and used_at is null', [userId, now]);
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
