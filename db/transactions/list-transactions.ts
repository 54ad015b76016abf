import type { Knex } from 'knex';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { normalisedFilters, type TransactionList } from '../../domain/transactions/viewing/list.ts';
import type { Database } from '../database.ts';
import { readPage, type Page, type PageQuery } from '../page.ts';
import { sql, whereGiven } from '../query-builder.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';
import { openRow } from './find-transaction.ts';
import { readHits } from './list-hits.ts';
import { listOrder } from './list-order.ts';
import { READ_COLUMNS, type TransactionRow } from './row.ts';
import { searchCondition } from './search-condition.ts';

/** One page of a tenant's transactions. */
export async function listTransactions(
  db: Database,
  tenantId: string,
  list: TransactionList,
): Promise<Page<TransactionRecord>> {
  const matching = matchingTransactions(tenantId, list, await db.vault.tenantKeys(tenantId));
  const open = async (rows: TransactionRow[]) =>
    await Promise.all(rows.map(async (row) => (await openRow(db, row)).record));
  if (!isSearch(list)) return await readPage(db.pool, pageOfTransactions(matching, list), open);
  const { rows, total } = await readHits(db, matching, list);
  return { items: await open(rows), total: list.wantsCount ? total : undefined };
}

/** A blank `q` finds everything. */
function isSearch(list: TransactionList): list is TransactionList & { q: string } {
  return list.q !== undefined && list.q.trim() !== '';
}

/** Selects the ids of the tenant's transactions that are not deleted and match the filters and `q`. */
export function matchingTransactions(
  tenantId: string,
  list: TransactionList,
  keys: TenantKeys,
): Knex.QueryBuilder {
  const { filters } = list;
  const { destination, transactionHash } = normalisedFilters(filters);
  const matching = sql('transactions').select('id').where('tenant_id', tenantId).whereNull('deleted_at');
  whereGiven(matching, {
    'created_at >= ?': filters.from,
    'created_at <= ?': filters.to,
    'updated_at >= ?': filters.updatedFrom,
    'status = any(?::text[])': filters.status,
    'sub_status = any(?::text[])': filters.subStatus,
    'direction = ?': filters.direction,
    'reference = ?': filters.reference,
    'destination_normal = any(?::text[])': destination,
    'hash_normal = ?': transactionHash,
  });
  return isSearch(list) ? matching.where(searchCondition(list.q, tenantId, keys)) : matching;
}

export function pageOfTransactions(matching: Knex.QueryBuilder, list: TransactionList): PageQuery {
  const { orderBy } = listOrder(list);
  const rows = `select ${READ_COLUMNS} from page join transactions using (id)`;
  return { matching, orderBy, rows, range: list };
}
