import type { ReportedTransaction } from '../../domain/reports/report-row.ts';
import type { Database } from '../database.ts';
import { rowsInSnapshot } from '../postgres.ts';
import type { RecordRow } from '../records/record-table.ts';
import { openRow } from './find-transaction.ts';
import { READ_COLUMNS } from './row.ts';

/** A tenant's transactions created in `from <= createdAt < until`. */
interface ReportedPeriod {
  tenantId: string;
  from: Date;
  until: Date;
}

/** A batch is opened within some 50 ms and is at most some megabytes. */
const BATCH = 500;

const STATEMENT = `
  select ${READ_COLUMNS}, (select name from entities where entities.id = counterparty_entity_id) as directory_name
  from transactions
  where tenant_id = $1 and created_at >= $2 and created_at < $3 and deleted_at is null
  order by created_at, id`;

type ReportedRow = RecordRow & { directory_name: string | null };

/** The transactions of a period in batches, oldest first, without deleted ones. All are read from one state of the database. */
export async function* readPeriod(
  db: Database,
  { tenantId, from, until }: ReportedPeriod,
): AsyncGenerator<ReportedTransaction[]> {
  const statement = { text: STATEMENT, values: [tenantId, from, until] };
  for await (const rows of rowsInSnapshot<ReportedRow>(db.pool, statement, BATCH)) {
    yield await Promise.all(
      rows.map(async (row) => ({
        record: (await openRow(db, row)).record,
        directoryName: row.directory_name,
      })),
    );
  }
}
