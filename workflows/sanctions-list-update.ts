import {
  ActivityFailure,
  proxyActivities,
  setCurrentDetails,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { attributes, type ListUpdate } from './contract.ts';

const { fetchList } = proxyActivities<Pick<Activities, 'fetchList'>>({
  startToCloseTimeout: '30 minutes',
  heartbeatTimeout: '10 seconds',
  // Retries within the hour; then the schedule starts the next check.
  retry: { initialInterval: '10 seconds', backoffCoefficient: 6, maximumAttempts: 4 },
});
const { importList } = proxyActivities<Pick<Activities, 'importList'>>({
  startToCloseTimeout: '1 hour',
  // A dead worker is detected by its missing heartbeats; the next one starts again, since nothing was switched.
  heartbeatTimeout: '10 seconds',
  scheduleToCloseTimeout: '3 hours',
  retry: { initialInterval: '500 ms', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});
const { giveListUp } = proxyActivities<Pick<Activities, 'giveListUp'>>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** The result that operators read, with the number of the new version. */
interface ListUpdateResult {
  outcome: 'UNCHANGED' | 'ACTIVATED' | 'REJECTED' | 'UNREADABLE' | 'LOST' | 'FAILED' | 'FETCH_FAILED';
  version: number | null;
}

/** What operators read of the end. */
const OUTCOMES: Record<ListUpdateResult['outcome'], string> = {
  UNCHANGED: 'there was nothing new.',
  ACTIVATED: 'the new version is in use.',
  REJECTED: 'the new version differs too much from the one in use, which stays.',
  UNREADABLE: 'the files are no list of this kind; the version in use stays.',
  LOST: 'the files are gone; upload them again, or wait for the next check.',
  FAILED: 'the import could not be finished; the version in use stays.',
  FETCH_FAILED: 'the publisher could not be reached; the schedule tries again.',
};

/** Updates one list, from its publisher or from files that an operator has uploaded. */
export async function sanctionsListUpdate(update: ListUpdate): Promise<ListUpdateResult> {
  const result = await run(update);
  upsertSearchAttributes([{ key: attributes.status, value: result.outcome }]);
  setCurrentDetails(`**${result.outcome}**: ${OUTCOMES[result.outcome]}`);
  return result;
}

async function run({ code, uploadId }: ListUpdate): Promise<ListUpdateResult> {
  const id = uploadId ?? (await fetched(code));
  if (id === 'FETCH_FAILED') return { outcome: id, version: null };
  if (id === null) return { outcome: 'UNCHANGED', version: null };
  try {
    return await importList({ code, uploadId: id });
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    await giveListUp({ code, uploadId: id });
    return { outcome: 'FAILED', version: null };
  }
}

async function fetched(code: string): Promise<string | null> {
  try {
    return (await fetchList({ code })).uploadId;
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    return 'FETCH_FAILED';
  }
}
