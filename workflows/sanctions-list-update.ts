import { ActivityFailure, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { ListUpdate } from './contract.ts';

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

/** Updates one list, from its publisher or from files that an operator has uploaded. */
export async function sanctionsListUpdate(update: ListUpdate): Promise<ListUpdateResult> {
  const result = await run(update);
  setCurrentDetails(`${update.code}: ${result.outcome}`);
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
