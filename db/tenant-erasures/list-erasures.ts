import type { ErasureList } from '../../domain/tenant-erasures/schema.ts';
import type { TenantErasure } from '../../domain/tenant-erasures/tenant-erasure.ts';
import type { Database } from '../database.ts';
import { readPage, type ListPage } from '../page.ts';
import { sql, statementOf, whereGiven } from '../query-builder.ts';
import { ERASURE_COLUMNS, toErasures, type ErasureRow } from './erasure-row.ts';

/** One page of the erasures of all tenants, those of erased ones too; `q` finds ids, of tenants too, by their beginning. */
export async function listErasures(db: Database, list: ErasureList): Promise<ListPage<TenantErasure>> {
  const { state, tenantId } = list.filters;
  const matching = sql('tenant_erasures').select('id', 'planned_at');
  whereGiven(matching, { 'state = ?': state, 'tenant_id = ?::uuid': tenantId });
  const q = list.q?.trim();
  if (q !== undefined)
    matching.whereRaw('(starts_with(id::text, lower(?)) or starts_with(tenant_id::text, lower(?)))', [q, q]);
  const page = {
    matching: statementOf(matching),
    orderBy: `planned_at ${list.order}, id ${list.order}`,
    rows: `select ${ERASURE_COLUMNS} from page join tenant_erasures using (id, planned_at)`,
    range: list,
  };
  return await readPage(db.pool, page, async (rows: ErasureRow[]) => await toErasures(db, rows));
}
