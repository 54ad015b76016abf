import { notFound } from '../../domain/errors.ts';
import type { UserRecord } from '../../domain/users/user.ts';
import type { Database } from '../database.ts';
import { toUser, USER_COLUMNS, type UserRow } from './user-row.ts';

/** A user of the tenant. Throws not_found. */
export async function getUser(db: Database, tenantId: string, id: string): Promise<UserRecord> {
  const { rows } = await db.pool.query<UserRow>(
    `select ${USER_COLUMNS} from users u where u.tenant_id = $1 and u.id = $2`,
    [tenantId, id],
  );
  const row = rows[0];
  if (!row) throw notFound('user');
  return toUser(await db.vault.tenantKeys(tenantId, [row.personal]), row);
}
