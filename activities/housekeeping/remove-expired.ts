import { Context } from '@temporalio/activity';
import type { Database } from '../../db/database.ts';
import { removeExpired } from '../../db/housekeeping/remove-expired.ts';
import { removeStaleUploads } from '../../db/sanctions-lists/uploads.ts';
import { removeMarkedFiles } from '../../db/verifications/remove-files.ts';
import type { KeptForATime } from '../../domain/retention.ts';
import type { Storage } from '../../storage/storage.ts';

/** Small enough that no statement holds its locks for long. */
const BATCH = 1_000;
const BATCHES = 100;

/** The activity of `housekeeping`. A repeat removes nothing that should stay. */
export function housekeepingActivities({ db, storage }: { db: Database; storage: Storage }) {
  return {
    /** Removes rows whose retention time is over, at most 100,000; `more` when there may be others. */
    async removeExpired({ what }: { what: KeptForATime }): Promise<{ removed: number; more: boolean }> {
      const { cancellationSignal } = Context.current();
      let removed = 0;
      // Uploads of lists are kept for the repeats under their keys.
      if (what === 'idempotencyKeys') await removeStaleUploads(db.pool);
      for (let batch = 0; batch < BATCHES && !cancellationSignal.aborted; batch += 1) {
        const count = await removeExpired(db.pool, what, BATCH);
        removed += count;
        if (what === 'abandonedFiles' || what === 'refusedFiles') await removeFromStorage(db, storage);
        if (count < BATCH) return { removed, more: false };
        Context.current().heartbeat(removed);
      }
      return { removed, more: true };
    },
  };
}

/** Deletes the contents of marked files from the storage, including those that an earlier run left behind. */
async function removeFromStorage(db: Database, storage: Storage): Promise<void> {
  while ((await removeMarkedFiles(db.pool, async (key) => await storage.delete(key))) > 0) {
    Context.current().heartbeat();
  }
}
