import { notFound } from '../../domain/errors.ts';
import type { UserRecord } from '../../domain/users/user.ts';
import type { Database } from '../database.ts';
import type { Queryable } from '../postgres.ts';
import { sealingContext } from '../vault/contexts.ts';
import { removeFactor } from './second-factor.ts';
import { endSessionsOf } from './sessions.ts';
import { endLinksOf } from './user-links.ts';
import { toUser, USER_COLUMNS, type UserRow } from './user-row.ts';

interface UserChange {
  tenantId: string;
  id: string;
  decide: (user: UserRecord) => UserRecord;
}

/**
 * Changes a user of the tenant, locked; one that is disabled loses all sessions and links. Load the tenant's keys first: loading needs a
 * second connection. Throws not_found.
 */
export async function changeUser(
  db: Database,
  tx: Queryable,
  { tenantId, id, decide }: UserChange,
): Promise<UserRecord> {
  const { rows } = await tx.query<UserRow>(
    `select ${USER_COLUMNS} from users u where u.tenant_id = $1 and u.id = $2 for no key update`,
    [tenantId, id],
  );
  const row = rows[0];
  if (!row) throw notFound('user');
  const keys = await db.vault.tenantKeys(tenantId, [row.personal]);
  const before = toUser(keys, row);
  const after = decide(before);
  const { email, name, updatedAt } = after;
  await tx.query(
    `update users set personal = $3, role = $4, expires_at = $5, disabled_at = $6, updated_at = $7
     where tenant_id = $1 and id = $2`,
    [
      tenantId,
      id,
      keys.seal(sealingContext.user.personal(tenantId, id), { email, name }),
      after.role,
      after.expiresAt,
      after.disabledAt,
      updatedAt,
    ],
  );
  if (before.hasSecondFactor && !after.hasSecondFactor) await removeFactor(tx, after);
  if (after.disabledAt) {
    await endSessionsOf(tx, id, updatedAt);
    await endLinksOf(tx, id, updatedAt);
  }
  return after;
}
