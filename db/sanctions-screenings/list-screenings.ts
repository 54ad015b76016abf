import type { Knex } from 'knex';
import type { ScreeningList, ScreeningSummary } from '../../domain/sanctions-screening/history.ts';
import type { Database } from '../database.ts';
import { readPage, type ListPage } from '../page.ts';
import { sql, statementOf, whereGiven } from '../query-builder.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';
import { nameToken, SUMMARY_COLUMNS, toSummary, type SummaryRow } from './screening-row.ts';

/** One page of a tenant's screenings; `q` is an id or a whole name, however it is written. */
export async function listScreenings(
  db: Database,
  tenantId: string,
  list: ScreeningList,
): Promise<ListPage<ScreeningSummary>> {
  const page = {
    matching: statementOf(matchingScreenings(tenantId, list, await db.vault.tenantKeys(tenantId))),
    orderBy: `created_at ${list.order}, id ${list.order}`,
    rows: `select ${SUMMARY_COLUMNS} from page join screenings using (id)`,
    range: list,
  };
  return await readPage(db.pool, page, async (rows: SummaryRow[]) => {
    const sealed = rows.map(({ subject }) => subject);
    const keys = await db.vault.tenantKeys(tenantId, sealed);
    return rows.map((row) => toSummary(keys, tenantId, row));
  });
}

function matchingScreenings(
  tenantId: string,
  { filters, q }: ScreeningList,
  keys: TenantKeys,
): Knex.QueryBuilder {
  const matching = sql('screenings').select('id').where('tenant_id', tenantId);
  // Written out, so that the index of those that are can be used.
  if (filters.sanctioned !== undefined)
    matching.whereRaw(filters.sanctioned ? 'sanctioned' : 'not sanctioned');
  whereGiven(matching, {
    'kind = ?': filters.kind,
    'created_at >= ?': filters.from,
    'created_at <= ?': filters.to,
  });
  if (q === undefined) return matching;
  const token = nameToken(keys, q).toString();
  return matching.whereRaw('(id::text = ? or name_token = ?)', [q.trim().toLowerCase(), token]);
}
