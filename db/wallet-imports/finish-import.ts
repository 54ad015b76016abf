import type pg from 'pg';
import type { RowFault } from '../../domain/row-fault.ts';
import type { ImportCounts } from '../../domain/wallets/wallet-import.ts';
import { type Database } from '../database.ts';
import { deleteChunks, type UploadPlace } from './chunks.ts';
import { sealingContext } from '../vault/contexts.ts';
import { TOOK_MS } from './import-row.ts';
import { inTransaction, type Queryable } from '../postgres.ts';

/** Holds an import until the end of the transaction; false when it has ended already. */
export async function lockRunningImport(tx: Queryable, { tenantId, id }: UploadPlace): Promise<boolean> {
  const { rows } = await tx.query(
    `select id from wallet_imports where tenant_id = $1 and id = $2 and state = 'RUNNING' for update`,
    [tenantId, id],
  );
  return rows.length > 0;
}

/** Writes the result and removes the file, in the transaction that writes the wallets. */
export async function finishDone(tx: Queryable, place: UploadPlace, counts: ImportCounts): Promise<void> {
  const { total, created, confirmed, skipped } = counts;
  await tx.query(
    `update wallet_imports set state = 'DONE', total = $3, created = $4, confirmed = $5, skipped = $6,
       duration_ms = ${TOOK_MS}, finished_at = clock_timestamp() where tenant_id = $1 and id = $2`,
    [place.tenantId, place.id, total, created, confirmed, skipped],
  );
  await deleteChunks(tx, place);
}

/** Ends an import whose file has faults; nothing when it has ended already. */
export async function finishInvalid(
  db: Database,
  place: UploadPlace,
  faults: readonly RowFault[],
): Promise<void> {
  const keys = await db.vault.tenantKeys(place.tenantId);
  const sealed = keys.seal(sealingContext.walletImport.faults(place.tenantId, place.id), faults);
  await endRunning(db, place, async (tx) => {
    await tx.query(
      `update wallet_imports set state = 'INVALID', faults = $3, duration_ms = ${TOOK_MS},
         finished_at = clock_timestamp() where tenant_id = $1 and id = $2`,
      [place.tenantId, place.id, sealed],
    );
  });
}

/** Gives an import up that cannot be done, so that the next upload of the file begins anew. */
export async function finishFailed(db: Database, place: UploadPlace): Promise<void> {
  await endRunning(db, place, async (tx) => {
    await tx.query(
      `update wallet_imports set state = 'FAILED', duration_ms = ${TOOK_MS}, finished_at = clock_timestamp()
       where tenant_id = $1 and id = $2`,
      [place.tenantId, place.id],
    );
  });
}

async function endRunning(
  db: Database,
  place: UploadPlace,
  write: (tx: pg.PoolClient) => Promise<void>,
): Promise<void> {
  await inTransaction(db.pool, async (tx) => {
    if (!(await lockRunningImport(tx, place))) return;
    await write(tx);
    await deleteChunks(tx, place);
  });
}
