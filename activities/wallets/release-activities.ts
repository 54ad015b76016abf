import { findOpenRelease } from '../../db/wallets/open-release.ts';
import {
  releaseNext,
  type ReleaseDeps,
  type ReleaseStep,
} from '../../transaction-screening/release-records.ts';

/** Records per step: some 300 ms of work. Verdicts of one step do not count each other. */
const BATCH = 50;

/** The activity of `walletRelease`. */
export function releaseActivities(deps: ReleaseDeps) {
  return {
    /** Releases the next records of a confirmed wallet, each with its verdict. */
    async finishReleased({ id }: { id: string }): Promise<ReleaseStep> {
      const release = await findOpenRelease(deps.db.pool, id);
      return release ? await releaseNext(deps, release, BATCH) : { finished: 0, total: 0, isDone: true };
    },
  };
}
