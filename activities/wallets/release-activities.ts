import type { Database } from '../../db/database.ts';
import type { OutboxEntry } from '../../db/outbox.ts';
import { continueRelease, findOpenRelease } from '../../db/wallets/finish-release.ts';

/** Records of one step: some 200 ms of work, during which nobody else can change them. */
const BATCH = 200;

interface ReleaseDeps {
  db: Database;
  /** Tells the workflows of what was changed; what is not told now, the relay tells. */
  notifyWorkflows: (outbox: readonly OutboxEntry[]) => void;
  now: () => Date;
}

/** What a step brought; `total` counts all records of the release. */
export interface ReleaseStep {
  finished: number;
  total: number;
  isDone: boolean;
}

export function releaseActivities({ db, notifyWorkflows, now }: ReleaseDeps) {
  return {
    /** Log entries, webhooks and search words of the next records that a confirmed wallet has made visible. */
    async finishReleased({ id }: { id: string }): Promise<ReleaseStep> {
      const release = await findOpenRelease(db.pool, id);
      if (!release) return { finished: 0, total: 0, isDone: true };
      const { outbox, ...step } = await continueRelease(db, release, BATCH, now());
      notifyWorkflows(outbox);
      return step;
    },
  };
}
