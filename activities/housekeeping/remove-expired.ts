import { Context } from '@temporalio/activity';
import type { Database } from '../../db/database.ts';
import { removeOldExports } from '../../db/exports/remove-old-exports.ts';
import { dropPastAttempts, makeAttemptPartitions } from '../../db/housekeeping/attempt-partitions.ts';
import { removeExpired } from '../../db/housekeeping/remove-expired.ts';
import { removeStaleUploads } from '../../db/sanctions-lists/uploads.ts';
import { removeBrandingFiles } from '../../db/tenants/remove-branding-files.ts';
import { removeMarkedFiles } from '../../db/verifications/remove-files.ts';
import type { KeptForATime } from '../../domain/retention.ts';
import type { Storage } from '../../storage/storage.ts';

/** Small enough that no statement holds its locks for long. */
const BATCH = 1_000;
const BATCHES = 100;

interface HousekeepingDeps {
  db: Database;
  storage: Storage;
  now?: () => Date;
}

/** The activity of `housekeeping`. A repeat removes nothing that should stay. */
export function housekeepingActivities({ db, storage, now = () => new Date() }: HousekeepingDeps) {
  return {
    /**
     * Removes rows whose retention time is over, at most 100,000 one by one; `more` when there may be others. Files are marked first
     * and then deleted; if some cannot be, the step fails after the others were.
     */
    async removeExpired({ what }: { what: KeptForATime }): Promise<{ removed: number; more: boolean }> {
      // Uploads of lists are kept for the repeats under their keys.
      if (what === 'idempotencyKeys') await removeStaleUploads(db.pool);
      const months = what === 'webhookAttempts' ? await keepMonths(db) : 0;
      const result = await removeBatches(db, what);
      if (what === 'abandonedFiles') await removeUploads(db, storage, now());
      if (what === 'refusedFiles') await removeMarkedFiles(db.pool, deleterOf(storage));
      return { ...result, removed: months + result.removed };
    },
  };
}

/** Makes the partitions of the coming months and drops those that are past their time. Returns the number of attempts in these. */
async function keepMonths({ pool }: Database): Promise<number> {
  await makeAttemptPartitions(pool);
  let dropped = 0;
  for (let count = await dropPastAttempts(pool); count !== null; count = await dropPastAttempts(pool)) {
    dropped += count;
    Context.current().heartbeat();
  }
  return dropped;
}

async function removeBatches(db: Database, what: KeptForATime): Promise<{ removed: number; more: boolean }> {
  const { cancellationSignal } = Context.current();
  let removed = 0;
  for (let batch = 0; batch < BATCHES && !cancellationSignal.aborted; batch += 1) {
    const count = await removeExpired(db.pool, what, BATCH);
    removed += count;
    if (count < BATCH) return { removed, more: false };
    Context.current().heartbeat(removed);
  }
  return { removed, more: true };
}

/** Deletes the contents of marked files from the storage, including those that an earlier run left behind; and old exports. */
async function removeUploads(db: Database, storage: Storage, now: Date): Promise<void> {
  const failures = [
    ...(await removeBrandingFiles(db.pool, deleterOf(storage))),
    ...(await removeOldExports(db.pool, deleterOf(storage), now)),
  ];
  await removeMarkedFiles(db.pool, deleterOf(storage));
  const [cause] = failures;
  if (cause !== undefined)
    throw new Error(`${failures.length} logos, icons and exports could not be removed`, { cause });
}

function deleterOf(storage: Storage): (key: string) => Promise<void> {
  return async (key) => {
    Context.current().heartbeat();
    await storage.delete(key);
  };
}
