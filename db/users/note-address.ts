import type { Database } from '../database.ts';
import type { Queryable } from '../postgres.ts';
import { emailHash } from './email-hash.ts';

const KEPT_DAYS = 90;

interface SeenAddress {
  tenantId: string;
  userId: string;
  /** The address by which callers are counted: for IPv6 its network of 56 bits. */
  address: string;
  now: Date;
}

/**
 * Notes from where a user signs in, inside the transaction that lets them in, which has locked the user. True if they have
 * signed in before, but not from there. Addresses are stored by a keyed hash and forgotten 90 days after their last use.
 */
export async function noteAddress(
  { vault }: Pick<Database, 'vault'>,
  tx: Queryable,
  { tenantId, userId, address, now }: SeenAddress,
): Promise<boolean> {
  const hash = hashOf(vault, { userId, address });
  const { rows } = await tx.query<{ known: number; isKnown: boolean | null }>(
    'select count(*)::int as known, bool_or(hash = $2) as "isKnown" from user_addresses where user_id = $1',
    [userId, hash],
  );
  await tx.query(
    `insert into user_addresses (tenant_id, user_id, hash, seen_at) values ($1, $2, $3, $4)
     on conflict (user_id, hash) do update set seen_at = excluded.seen_at`,
    [tenantId, userId, hash, now],
  );
  await tx.query(
    'delete from user_addresses where user_id = $1 and seen_at < $2::timestamptz - make_interval(days => $3)',
    [userId, now, KEPT_DAYS],
  );
  const { known = 0, isKnown = null } = rows[0] ?? {};
  return known > 0 && isKnown !== true;
}

/** Whether the user has signed in from there. */
export async function isKnownAddress(
  { vault, pool }: Pick<Database, 'vault' | 'pool'>,
  { userId, address }: Pick<SeenAddress, 'userId' | 'address'>,
): Promise<boolean> {
  const { rowCount } = await pool.query('select from user_addresses where user_id = $1 and hash = $2', [
    userId,
    hashOf(vault, { userId, address }),
  ]);
  return rowCount === 1;
}

/** The id of no user. */
export const NOBODY = '00000000-0000-0000-0000-000000000000';

/**
 * The tenant of the account with this e-mail address, in lower case, if its user has signed in from there; else null. Asks the
 * same of an account that does not exist, so that the time tells nothing.
 */
export async function tenantKnownFrom(
  db: Pick<Database, 'vault' | 'pool'>,
  { email, address }: { email: string; address: string },
): Promise<string | null> {
  const { rows } = await db.pool.query<{ id: string; tenantId: string }>(
    'select id, tenant_id as "tenantId" from users where email_hash = $1',
    [emailHash(db, email)],
  );
  const { id, tenantId } = rows[0] ?? { id: NOBODY, tenantId: null };
  return (await isKnownAddress(db, { userId: id, address })) ? tenantId : null;
}

function hashOf(
  vault: Database['vault'],
  { userId, address }: Pick<SeenAddress, 'userId' | 'address'>,
): Buffer {
  return vault.deploymentHash('user-address', `${userId} ${address}`);
}
