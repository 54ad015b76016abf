import { endpointsOf } from '../../api/endpoints.ts';
import type { Json, TestApi } from '../api-client.ts';
import { readFeed } from '../factories/change-feed.ts';
import type { TestTenant } from '../factories/tenant.ts';
import { filledPath } from './attacks.ts';
import type { Target } from './target.ts';

/** Reads that store something themselves, or whose answer is about other tenants. */
const NOT_READ = new Set([
  'GET /aml/search',
  'GET /aml/search/history/{id}',
  'GET /aml/analysis/{blockchain}/wallet/{address}',
  'GET /aml/analysis/{blockchain}/transaction/{txHash}',
  'GET /aml/analysis/{blockchain}/transaction/{txHash}/receivers',
  'GET /aml/analysis/{blockchain}/wallet/{address}/transactions',
  'GET /kyw/{blockchain}/{address}',
  'GET /sanctions/addresses/{address}',
  'GET /tenant/me/archive/{id}',
  'GET /exports/{id}/download-url',
  'GET /tenant/me/audit-log',
  'GET /wallet-verification/{id}/files/{fileId}/url',
  'GET /wallet-verification/{id}/additional-steps/{kind}/documents/{documentId}/url',
  'GET /entities',
  'GET /entities/lookup',
]);

/** All that a tenant can read of itself: every GET, with the ids of its records. */
export async function visibleState(
  api: TestApi,
  tenant: TestTenant,
  target: Target,
): Promise<Map<string, unknown>> {
  await feedToBeWhole(api, tenant);
  const reads = endpointsOf('sandbox').filter(
    ({ method, path, auth }) => method === 'GET' && auth === 'TENANT' && !NOT_READ.has(`GET ${path}`),
  );
  const state = new Map<string, unknown>();
  for (const { path } of reads) {
    const { status, body, headers } = await tenant.get<unknown>(filledPath(path, target));
    state.set(path, { status, body: withoutUse(body), total: headers.get('X-Total-Count') });
  }
  return state;
}

/** Reading itself is noted in `lastUsedAt` of the key; `asOf`, and `instance` and `requestId` of a refusal, are of the request. */
function withoutUse(body: unknown): unknown {
  const omitted = new Set(['lastUsedAt', 'asOf', 'requestId', 'instance']);
  return JSON.parse(JSON.stringify(body ?? null), (key, value: unknown) =>
    omitted.has(key) ? undefined : value,
  ) as unknown;
}

/** The change feed shows an event as soon as all database transactions that began before it have ended. */
async function feedToBeWhole({ db }: TestApi, tenant: TestTenant): Promise<void> {
  const { rows } = await db.pool.query<{ count: number }>(
    `select ((select count(*) from events where tenant_id = $1) +
       (select count(*) from feed_entries where tenant_id = $1))::int as count`,
    [tenant.id],
  );
  await readFeed(tenant, ({ length }) => length === rows[0]?.count);
}

interface StoredRows {
  victims: readonly Target[];
  attackers: readonly { id: string }[];
}

/**
 * SQL: what a tenant's audit log has of the tenant itself, to whom looking at its own state is a request, too, and of tries
 * to sign in to its accounts, which it is meant to have.
 */
const IS_OWN_AUDIT = `t.name ~ '^audit_' and (t.row ->> 'actor' = 'UNKNOWN' or exists (
  select from api_keys k where k.id::text = t.row ->> 'api_key_id' and k.tenant_id::text = t.row ->> 'tenant_id'))`;

/** Every stored row, in any table, that names a victim or one of its records and is not an attacker's own. */
export async function storedRows({ db }: TestApi, { victims, attackers }: StoredRows): Promise<Json[]> {
  const ids = victims.flatMap(({ tenantId, entityId, ids: { wallets: _number, ...rest } }) => [
    tenantId,
    entityId,
    ...Object.values(rest),
  ]);
  const { rows: tables } = await db.pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' order by table_name`,
  );
  const parts = tables.map(
    ({ name }) => `select '${name}' as "table", t.row - 'last_used_at' as row
      from (select '${name}' as name, to_jsonb(${name}) as row from ${name}) t
      where t.row::text ~ $1 and not (${IS_OWN_AUDIT}) and not coalesce(t.row ->> 'tenant_id', '') = any($2)`,
  );
  const { rows } = await db.pool.query<Json>(
    `select * from (${parts.join(' union all ')}) every order by 1, row::text`,
    [ids.join('|'), attackers.map(({ id }) => id)],
  );
  return rows;
}
