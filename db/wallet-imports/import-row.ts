import type { RowFault } from '../../domain/row-fault.ts';
import type { ImportRecord, ImportState } from '../../domain/wallets/wallet-import.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { Database } from '../database.ts';

export interface ImportRow {
  id: string;
  tenant_id: string;
  state: ImportState;
  total: number | null;
  created: number | null;
  confirmed: number | null;
  skipped: number | null;
  sanctioned_addresses: string[] | null;
  duration_ms: number | null;
  faults: Buffer | null;
  created_at: Date;
  finished_at: Date | null;
}

export const IMPORT_COLUMNS =
  'id, tenant_id, state, total, created, confirmed, skipped, sanctioned_addresses, duration_ms, faults, created_at, finished_at';

/** SQL: milliseconds since the end of the upload. */
export const TOOK_MS = 'extract(epoch from clock_timestamp() - created_at) * 1000';

export async function toImport(db: Database, row: ImportRow): Promise<ImportRecord> {
  const { total, created, confirmed, skipped } = row;
  const isCounted = total !== null && created !== null && confirmed !== null && skipped !== null;
  const isShown = isCounted && row.state === 'DONE';
  return {
    id: row.id,
    state: row.state,
    outcome: isShown
      ? { total, created, confirmed, skipped, sanctionedAddresses: row.sanctioned_addresses ?? [] }
      : null,
    durationMs: row.duration_ms,
    faults: row.faults && (await openFaults(db, row, row.faults)),
    createdAt: row.created_at,
    finishedAt: row.finished_at,
  };
}

async function openFaults(db: Database, { tenant_id, id }: ImportRow, sealed: Buffer): Promise<RowFault[]> {
  const keys = await db.vault.tenantKeys(tenant_id, [sealed]);
  return keys.open<RowFault[]>(sealingContext.walletImport.faults(tenant_id, id), sealed);
}
