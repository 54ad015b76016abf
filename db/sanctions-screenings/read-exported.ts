import type { ExportedScreening, ScreeningFilter } from '../../domain/exports/resources/screenings.ts';
import type { SanctionsScreening } from '../../domain/sanctions-screening/schema.ts';
import type { Database } from '../database.ts';
import { exportedRows } from '../exported-rows.ts';
import { sealingContext } from '../vault/contexts.ts';
import { NOT_DELETED, TRANSFER_KEY } from './screened-transfer.ts';
import { openerOf } from './screening-row.ts';

/** A screening has its matches with it, so it may be large. */
const BATCH = 100;

interface KeptRow {
  id: string;
  answer: Buffer;
  transaction_id: string | null;
  record_key: Buffer | null;
}

/**
 * The tenant's sanctions screenings that fit, with their matches, in batches, oldest first, without those of deleted
 * transactions; all from one state of the database.
 */
export async function* readExportedScreenings(
  db: Database,
  tenantId: string,
  { from, until, kind, sanctioned }: ScreeningFilter,
): AsyncGenerator<ExportedScreening[]> {
  const batches = exportedRows<KeptRow>(db, {
    table: 'screenings',
    columns: `id, answer, transaction_id, ${TRANSFER_KEY}`,
    tenantId,
    where: {
      'created_at >= ?': from,
      'created_at < ?': until,
      'kind = ?': kind,
      'sanctioned = ?': sanctioned,
    },
    always: [NOT_DELETED],
    orderBy: 'created_at, id',
    batch: BATCH,
  });
  for await (const rows of batches) yield await opened(db, tenantId, rows);
}

async function opened(
  db: Database,
  tenantId: string,
  rows: readonly KeptRow[],
): Promise<ExportedScreening[]> {
  const keys = await db.vault.tenantKeys(
    tenantId,
    rows.map(({ record_key, answer }) => record_key ?? answer),
  );
  return rows.map((row) => {
    const context = sealingContext.sanctionsScreening.answer(tenantId, row.id);
    const screening = openerOf(keys, tenantId, row).open<SanctionsScreening>(context, row.answer);
    return { ...screening, transactionId: row.transaction_id };
  });
}
