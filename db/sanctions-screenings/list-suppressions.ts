import type { Knex } from 'knex';
import type { Suppression, SuppressionList } from '../../domain/sanctions-screening/suppression.ts';
import type { Database } from '../database.ts';
import { readPage, type ListPage } from '../page.ts';
import { idRange } from '../search-patterns.ts';
import { sql, statementOf, whereGiven } from '../query-builder.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';
import { suppressionSearchTokens } from './search-tokens.ts';
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

/**
 * One page of a tenant's suppressions. `q` finds ids by their beginning, the id of a listed entry, and words and their
 * beginnings of the screened name and of the entry's.
 */
export async function listSuppressions(
  { pool, vault }: Database,
  tenantId: string,
  list: SuppressionList,
): Promise<ListPage<Suppression>> {
  const { filters, q, order } = list;
  const matching = sql('screening_suppressions').select('id').where('tenant_id', tenantId);
  whereGiven(matching, { 'list_code = ?': filters.listCode });
  if (q !== undefined) findByText(matching, q, await vault.tenantKeys(tenantId));
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

function findByText(matching: Knex.QueryBuilder, q: string, keys: TenantKeys): void {
  matching.where((found) => {
    found.whereRaw('source_id = ?', [q.trim()]);
    for (const tokens of suppressionSearchTokens(keys, q)) {
      found.orWhereRaw(`(search_tokens <> '{}' and search_tokens @> ?::bigint[])`, [`{${tokens.join(',')}}`]);
    }
    const ids = idRange(q.trim());
    if (ids) found.orWhereRaw('id between ?::uuid and ?::uuid', ids);
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
