import {
  ActivityFailure,
  ApplicationFailure,
  isCancellation,
  patched,
  proxyActivities,
  setCurrentDetails,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { KEPT_SECONDS, type KeptForATime } from '../domain/retention.ts';

const { removeExpired } = proxyActivities<Pick<Activities, 'removeExpired'>>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '30 seconds',
  retry: {
    initialInterval: '1 second',
    backoffCoefficient: 2,
    maximumInterval: '1 minute',
    maximumAttempts: 8,
  },
});

const ADDRESS_ANSWERS = 'address-answers';

/** At most 10 million rows of a kind per run; the next run removes the rest. */
const MAX_ROUNDS = 100;

/**
 * Removes rows whose retention time is over. Returns the number of rows by kind, for operators. A kind that cannot be
 * removed, also after two minutes, keeps no other from it; the run then fails at its end, and the next one tries again.
 */
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
    countedTries: 0,
    mails: 0,
    userLinks: 0,
    addressAnswers: 0,
  };
  const failed: KeptForATime[] = [];
  for (const what of kinds()) {
    try {
      await removeAll(what, removed);
    } catch (error) {
      if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
      failed.push(what);
    }
  }
  setCurrentDetails(
    Object.entries(removed)
      .map(([what, count]) => `- ${what}: ${count} removed`)
      .join('\n'),
  );
  if (failed.length > 0)
    throw ApplicationFailure.nonRetryable(
      `Could not be removed in full: ${failed.join(', ')}.`,
      'NOT_REMOVED',
    );
  return removed;
}

/** A kind that is added later comes last, and only in runs that began with it. */
function kinds(): KeptForATime[] {
  const all = Object.keys(KEPT_SECONDS) as KeptForATime[];
  return patched(ADDRESS_ANSWERS) ? all : all.filter((what) => what !== 'addressAnswers');
}

async function removeAll(what: KeptForATime, removed: Record<KeptForATime, number>): Promise<void> {
  let more = true;
  for (let round = 0; more && round < MAX_ROUNDS; round += 1) {
    const step = await removeExpired({ what });
    removed[what] += step.removed;
    ({ more } = step);
  }
}
