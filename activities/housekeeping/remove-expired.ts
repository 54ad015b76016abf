import { Context } from '@temporalio/activity';
import type { Database } from '../../db/database.ts';
import { removeExpired } from '../../db/housekeeping/remove-expired.ts';
import type { KeptForATime } from '../../domain/retention.ts';

/** Small enough that no statement holds its locks for long. */
const BATCH = 1_000;
const BATCHES = 100;

/** The step of `housekeeping`. Doing it twice removes nothing that should have stayed. */
export function housekeepingActivities({ db }: { db: Database }) {
  return {
    /** Removes what is older than its time, 100,000 rows at most; `more` when there may be others. */
    async removeExpired({ what }: { what: KeptForATime }): Promise<{ removed: number; more: boolean }> {
      const { cancellationSignal } = Context.current();
      let removed = 0;
      for (let batch = 0; batch < BATCHES && !cancellationSignal.aborted; batch += 1) {
        const count = await removeExpired(db.pool, what, BATCH);
        removed += count;
        if (count < BATCH) return { removed, more: false };
        Context.current().heartbeat(removed);
      }
      return { removed, more: true };
    },
  };
}
