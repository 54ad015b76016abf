import type { Knex } from 'knex';
import { queryTerms } from '../../domain/fold.ts';
import type { TenantList } from '../../domain/tenants/schema.ts';
import type { TenantRecord } from '../../domain/tenants/tenant.ts';
import type { Database } from '../database.ts';
import { readPage, type ListPage } from '../page.ts';
import { sql, statementOf } from '../query-builder.ts';
import { TENANT_COLUMNS, toTenant, type TenantRow } from './tenant-row.ts';

const SORT_COLUMNS: Record<TenantList['sort'], string> = {
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  name: 'name_folded',
};

/** One page of the tenants that operators made; `q` finds names that hold all of its words. */
export async function listTenants({ pool }: Database, list: TenantList): Promise<ListPage<TenantRecord>> {
  const page = {
    matching: statementOf(matchingTenants(list)),
    orderBy: `${SORT_COLUMNS[list.sort]} ${list.order}, id ${list.order}`,
    rows: `select ${TENANT_COLUMNS} from page join tenants using (id)`,
    range: list,
  };
  return await readPage(pool, page, (rows: TenantRow[]) => rows.map(toTenant));
}

function matchingTenants({ q }: TenantList): Knex.QueryBuilder {
  // The counterparties of a sandbox are nobody's business.
  const matching = sql('tenants')
    .select('id')
    .whereNull('test_behaviour')
    .whereNull('gateway')
    .whereNull('erased_at');
  if (q === undefined) return matching;
  const words = queryTerms(q);
  // Nothing but punctuation finds nothing, rather than everything.
  if (words.length === 0) return matching.whereRaw('false');
  // Words hold letters, digits and marks only: nothing in them means anything to LIKE.
  for (const word of words) matching.whereRaw('name_folded like ?', [`%${word}%`]);
  return matching;
}
