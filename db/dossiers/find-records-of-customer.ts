import { partiesOfCustomer } from '../../domain/exports/dossier/parties-of-customer.ts';
import type { Database } from '../database.ts';
import { exportedRows } from '../exported-rows.ts';
import type { RecordRow } from '../records/record-table.ts';
import { openRow } from '../transactions/find-transaction.ts';
import { READ_COLUMNS as TRANSACTION_COLUMNS } from '../transactions/row.ts';
import { openVerificationRow } from '../verifications/find-verification.ts';
import { READ_COLUMNS as VERIFICATION_COLUMNS } from '../verifications/row.ts';

const BATCH = 100;

/** Records of one kind that name a customer. */
export interface RecordsOfCustomer {
  /** Oldest first. */
  ids: string[];
  /** How many the tenant has deleted that are still kept. */
  deleted: number;
}

/** Whose records are looked for. */
export interface SoughtCustomer {
  tenantId: string;
  customerIdentification: string;
}

/**
 * The tenant's transactions with this customer on its own side. All of the tenant's are opened, since no index knows every party
 * that is the customer.
 */
export async function findTransactionsOfCustomer(
  db: Database,
  { tenantId, customerIdentification }: SoughtCustomer,
): Promise<RecordsOfCustomer> {
  return await matching(
    kept(db, { table: 'transactions', columns: TRANSACTION_COLUMNS, tenantId }),
    async (row) => {
      const { record } = await openRow(db, row);
      return partiesOfCustomer(record, customerIdentification).length > 0;
    },
  );
}

/** The tenant's verifications that name this customer. All of the tenant's are opened, since the name is in no index. */
export async function findVerificationsOfCustomer(
  db: Database,
  { tenantId, customerIdentification }: SoughtCustomer,
): Promise<RecordsOfCustomer> {
  return await matching(
    kept(db, { table: 'verifications as v', columns: VERIFICATION_COLUMNS, tenantId }),
    async (row) => {
      const { record } = await openVerificationRow(db, row);
      return record.personal.customerIdentification === customerIdentification;
    },
  );
}

/** All records that are not erased, deleted ones too. */
function kept(
  db: Database,
  source: { table: string; columns: string; tenantId: string },
): AsyncGenerator<RecordRow[]> {
  const order = { orderBy: 'created_at, id', batch: BATCH };
  return exportedRows<RecordRow>(db, { ...source, ...order, where: {}, always: ['erased_at is null'] });
}

async function matching(
  batches: AsyncIterable<readonly RecordRow[]>,
  isOfCustomer: (row: RecordRow) => Promise<boolean>,
): Promise<RecordsOfCustomer> {
  const found: RecordsOfCustomer = { ids: [], deleted: 0 };
  for await (const rows of batches)
    for (const row of rows) {
      if (!(await isOfCustomer(row))) continue;
      if (row['deleted_at'] === null) found.ids.push(row.id);
      else found.deleted += 1;
    }
  return found;
}
