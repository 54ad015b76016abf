import { notFound } from '../../domain/errors.ts';
import type { ImportRecord, ImportState } from '../../domain/wallets/wallet-import.ts';
import type { Database } from '../database.ts';
import { IMPORT_COLUMNS, toImport, type ImportRow } from './import-row.ts';
import type { Queryable } from '../postgres.ts';

/** Reads an import. Throws not_found, also for another tenant's. */
export async function getImport(db: Database, tenantId: string, id: string): Promise<ImportRecord> {
  const { rows } = await db.pool.query<ImportRow>(
    `select ${IMPORT_COLUMNS} from wallet_imports where tenant_id = $1 and id = $2`,
    [tenantId, id],
  );
  if (!rows[0]) throw notFound('import');
  return await toImport(db, rows[0]);
}

/** The state of an import; undefined when it does not exist. */
export async function getImportState(
  db: Queryable,
  tenantId: string,
  id: string,
): Promise<ImportState | undefined> {
  const { rows } = await db.query<{ state: ImportState }>(
    'select state from wallet_imports where tenant_id = $1 and id = $2',
    [tenantId, id],
  );
  return rows[0]?.state;
}

/** Records that a caller received the result: the next upload of the file is a new import. */
export async function markResultReceived(db: Queryable, tenantId: string, id: string): Promise<void> {
  await db.query(
    'update wallet_imports set told_at = now() where tenant_id = $1 and id = $2 and told_at is null',
    [tenantId, id],
  );
}
