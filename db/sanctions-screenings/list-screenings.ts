import type { Knex } from 'knex';
import type { ScreeningList, ScreeningSummary } from '../../domain/sanctions-screening/history.ts';
import type { Database } from '../database.ts';
import { readPage, type ListPage } from '../page.ts';
import { idRange } from '../search-patterns.ts';
import { sql, statementOf, whereGiven } from '../query-builder.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';
import { NOT_DELETED, TRANSFER_KEY } from './screened-transfer.ts';
import { nameToken, SUMMARY_COLUMNS, toSummary, type SummaryRow } from './screening-row.ts';
import { screeningSearchTokens } from './search-tokens.ts';

/**
 * One page of a tenant's screenings, without those of deleted transfers. `q` finds ids by their beginning, names by words
 * and their beginnings, and addresses in any spelling.
 */
export async function listScreenings(
  db: Database,
  tenantId: string,
  list: ScreeningList,
): Promise<ListPage<ScreeningSummary>> {
  const page = {
    matching: statementOf(matchingScreenings(tenantId, list, await db.vault.tenantKeys(tenantId))),
    orderBy: `created_at ${list.order}, id ${list.order}`,
    rows: `select ${SUMMARY_COLUMNS}, ${TRANSFER_KEY} from page join screenings using (id)`,
    range: list,
  };
  return await readPage(db.pool, page, async (rows: SummaryRow[]) => {
    const sealed = rows.map(({ subject, record_key }) => record_key ?? subject);
    const keys = await db.vault.tenantKeys(tenantId, sealed);
    return rows.map((row) => toSummary(keys, tenantId, row));
  });
}

function matchingScreenings(
  tenantId: string,
  { filters, q }: ScreeningList,
  keys: TenantKeys,
): Knex.QueryBuilder {
  const matching = sql('screenings').select('id').where('tenant_id', tenantId).whereRaw(NOT_DELETED);
  // Written out, so that the index of those that are can be used.
  if (filters.sanctioned !== undefined)
    matching.whereRaw(filters.sanctioned ? 'sanctioned' : 'not sanctioned');
  whereGiven(matching, {
    'kind = ?': filters.kind,
    'created_at >= ?': filters.from,
    'created_at <= ?': filters.to,
  });
  if (q === undefined) return matching;
  return matching.where((found) => {
    found.whereRaw('name_token = ?', [nameToken(keys, q).toString()]);
    for (const tokens of screeningSearchTokens(keys, q)) {
      found.orWhereRaw(`(search_tokens <> '{}' and search_tokens @> ?::bigint[])`, [`{${tokens.join(',')}}`]);
    }
    const ids = idRange(q.trim());
    if (ids) found.orWhereRaw('id between ?::uuid and ?::uuid', ids);
  });
}
