import { LRUCache } from 'lru-cache';
import type { Queryable } from '../postgres.ts';

/** Reads the name of a tenant; undefined when there is no such tenant. */
export type TenantNames = (tenantId: string) => Promise<string | undefined>;

const MAX_NAMES = 50_000;
/** A tenant that was renamed appears under its old name for so long. */
const KEPT_MS = 10 * 60_000;

/** Tenants' names for operators, kept in memory. */
export function tenantNames(db: Queryable): TenantNames {
  const names = new LRUCache<string, string>({ max: MAX_NAMES, ttl: KEPT_MS });
  return async (tenantId) => {
    const known = names.get(tenantId);
    if (known !== undefined) return known;
    const { rows } = await db.query<{ name: string }>({
      name: 'name-of-tenant',
      text: 'select name from tenants where id = $1',
      values: [tenantId],
    });
    if (rows[0]) names.set(tenantId, rows[0].name);
    return rows[0]?.name;
  };
}
