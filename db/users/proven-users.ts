import type { Role } from '../../domain/tenants/role.ts';
import type { Queryable } from '../postgres.ts';

/** Notes that a user has set a password by a link that was mailed to them. */
export async function noteProven(tx: Queryable, userId: string, now: Date): Promise<void> {
  await tx.query('update users set proven_at = coalesce(proven_at, $2) where id = $1', [userId, now]);
}

/** Whether a user has ever set a password by a link that was mailed to them: no other person knows it then. */
export async function isProven(db: Queryable, tenantId: string, userId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    'select from users where tenant_id = $1 and id = $2 and proven_at is not null',
    [tenantId, userId],
  );
  return rowCount === 1;
}

/** The number of a tenant's users of these roles who can sign in and have set a password by a mailed link. */
export async function countProvenUsers(
  db: Queryable,
  tenantId: string,
  roles: readonly Role[],
): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*) as count from users where tenant_id = $1 and role = any($2::text[]) and proven_at is not null
       and disabled_at is null and coalesce(expires_at > now(), true)`,
    [tenantId, roles],
  );
  return rows[0]?.count ?? 0;
}
