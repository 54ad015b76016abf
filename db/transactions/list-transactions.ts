import type { TransactionList } from '../../domain/transactions/list.ts';
import { foldedPlace } from '../../domain/transactions/list.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { conditions, type Conditions } from '../conditions.ts';
import type { Database } from '../database.ts';
import { openRow } from './find-transaction.ts';
import { READ_COLUMNS, type TransactionRow } from './row.ts';
import { searchCondition } from './search-condition.ts';

const SORT_COLUMNS: Record<TransactionList['sort'], string> = {
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  amount: 'amount',
  amountUsd: 'amount_usd',
  amountEur: 'amount_eur',
  asset: 'asset',
  status: 'status',
  direction: 'direction',
};

export interface TransactionPage {
  records: TransactionRecord[];
  /** Undefined when the caller did not want it. */
  total: number | undefined;
}

/** One page of a tenant's records and the exact number of all that match, asked for side by side. */
export async function listTransactions(
  db: Database,
  tenantId: string,
  list: TransactionList,
  wantsCount: boolean,
): Promise<TransactionPage> {
  const where = await conditionsOf(db, tenantId, list);
  const [records, total] = await Promise.all([
    readPage(db, where, list),
    wantsCount ? countAll(db, where) : undefined,
  ]);
  return { records, total };
}

async function conditionsOf(db: Database, tenantId: string, list: TransactionList): Promise<Conditions> {
  const { filters } = list;
  const where = conditions();
  where.where(tenantId, (value) => `tenant_id = ${value}`);
  where.add('deleted_at is null');
  where.where(filters.from, (value) => `created_at >= ${value}`);
  where.where(filters.to, (value) => `created_at <= ${value}`);
  where.where(filters.updatedFrom, (value) => `updated_at >= ${value}`);
  where.where(filters.status, (value) => `status = any(${value}::text[])`);
  where.where(filters.subStatus, (value) => `sub_status = any(${value}::text[])`);
  where.where(filters.direction, (value) => `direction = ${value}`);
  where.where(filters.reference, (value) => `reference = ${value}`);
  const { destination, transactionHash } = foldedPlace(filters);
  where.where(destination, (value) => `destination_normal = any(${value}::text[])`);
  where.where(transactionHash, (value) => `hash_normal = ${value}`);
  if (list.q !== undefined) where.add(searchCondition(list.q, await db.vault.tenantKeys(tenantId), where));
  return where;
}

/** Keys first, rows after: a deep page must not read all the rows that it skips. */
async function readPage(
  db: Database,
  where: Conditions,
  list: TransactionList,
): Promise<TransactionRecord[]> {
  const column = SORT_COLUMNS[list.sort];
  // Said only where it matters: with it the index of a column that is never null would not fit.
  const nulls = column.startsWith('amount') ? ' nulls last' : '';
  const order = `${column} ${list.order}${nulls}, id ${list.order}`;
  const { rows } = await db.pool.query<TransactionRow>(
    `with page as (
       select id as page_id, row_number() over () as place from (
         select id from transactions where ${where.sql} order by ${order}
         offset ${list.start} limit ${list.end - list.start}
       ) keys
     )
     select ${READ_COLUMNS} from page join transactions on id = page_id order by place`,
    where.values,
  );
  return await Promise.all(rows.map(async (row) => (await openRow(db, row)).record));
}

async function countAll(db: Database, where: Conditions): Promise<number> {
  const { rows } = await db.pool.query<{ total: number }>(
    `select count(*) as total from transactions where ${where.sql}`,
    where.values,
  );
  return rows[0]?.total ?? 0;
}
