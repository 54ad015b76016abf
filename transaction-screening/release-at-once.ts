import type { WalletRelease } from '../db/wallets/open-release.ts';
import { queueRelease, RELEASED_AT_ONCE } from '../db/wallets/release-transactions.ts';
import { releaseNext, type ReleaseDeps } from './release-records.ts';

/** How long whoever confirms a wallet waits for its release. */
const RELEASE_LIMIT_MS = 2_000;

/** Releases the few records of a wallet that was just confirmed. Null: nothing is to be released. */
export type ReleaseAtOnce = (release: WalletRelease | null) => Promise<void>;

/** Releases within the request that confirms the wallet; what takes longer or fails is left to the workflow. */
export function immediateReleaser(deps: ReleaseDeps, limitMs = RELEASE_LIMIT_MS): ReleaseAtOnce {
  return async (release) => {
    if (release === null || (await isDoneInTime(deps, release, limitMs))) return;
    deps.notifyWorkflows(await queueRelease(deps.db.pool, release, deps.now()));
  };
}

async function isDoneInTime(deps: ReleaseDeps, release: WalletRelease, limitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), limitMs);
  });
  try {
    return await Promise.race([isDone(deps, release), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function isDone(deps: ReleaseDeps, release: WalletRelease): Promise<boolean> {
  try {
    return (await releaseNext(deps, release, RELEASED_AT_ONCE)).isDone;
  } catch (error) {
    deps.report('releaseAtOnce', error);
    return false;
  }
}
