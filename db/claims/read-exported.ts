import { viewClaim } from '../../domain/claims/view-claim.ts';
import type { TransferClaim } from '../../domain/claims/schema.ts';
import type { ClaimFilter } from '../../domain/exports/resources/claims.ts';
import type { Database } from '../database.ts';
import { exportedRows } from '../exported-rows.ts';
import type { RecordRow } from '../records/record-table.ts';
import { openClaimRow } from './find-claim.ts';
import { READ_COLUMNS } from './row.ts';

const BATCH = 500;

/** The tenant's claims that fit, in batches, oldest first, without erased ones; all from one state of the database. */
export async function* readExportedClaims(
  db: Database,
  tenantId: string,
  { from, until, direction, status }: ClaimFilter,
): AsyncGenerator<TransferClaim[]> {
  const batches = exportedRows<RecordRow>(db, {
    table: 'claims as c',
    columns: READ_COLUMNS,
    tenantId,
    where: {
      'created_at >= ?': from,
      'created_at < ?': until,
      'direction = ?': direction,
      'status = any(?::text[])': status,
    },
    always: ['erased_at is null'],
    orderBy: 'created_at, id',
    batch: BATCH,
  });
  for await (const rows of batches)
    yield await Promise.all(rows.map(async (row) => viewClaim((await openClaimRow(db, row)).record)));
}
