import type { UserRecord } from '../../domain/users/user.ts';
import type { Database } from '../database.ts';
import { toUsers, USER_COLUMNS, type UserRow } from './user-row.ts';

/** Users of a tenant by their ids; ids of nobody are left out. */
export async function findUsers(
  db: Database,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, UserRecord>> {
  if (ids.length === 0) return new Map();
  const { rows } = await db.pool.query<UserRow>(
    `select ${USER_COLUMNS} from users u where u.tenant_id = $1 and u.id = any($2::uuid[])`,
    [tenantId, ids],
  );
  return new Map((await toUsers(db, tenantId, rows)).map((user) => [user.id, user]));
}
