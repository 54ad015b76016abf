import {
  countResumed,
  findOldestPaused,
  findOpenRelease,
  queueOldestWebhooks,
  type OpenRelease,
} from '../../db/brakes/take-up.ts';
import { countWaiting } from '../../db/brakes/count-waiting.ts';
import type { Database } from '../../db/database.ts';
import { resumeMessage } from '../../db/lifecycle/pause-message.ts';
import type { OutboxEntry } from '../../db/outbox.ts';
import { inTransaction } from '../../db/postgres.ts';

interface BrakeDeps {
  db: Database;
  now: () => Date;
  notifyWorkflows: (outbox: readonly OutboxEntry[]) => void;
}

/** How far a release has come; DONE also where there is none under way. */
export interface ReleaseProgress {
  resumed: number;
  waiting: number;
  perSecond: number;
  isDone: boolean;
}

/** The activity of `brakeRelease`. */
export function brakeActivities(deps: BrakeDeps) {
  return {
    /** Takes up what a brake has held back, the oldest first: as many messages or webhooks as one second allows. */
    async takeUpOldest({ id }: { id: string }): Promise<ReleaseProgress> {
      const release = await findOpenRelease(deps.db.pool, id);
      if (!release) return { resumed: 0, waiting: 0, perSecond: 0, isDone: true };
      const taken =
        release.kind === 'WEBHOOKS' ? await queueWebhooks(deps, release) : await resumeOldest(deps, release);
      const waiting = await countWaiting(deps.db.pool, release);
      return { resumed: release.resumed + taken, waiting, perSecond: release.perSecond, isDone: taken === 0 };
    },
  };
}

async function resumeOldest({ db, now, notifyWorkflows }: BrakeDeps, release: OpenRelease): Promise<number> {
  const paused = await findOldestPaused(db.pool, release);
  for (const message of paused) {
    const { outbox } = await resumeMessage(db, message, release.id, now());
    notifyWorkflows(outbox);
  }
  if (paused.length === 0) await countResumed(db.pool, release.id, { resumed: 0, isDone: true, now: now() });
  return paused.length;
}

/** The relay starts the deliveries. */
async function queueWebhooks({ db, now }: BrakeDeps, release: OpenRelease): Promise<number> {
  return await inTransaction(db.pool, async (tx) => {
    const queued = await queueOldestWebhooks(tx, release, now());
    await countResumed(tx, release.id, { resumed: queued, isDone: queued === 0, now: now() });
    return queued;
  });
}
