import type { Suppression, SuppressionList } from '../../domain/sanctions-screening/suppression.ts';
import type { Database } from '../database.ts';
import { readPage, type ListPage } from '../page.ts';
import { sql, statementOf, whereGiven } from '../query-builder.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';
import type { SuppressionDetails } from './suppressions.ts';

interface SuppressionRow {
  id: string;
  screening_id: string;
  list_code: string;
  source_id: string;
  row_hash: Buffer;
  made_by: Suppression['madeBy'];
  details: Buffer;
  created_at: Date;
}

const COLUMNS = 'id, screening_id, list_code, source_id, row_hash, made_by, details, created_at';

/** One page of a tenant's suppressions; `q` is the id of one or of a listed entry. */
export async function listSuppressions(
  { pool, vault }: Database,
  tenantId: string,
  list: SuppressionList,
): Promise<ListPage<Suppression>> {
  const { filters, q, order } = list;
  const matching = sql('screening_suppressions').select('id').where('tenant_id', tenantId);
  whereGiven(matching, { 'list_code = ?': filters.listCode });
  if (q !== undefined) matching.whereRaw('(id::text = lower(?) or source_id = ?)', [q.trim(), q.trim()]);
  const page = {
    matching: statementOf(matching),
    orderBy: `created_at ${order}, id ${order}`,
    rows: `select ${COLUMNS} from page join screening_suppressions using (id)`,
    range: list,
  };
  return await readPage(pool, page, async (rows: SuppressionRow[]) => {
    const sealed = rows.map(({ details }) => details);
    const keys = await vault.tenantKeys(tenantId, sealed);
    return rows.map((row) => toSuppression(keys, tenantId, row));
  });
}

function toSuppression(keys: TenantKeys, tenantId: string, row: SuppressionRow): Suppression {
  const { screenedName, name, note } = keys.open<SuppressionDetails>(
    sealingContext.suppression.details(tenantId, row.id),
    row.details,
  );
  return {
    id: row.id,
    screeningId: row.screening_id,
    screenedName,
    listCode: row.list_code,
    listingId: row.source_id,
    name,
    entryHash: row.row_hash.toString('hex'),
    note,
    madeBy: row.made_by,
    createdAt: row.created_at.toISOString(),
  };
}
