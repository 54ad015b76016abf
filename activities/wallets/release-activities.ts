import type { Database } from '../../db/database.ts';
import type { OutboxEntry } from '../../db/outbox.ts';
import { continueRelease, findOpenRelease } from '../../db/wallets/finish-release.ts';

/** Records per step: some 200 ms of work, during which they are locked. */
const BATCH = 200;

interface ReleaseDeps {
  db: Database;
  /** Notifies the workflows of changed rows; the relay delivers what fails here. */
  notifyWorkflows: (outbox: readonly OutboxEntry[]) => void;
  now: () => Date;
}

/** The progress of a step; `total` counts all records of the release. */
export interface ReleaseStep {
  finished: number;
  total: number;
  isDone: boolean;
}

/** The activity of `walletRelease`. */
export function releaseActivities({ db, notifyWorkflows, now }: ReleaseDeps) {
  return {
    /** Writes events, webhooks and search tokens of the next records that a confirmed wallet has made visible. */
    async finishReleased({ id }: { id: string }): Promise<ReleaseStep> {
      const release = await findOpenRelease(db.pool, id);
      if (!release) return { finished: 0, total: 0, isDone: true };
      const { outbox, ...step } = await continueRelease(db, release, BATCH, now());
      notifyWorkflows(outbox);
      return step;
    },
  };
}
