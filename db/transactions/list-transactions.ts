import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { TransactionList } from '../../domain/transactions/viewing/list.ts';
import type { Database } from '../database.ts';
import { withDuplicates } from '../routes/same-entity.ts';
import { readPage, type ListPage, type PageQuery } from '../page.ts';
import type { Queryable } from '../postgres.ts';
import type { SqlStatement } from '../query-builder.ts';
import { countRecords } from '../statistics/count-records.ts';
import { TRANSACTIONS } from '../statistics/measures.ts';
import { openRow } from './find-transaction.ts';
import { conditionsOf, isSearch } from './list-conditions.ts';
import { readHits } from './list-hits.ts';
import { listOrder } from './list-order.ts';
import type { RecordRow } from '../records/record-table.ts';
import { READ_COLUMNS } from './row.ts';
import { SEARCH_FIELDS } from './search-tokens.ts';

/** One page of a tenant's transactions. `searchFields` are those in which `q` finds words. */
export async function listTransactions(
  db: Database,
  tenantId: string,
  given: TransactionList,
  searchFields: readonly string[] = SEARCH_FIELDS,
): Promise<ListPage<TransactionRecord>> {
  const list = await overDuplicates(db.pool, given);
  const where = conditionsOf(tenantId, list, await db.vault.tenantKeys(tenantId), searchFields);
  const open = async (rows: RecordRow[]) =>
    await Promise.all(rows.map(async (row) => (await openRow(db, row)).record));
  if (!isSearch(list)) return await readPage(db.pool, pageOfTransactions(tenantId, where, list), open);
  const { rows, total } = await readHits(db, where, list);
  return { items: await open(rows), total: list.wantsCount ? total : undefined };
}

export function pageOfTransactions(tenantId: string, where: SqlStatement, list: TransactionList): PageQuery {
  const matching = { text: `select id from transactions where ${where.text}`, values: where.values };
  return {
    matching,
    count: keptCount(tenantId, list, matching),
    orderBy: listOrder(list).orderBy,
    rows: `select ${READ_COLUMNS} from page join transactions using (id)`,
    range: list,
  };
}

/** The number from the statistics, for a list that is filtered by nothing but direction and status. */
function keptCount(
  tenantId: string,
  { filters }: TransactionList,
  matching: SqlStatement,
): SqlStatement | undefined {
  const { direction, status, ...others } = filters;
  if (Object.values(others).some((value) => value !== undefined)) return undefined;
  const choice = { tenantId, first: direction && [direction], second: status };
  return countRecords(TRANSACTIONS, choice, matching);
}

/** A counterparty stands for its duplicates too. */
async function overDuplicates(db: Queryable, list: TransactionList): Promise<TransactionList> {
  const { counterpartyEntityId: ids } = list.filters;
  if (!ids) return list;
  return { ...list, filters: { ...list.filters, counterpartyEntityId: await withDuplicates(db, ids) } };
}
