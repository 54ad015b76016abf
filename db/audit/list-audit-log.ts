import type { Knex } from 'knex';
import type { RequestOrigin } from '../../domain/audit/entry.ts';
import type { AuditEntry, AuditList, OperatorAuditList } from '../../domain/audit/schema.ts';
import type { UserRecord } from '../../domain/users/user.ts';
import { columnNames } from '../columns.ts';
import type { Database } from '../database.ts';
import { OPERATORS } from '../idempotency/operator-scope.ts';
import { idAt } from '../new-id.ts';
import { readPage, type ListPage } from '../page.ts';
import { sql, statementOf, whereGiven, type SqlStatement } from '../query-builder.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';
import { toUsers, USER_COLUMNS, type UserRow } from '../users/user-row.ts';
import { auditColumns, type AuditRow } from './audit-entry-row.ts';

const ROWS = `select ${columnNames(auditColumns)} from page join audit_entries using (tenant_id, id)`;

/** One page of a tenant's audit log, with what operators did to the tenant. */
export async function listAuditLog(
  db: Database,
  tenantId: string,
  list: AuditList,
): Promise<ListPage<AuditEntry>> {
  const matching = matchingTenantEntries(tenantId, list);
  return await readPage(
    db.pool,
    pageOf(matching, list),
    async (rows: AuditRow[]) => await viewTenantEntries(db, tenantId, rows),
  );
}

/** Entries as their tenant sees them: where operators sent their requests from is hidden. */
export async function viewTenantEntries(
  db: Database,
  tenantId: string,
  rows: readonly AuditRow[],
): Promise<AuditEntry[]> {
  const users = await usersOf(db, tenantId, rows);
  const keys = rows.length > 0 ? await keysOf(db, tenantId, rows) : null;
  return rows.map((row) => viewEntry(row, { users, keys: row.actor === 'OPERATOR' ? null : keys }));
}

/** One page of the log of the deployment: what operators did, to a tenant or not, and tries to sign in that no tenant has. */
export async function listOperatorAuditLog(
  db: Database,
  list: OperatorAuditList,
): Promise<ListPage<AuditEntry>> {
  const matching = matchingOperatorEntries(list);
  return await readPage(db.pool, pageOf(matching, list), async (rows: AuditRow[]) => {
    const keys = rows.some(({ origin }) => origin) ? await keysOf(db, OPERATORS, rows) : null;
    return rows.map((row) => viewEntry(row, { users: new Map(), keys }));
  });
}

/** The keys of the matching entries of a tenant. */
export function matchingTenantEntries(tenantId: string, list: AuditList): SqlStatement {
  const { userId, apiKeyId } = list.filters;
  const matching = sql('audit_entries').select('tenant_id', 'id').where('tenant_id', tenantId);
  whereGiven(matching, { 'user_id = ?::uuid': userId, 'api_key_id = ?::uuid': apiKeyId });
  return statementOf(narrowed(matching, list));
}

/** The keys of the matching entries of the deployment. The first condition is that of their index. */
export function matchingOperatorEntries(list: OperatorAuditList): SqlStatement {
  const { tenantId, operator } = list.filters;
  const matching = sql('audit_entries')
    .select('tenant_id', 'id')
    .whereRaw(`(actor = 'OPERATOR' or tenant_id = '${OPERATORS}')`);
  whereGiven(matching, { 'tenant_id = ?::uuid': tenantId, 'operator = ?': operator });
  return statementOf(narrowed(matching, list));
}

/** Ids are in the order of time, so that times and the last entry of a page are places in the primary key. */
function narrowed(matching: Knex.QueryBuilder, { filters, order, q }: AuditList | OperatorAuditList) {
  const { from, to, after } = filters;
  whereGiven(matching, {
    'id >= ?::uuid': from && idAt(from, 'FIRST'),
    'id <= ?::uuid': to && idAt(to, 'LAST'),
    [order === 'DESC' ? 'id < ?::uuid' : 'id > ?::uuid']: after,
    'actor = any(?::text[])': filters.actor,
    'operation = any(?::text[])': filters.operation,
    'record_id = ?': filters.recordId,
  });
  const text = q?.trim().toLowerCase();
  return text
    ? matching.whereRaw('(starts_with(lower(operation), ?) or starts_with(record_id, ?))', [text, text])
    : matching;
}

function pageOf(matching: SqlStatement, list: AuditList | OperatorAuditList) {
  return { matching, orderBy: `id ${list.order}`, rows: ROWS, range: list };
}

async function keysOf(db: Database, owner: string, rows: readonly AuditRow[]): Promise<TenantKeys> {
  const isOurs = ({ actor }: AuditRow) => (actor === 'OPERATOR') === (owner === OPERATORS);
  const origins = rows.filter(isOurs).map(({ origin }) => origin);
  return await db.vault.tenantKeys(
    owner,
    origins.filter((origin) => origin !== null),
  );
}

async function usersOf(
  db: Database,
  tenantId: string,
  rows: readonly AuditRow[],
): Promise<Map<string, UserRecord>> {
  const ids = [...new Set(rows.map((row) => row.user_id).filter((id) => id !== null))];
  if (ids.length === 0) return new Map();
  const { rows: found } = await db.pool.query<UserRow>(
    `select ${USER_COLUMNS} from users u where u.tenant_id = $1 and u.id = any($2::uuid[])`,
    [tenantId, ids],
  );
  return new Map((await toUsers(db, tenantId, found)).map((user) => [user.id, user]));
}

interface EntryParts {
  users: ReadonlyMap<string, UserRecord>;
  /** The keys that open the origin; null if the reader may not see it. */
  keys: TenantKeys | null;
}

function viewEntry(row: AuditRow, { users, keys }: EntryParts): AuditEntry {
  const user = users.get(row.user_id ?? '');
  const context = sealingContext.auditEntry.origin(row.tenant_id, row.id);
  const origin = row.origin && keys ? keys.open<RequestOrigin>(context, row.origin) : null;
  return {
    id: row.id,
    createdAt: row.created_at.toISOString(),
    tenantId: row.tenant_id === OPERATORS ? null : row.tenant_id,
    operation: row.operation,
    actor: row.actor,
    userId: row.user_id,
    user: user ? { id: user.id, name: user.name, email: user.email } : null,
    apiKeyId: row.api_key_id,
    operator: row.operator,
    status: row.status,
    code: row.code,
    recordId: row.record_id,
    items: row.items,
    parameters: row.parameters,
    address: origin?.address ?? null,
    requestId: origin?.requestId ?? null,
    hour: row.hour?.toISOString() ?? null,
    requests: row.requests,
  };
}
