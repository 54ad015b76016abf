import type pg from 'pg';
import type { RowFault } from '../../domain/row-fault.ts';
import type { ImportOutcome } from '../../domain/wallets/wallet-import.ts';
import { type Database } from '../database.ts';
import { feedEntries } from '../events/feed-entries.ts';
import { deleteChunks, type UploadRef } from './chunks.ts';
import { sealingContext } from '../vault/contexts.ts';
import { TOOK_MS } from './import-row.ts';
import { inTransaction, type Queryable } from '../postgres.ts';

/**
 * Locks a running import until the end of the transaction. False when it has ended, or has written its wallets: then it
 * can only be DONE.
 */
export async function lockUnwritten(tx: Queryable, { tenantId, id }: UploadRef): Promise<boolean> {
  const { rows } = await tx.query(
    `select id from wallet_imports where tenant_id = $1 and id = $2 and state = 'RUNNING' and written_at is null
     for update`,
    [tenantId, id],
  );
  return rows.length > 0;
}

/** Stores what was registered, puts one entry into the change feed and deletes the file, in the transaction that writes the wallets. `now` is their confirmed_at. */
export async function storeWritten(
  tx: Queryable,
  upload: UploadRef,
  outcome: ImportOutcome,
  now: Date,
): Promise<void> {
  const { total, created, confirmed, skipped, sanctionedAddresses } = outcome;
  await tx.query(
    `with written as (
       update wallet_imports set written_at = $3, total = $4, created = $5, confirmed = $6, skipped = $7,
         sanctioned_addresses = $8
       where tenant_id = $1 and id = $2 returning tenant_id, id, 1 as version, created + confirmed as changed
     ) ${feedEntries({ kind: 'WALLET', type: 'IMPORTED', rows: 'written where changed > 0', at: '$3' })}`,
    [upload.tenantId, upload.id, now, total, created, confirmed, skipped, sanctionedAddresses],
  );
  await deleteChunks(tx, upload);
}

/** Ends an import whose wallets are written and announced. Does nothing when it has ended. */
export async function finishDone(db: Queryable, { tenantId, id }: UploadRef): Promise<void> {
  await db.query(
    `update wallet_imports set state = 'DONE', duration_ms = ${TOOK_MS}, finished_at = clock_timestamp()
     where tenant_id = $1 and id = $2 and state = 'RUNNING' and written_at is not null`,
    [tenantId, id],
  );
}

/** Ends an import whose file has faults. Does nothing when it has ended or has written its wallets. */
export async function finishInvalid(
  db: Database,
  upload: UploadRef,
  faults: readonly RowFault[],
): Promise<void> {
  const keys = await db.vault.tenantKeys(upload.tenantId);
  const sealed = keys.seal(sealingContext.walletImport.faults(upload.tenantId, upload.id), faults);
  await endUnwritten(db, upload, async (tx) => {
    await tx.query(
      `update wallet_imports set state = 'INVALID', faults = $3, duration_ms = ${TOOK_MS},
         finished_at = clock_timestamp() where tenant_id = $1 and id = $2`,
      [upload.tenantId, upload.id, sealed],
    );
  });
}

/**
 * Marks an import as failed, so that the next upload of the file starts a new one. Does nothing when it has ended or has
 * written its wallets.
 */
export async function finishFailed(db: Database, upload: UploadRef): Promise<void> {
  await endUnwritten(db, upload, async (tx) => {
    await tx.query(
      `update wallet_imports set state = 'FAILED', duration_ms = ${TOOK_MS}, finished_at = clock_timestamp()
       where tenant_id = $1 and id = $2`,
      [upload.tenantId, upload.id],
    );
  });
}

async function endUnwritten(
  db: Database,
  upload: UploadRef,
  write: (tx: pg.PoolClient) => Promise<void>,
): Promise<void> {
  await inTransaction(db.pool, async (tx) => {
    if (!(await lockUnwritten(tx, upload))) return;
    await write(tx);
    await deleteChunks(tx, upload);
  });
}
