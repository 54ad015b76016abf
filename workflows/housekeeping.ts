import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { KEPT_SECONDS, type KeptForATime } from '../domain/retention.ts';

const { removeExpired } = proxyActivities<Pick<Activities, 'removeExpired'>>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** At most 10 million rows of a kind per run; the next run removes the rest. */
const MAX_ROUNDS = 100;

/** Removes rows whose retention time is over. Returns the number of rows by kind, for operators. */
export async function housekeeping(): Promise<Record<KeptForATime, number>> {
  const removed = {
    idempotencyKeys: 0,
    webhookBodies: 0,
    webhookAttempts: 0,
    walletImports: 0,
    walletUploads: 0,
    abandonedFiles: 0,
    refusedFiles: 0,
    prices: 0,
    screenings: 0,
    amlChecks: 0,
    walletChecks: 0,
    userSessions: 0,
    failedSignIns: 0,
  };
  for (const what of Object.keys(KEPT_SECONDS) as KeptForATime[]) {
    let more = true;
    for (let round = 0; more && round < MAX_ROUNDS; round += 1) {
      const step = await removeExpired({ what });
      removed[what] += step.removed;
      ({ more } = step);
    }
  }
  setCurrentDetails(
    Object.entries(removed)
      .map(([what, count]) => `- ${what}: ${count} removed`)
      .join('\n'),
  );
  return removed;
}
