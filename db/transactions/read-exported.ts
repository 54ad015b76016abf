import type { ExportFilter } from '../../domain/exports/export.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { Database } from '../database.ts';
import { rowsInSnapshot } from '../postgres.ts';
import type { RecordRow } from '../records/record-table.ts';
import { openRow } from './find-transaction.ts';
import { READ_COLUMNS } from './row.ts';

/** A batch is opened within some 50 ms and is at most some megabytes. */
const BATCH = 500;

const STATEMENT = `
  select ${READ_COLUMNS} from transactions
  where tenant_id = $1 and deleted_at is null
    and ($2::timestamptz is null or created_at >= $2) and ($3::timestamptz is null or created_at < $3)
    and ($4::text is null or direction = $4) and ($5::text[] is null or status = any($5))
  order by created_at, id`;

/** The tenant's transactions that fit, in batches, oldest first, without deleted ones; all from one state of the database. */
export async function* readExported(
  db: Database,
  tenantId: string,
  { from, until, direction, status }: ExportFilter,
): AsyncGenerator<TransactionRecord[]> {
  const values = [tenantId, from ?? null, until ?? null, direction ?? null, status ?? null];
  for await (const rows of rowsInSnapshot<RecordRow>(db.pool, { text: STATEMENT, values }, BATCH))
    yield await Promise.all(rows.map(async (row) => (await openRow(db, row)).record));
}
