import type { TransactionList } from '../../domain/transactions/viewing/list.ts';
import { normalisedFilters } from '../../domain/transactions/viewing/list.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { conditions, type Conditions } from '../conditions.ts';
import type { Database } from '../database.ts';
import { openRow } from './find-transaction.ts';
import { readHits } from './list-hits.ts';
import { listOrder } from './list-order.ts';
import { READ_COLUMNS, type TransactionRow } from './row.ts';
import { searchCondition } from './search-condition.ts';

export interface TransactionPage {
  records: TransactionRecord[];
  /** Undefined when the caller did not want it. */
  total: number | undefined;
}

/** One page of a tenant's records and the exact number of all that match. */
export async function listTransactions(
  db: Database,
  tenantId: string,
  list: TransactionList,
  wantsCount: boolean,
): Promise<TransactionPage> {
  const where = await conditionsOf(db, tenantId, list);
  if (isSearch(list)) {
    const { rows, total } = await readHits(db, where, list);
    return { records: await openAll(db, rows), total: wantsCount ? total : undefined };
  }
  // Side by side: neither needs what the other reads.
  const [rows, total] = await Promise.all([
    readPage(db, where, list),
    wantsCount ? countAll(db, where) : undefined,
  ]);
  return { records: await openAll(db, rows), total };
}

/** A blank `q` finds everything. */
function isSearch(list: TransactionList): list is TransactionList & { q: string } {
  return list.q !== undefined && list.q.trim() !== '';
}

async function openAll(db: Database, rows: TransactionRow[]): Promise<TransactionRecord[]> {
  return await Promise.all(rows.map(async (row) => (await openRow(db, row)).record));
}

/** What a record of the list must be: the tenant's, not deleted, and as the filters and `q` say. */
export async function conditionsOf(
  db: Database,
  tenantId: string,
  list: TransactionList,
): Promise<Conditions> {
  const { filters } = list;
  const where = conditions();
  const tenant = where.value(tenantId);
  where.add(`tenant_id = ${tenant}`);
  where.add('deleted_at is null');
  where.where(filters.from, (value) => `created_at >= ${value}`);
  where.where(filters.to, (value) => `created_at <= ${value}`);
  where.where(filters.updatedFrom, (value) => `updated_at >= ${value}`);
  where.where(filters.status, (value) => `status = any(${value}::text[])`);
  where.where(filters.subStatus, (value) => `sub_status = any(${value}::text[])`);
  where.where(filters.direction, (value) => `direction = ${value}`);
  where.where(filters.reference, (value) => `reference = ${value}`);
  const { destination, transactionHash } = normalisedFilters(filters);
  where.where(destination, (value) => `destination_normal = any(${value}::text[])`);
  where.where(transactionHash, (value) => `hash_normal = ${value}`);
  if (isSearch(list)) where.add(searchCondition(list.q, await db.vault.tenantKeys(tenantId), tenant, where));
  return where;
}

/** Keys first, rows after: a deep page must not read all the rows that it skips. */
export function pageSql(where: Conditions, list: TransactionList): string {
  const { orderBy } = listOrder(list);
  return `
    with page as (
      select id as page_id, row_number() over () as place from (
        select id from transactions where ${where.sql} order by ${orderBy}
        offset ${list.start} limit ${list.end - list.start}
      ) keys
    )
    select ${READ_COLUMNS} from page join transactions on id = page_id order by place`;
}

async function readPage(db: Database, where: Conditions, list: TransactionList): Promise<TransactionRow[]> {
  return (await db.pool.query<TransactionRow>(pageSql(where, list), where.values)).rows;
}

export function countSql(where: Conditions): string {
  return `select count(*) as total from transactions where ${where.sql}`;
}

async function countAll(db: Database, where: Conditions): Promise<number> {
  const { rows } = await db.pool.query<{ total: number }>(countSql(where), where.values);
  return rows[0]?.total ?? 0;
}
