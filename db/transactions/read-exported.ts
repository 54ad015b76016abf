import type { TransactionFilter } from '../../domain/exports/resources/transactions.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { Database } from '../database.ts';
import { exportedRows } from '../exported-rows.ts';
import type { RecordRow } from '../records/record-table.ts';
import { openRow } from './find-transaction.ts';
import { READ_COLUMNS } from './row.ts';

/** A batch is opened within some 50 ms and is at most some megabytes. */
const BATCH = 500;

/** The tenant's transactions that fit, in batches, oldest first, without deleted ones; all from one state of the database. */
export async function* readExportedTransactions(
  db: Database,
  tenantId: string,
  { from, until, direction, status }: TransactionFilter,
): AsyncGenerator<TransactionRecord[]> {
  const batches = exportedRows<RecordRow>(db, {
    table: 'transactions',
    columns: READ_COLUMNS,
    tenantId,
    where: {
      'created_at >= ?': from,
      'created_at < ?': until,
      'direction = ?': direction,
      'status = any(?::text[])': status,
    },
    always: ['deleted_at is null'],
    orderBy: 'created_at, id',
    batch: BATCH,
  });
  for await (const rows of batches)
    yield await Promise.all(rows.map(async (row) => (await openRow(db, row)).record));
}
