import type { Knex } from 'knex';
import type { UserList } from '../../domain/users/schema.ts';
import type { UserRecord } from '../../domain/users/user.ts';
import type { Database } from '../database.ts';
import { readPage, type ListPage } from '../page.ts';
import { sql, statementOf, whereGiven } from '../query-builder.ts';
import { emailHash } from './email-hash.ts';
import { toUsers, USER_COLUMNS, type UserRow } from './user-row.ts';

const SORT_COLUMNS: Record<UserList['sort'], string> = {
  createdAt: 'created_at',
  lastSignInAt: 'last_sign_in_at',
  role: 'role',
};

/** One page of a tenant's users; `q` finds an id by its start, and a whole e-mail address, which is stored sealed. */
export async function listUsers(
  db: Database,
  tenantId: string,
  list: UserList,
): Promise<ListPage<UserRecord>> {
  const { sort, order } = list;
  const nulls = sort === 'lastSignInAt' ? ' nulls last' : '';
  const page = {
    matching: statementOf(matchingUsers(db, tenantId, list)),
    orderBy: `${SORT_COLUMNS[sort]} ${order}${nulls}, id ${order}`,
    rows: `select ${USER_COLUMNS} from page join users u using (id)`,
    range: list,
  };
  return await readPage(db.pool, page, async (rows: UserRow[]) => await toUsers(db, tenantId, rows));
}

function matchingUsers(db: Database, tenantId: string, { filters, q }: UserList): Knex.QueryBuilder {
  const matching = sql('users').select('id').where('tenant_id', tenantId);
  whereGiven(matching, { 'role = any(?::text[])': filters.role });
  if (q === undefined) return matching;
  const text = q.trim().toLowerCase();
  return matching.whereRaw('(starts_with(id::text, ?) or email_hash = ?)', [text, emailHash(db, text)]);
}
