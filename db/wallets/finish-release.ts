import { finishRelease } from '../../domain/transactions/lifecycle/release.ts';
import { type Database } from '../database.ts';
import type { OutboxEntry } from '../outbox.ts';
import { openRow } from '../transactions/find-transaction.ts';
import type { RecordRow } from '../records/record-table.ts';
import { READ_COLUMNS } from '../transactions/row.ts';
import { writeChanges, type TransactionWrite } from '../transactions/write-changes.ts';
import { inTransaction, type Queryable } from '../postgres.ts';

export interface WalletRelease {
  id: string;
  tenantId: string;
}

interface ReleaseBatch {
  release: WalletRelease;
  limit: number;
  now: Date;
}

interface FinishedBatch {
  finished: number;
  outbox: OutboxEntry[];
}

/**
 * Writes the missing event, webhook and search tokens of up to `limit` released records. A record that changed after
 * its release got them with that change. Must run inside a transaction.
 */
export async function finishReleaseBatch(
  db: Database,
  tx: Queryable,
  { release, limit, now }: ReleaseBatch,
): Promise<FinishedBatch> {
  const { rows } = await tx.query<RecordRow>(
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

/** The progress of a release. */
export interface ReleaseProgress extends FinishedBatch {
  total: number;
  isDone: boolean;
}

/** Finishes the next batch of a release in a separate transaction; a repeat continues after the last batch. */
export async function continueRelease(
  db: Database,
  release: WalletRelease,
  limit: number,
  now: Date,
): Promise<ReleaseProgress> {
  return await inTransaction(db.pool, async (tx) => {
    const batch = await finishReleaseBatch(db, tx, { release, limit, now });
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

/** An unfinished release by its id alone, for workflows; undefined when it is finished. */
export async function findOpenRelease(db: Queryable, id: string): Promise<WalletRelease | undefined> {
  const { rows } = await db.query<{ tenant_id: string }>(
    'select tenant_id from wallet_releases where id = $1 and wake_at is not null',
    [id],
  );
  return rows[0] && { id, tenantId: rows[0].tenant_id };
}
