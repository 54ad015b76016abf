import type pg from 'pg';
import type { RowFault } from '../../domain/row-fault.ts';
import type { ImportCounts } from '../../domain/wallets/wallet-import.ts';
import { type Database } from '../database.ts';
import { deleteChunks, type UploadRef } from './chunks.ts';
import { sealingContext } from '../vault/contexts.ts';
import { TOOK_MS } from './import-row.ts';
import { inTransaction, type Queryable } from '../postgres.ts';

/** Locks a running import until the end of the transaction; false when it has ended. */
export async function lockRunningImport(tx: Queryable, { tenantId, id }: UploadRef): Promise<boolean> {
  const { rows } = await tx.query(
    `select id from wallet_imports where tenant_id = $1 and id = $2 and state = 'RUNNING' for update`,
    [tenantId, id],
  );
  return rows.length > 0;
}

/** Stores the result and deletes the file, in the transaction that writes the wallets. */
export async function finishDone(tx: Queryable, upload: UploadRef, counts: ImportCounts): Promise<void> {
  const { total, created, confirmed, skipped } = counts;
  await tx.query(
    `update wallet_imports set state = 'DONE', total = $3, created = $4, confirmed = $5, skipped = $6,
       duration_ms = ${TOOK_MS}, finished_at = clock_timestamp() where tenant_id = $1 and id = $2`,
    [upload.tenantId, upload.id, total, created, confirmed, skipped],
  );
  await deleteChunks(tx, upload);
}

/** Ends an import whose file has faults. Does nothing when it has ended. */
export async function finishInvalid(
  db: Database,
  upload: UploadRef,
  faults: readonly RowFault[],
): Promise<void> {
  const keys = await db.vault.tenantKeys(upload.tenantId);
  const sealed = keys.seal(sealingContext.walletImport.faults(upload.tenantId, upload.id), faults);
  await endRunning(db, upload, async (tx) => {
    await tx.query(
      `update wallet_imports set state = 'INVALID', faults = $3, duration_ms = ${TOOK_MS},
         finished_at = clock_timestamp() where tenant_id = $1 and id = $2`,
      [upload.tenantId, upload.id, sealed],
    );
  });
}

/** Marks an import as failed, so that the next upload of the file starts a new one. */
export async function finishFailed(db: Database, upload: UploadRef): Promise<void> {
  await endRunning(db, upload, async (tx) => {
    await tx.query(
      `update wallet_imports set state = 'FAILED', duration_ms = ${TOOK_MS}, finished_at = clock_timestamp()
       where tenant_id = $1 and id = $2`,
      [upload.tenantId, upload.id],
    );
  });
}

async function endRunning(
  db: Database,
  upload: UploadRef,
  write: (tx: pg.PoolClient) => Promise<void>,
): Promise<void> {
  await inTransaction(db.pool, async (tx) => {
    if (!(await lockRunningImport(tx, upload))) return;
    await write(tx);
    await deleteChunks(tx, upload);
  });
}
