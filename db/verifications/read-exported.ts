import type { VerificationFilter } from '../../domain/exports/resources/verifications.ts';
import type { WalletVerification } from '../../domain/verifications/schema.ts';
import { viewVerification } from '../../domain/verifications/view-verification.ts';
import type { Database } from '../database.ts';
import { exportedRows } from '../exported-rows.ts';
import type { RecordRow } from '../records/record-table.ts';
import { openVerificationRow } from './find-verification.ts';
import { READ_COLUMNS } from './row.ts';

const BATCH = 200;

/** Whoever has the address of the hosted page may give the proof, so no file has it. */
const NO_PAGE = { token: null, url: null };

/** The tenant's verifications that fit, in batches, oldest first, without deleted ones; all from one state of the database. */
export async function* readExportedVerifications(
  db: Database,
  tenantId: string,
  { from, until, status, flow, step }: VerificationFilter,
): AsyncGenerator<WalletVerification[]> {
  const batches = exportedRows<RecordRow>(db, {
    table: 'verifications as v',
    columns: READ_COLUMNS,
    tenantId,
    where: {
      'created_at >= ?': from,
      'created_at < ?': until,
      'status = any(?::text[])': status,
      'flow = any(?::text[])': flow,
      'steps @> any(?::jsonb[])': step?.map((each) => JSON.stringify([{ status: each }])),
    },
    always: ['deleted_at is null'],
    orderBy: 'created_at, id',
    batch: BATCH,
  });
  for await (const rows of batches)
    yield await Promise.all(
      rows.map(async (row) => viewVerification((await openVerificationRow(db, row)).record, NO_PAGE)),
    );
}
