import { finishRelease } from '../../domain/transactions/lifecycle/release.ts';
import { type Database } from '../database.ts';
import type { OutboxEntry } from '../outbox.ts';
import { openRow } from '../transactions/find-transaction.ts';
import { READ_COLUMNS, type TransactionRow } from '../transactions/row.ts';
import { writeChanges, type TransactionWrite } from '../transactions/write-changes.ts';
import { inTransaction, type Queryable } from '../postgres.ts';

export interface WalletRelease {
  id: string;
  tenantId: string;
}

interface FinishedBatch {
  finished: number;
  outbox: OutboxEntry[];
}

/**
 * Writes what up to `limit` released records still lack: log entry, webhook and search words. A record that was changed
 * since its release got them with that change. Must run inside a transaction.
 */
export async function finishReleaseBatch(
  db: Database,
  tx: Queryable,
  release: WalletRelease,
  limit: number,
  now: Date,
): Promise<FinishedBatch> {
  const { rows } = await tx.query<TransactionRow>(
    `select ${READ_COLUMNS} from transactions where tenant_id = $1 and release_id = $2
     order by id limit $3 for no key update`,
    [release.tenantId, release.id, limit],
  );
  const writes: TransactionWrite[] = [];
  for (const row of rows) {
    const open = await openRow(db, row);
    writes.push({ open, change: finishRelease(open.record, now), isNew: false, forwarded: null });
  }
  if (writes.length === 0) return { finished: 0, outbox: [] };
  const { outbox } = await writeChanges(db, tx, writes, now);
  return { finished: writes.length, outbox };
}

/** How far a release has come. */
export interface ReleaseProgress extends FinishedBatch {
  total: number;
  isDone: boolean;
}

/** The next batch of a release, in a transaction of its own; doing it again goes on where the last one ended. */
export async function continueRelease(
  db: Database,
  release: WalletRelease,
  limit: number,
  now: Date,
): Promise<ReleaseProgress> {
  return await inTransaction(db.pool, async (tx) => {
    const batch = await finishReleaseBatch(db, tx, release, limit, now);
    const { rows } = await tx.query<{ total: number; is_done: boolean }>(
      `update wallet_releases r
       set wake_at = case when l.is_left then $3::timestamptz end,
         finished_at = case when l.is_left then null else coalesce(r.finished_at, $3::timestamptz) end
       from (select exists (select 1 from transactions where release_id = $1) as is_left) l
       where r.id = $1 and r.tenant_id = $2 returning r.total, not l.is_left as is_done`,
      [release.id, release.tenantId, now],
    );
    const row = rows[0];
    return { ...batch, total: row?.total ?? 0, isDone: row?.is_done ?? true };
  });
}

/** Whose release an id is: for processes that were started by id alone. Undefined when it is finished. */
export async function findOpenRelease(db: Queryable, id: string): Promise<WalletRelease | undefined> {
  const { rows } = await db.query<{ tenant_id: string }>(
    'select tenant_id from wallet_releases where id = $1 and wake_at is not null',
    [id],
  );
  return rows[0] && { id, tenantId: rows[0].tenant_id };
}
