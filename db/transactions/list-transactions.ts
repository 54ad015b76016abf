import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { TransactionList } from '../../domain/transactions/viewing/list.ts';
import type { Database } from '../database.ts';
import { readPage, type ListPage, type PageQuery } from '../page.ts';
import type { SqlStatement } from '../query-builder.ts';
import { openRow } from './find-transaction.ts';
import { conditionsOf, isSearch } from './list-conditions.ts';
import { readHits } from './list-hits.ts';
import { listOrder } from './list-order.ts';
import type { RecordRow } from '../records/record-table.ts';
import { READ_COLUMNS } from './row.ts';

/** One page of a tenant's transactions. */
export async function listTransactions(
  db: Database,
  tenantId: string,
  list: TransactionList,
): Promise<ListPage<TransactionRecord>> {
  const where = conditionsOf(tenantId, list, await db.vault.tenantKeys(tenantId));
  const open = async (rows: RecordRow[]) =>
    await Promise.all(rows.map(async (row) => (await openRow(db, row)).record));
  if (!isSearch(list)) return await readPage(db.pool, pageOfTransactions(where, list), open);
  const { rows, total } = await readHits(db, where, list);
  return { items: await open(rows), total: list.wantsCount ? total : undefined };
}

export function pageOfTransactions(where: SqlStatement, list: TransactionList): PageQuery {
  return {
    matching: { text: `select id from transactions where ${where.text}`, values: where.values },
    orderBy: listOrder(list).orderBy,
    rows: `select ${READ_COLUMNS} from page join transactions using (id)`,
    range: list,
  };
}
