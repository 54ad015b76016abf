import {
  ActivityFailure,
  defineSignal,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { ROW_CHANGED, TASK_QUEUES, attributes, type RecordSubject } from './contract.ts';

const rowChangedSignal = defineSignal(ROW_CHANGED);

const { makeReport } = proxyActivities<Pick<Activities, 'makeReport'>>({
  taskQueue: TASK_QUEUES.reports,
  startToCloseTimeout: '1 hour',
  // A dead worker is detected by its missing heartbeats; the next one begins a new file and removes what was left.
  heartbeatTimeout: '10 seconds',
  retry: {
    initialInterval: '1 second',
    backoffCoefficient: 3,
    maximumInterval: '5 minutes',
    maximumAttempts: 8,
  },
});
const { giveReportUp } = proxyActivities<Pick<Activities, 'giveReportUp'>>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/**
 * Makes the file of one report. The row is authoritative; a repeated signal changes nothing. A report that cannot be made is
 * given up, and `monthlyReport` queues the month again.
 */
export async function reportGeneration({ id }: RecordSubject): Promise<string> {
  setHandler(rowChangedSignal, () => undefined);
  const { status, text } = await make(id);
  upsertSearchAttributes([{ key: attributes.status, value: status }]);
  setCurrentDetails(`**${status}**: ${text}`);
  return status;
}

async function make(id: string): Promise<{ status: string; text: string }> {
  try {
    const { status, month, rows } = await makeReport({ id });
    if (status === 'NOTHING_WAITS') return { status, text: 'the report was made before, or was given up.' };
    return { status, text: `${rows} transactions of ${month}.` };
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    await giveReportUp({ id });
    return { status: 'FAILED', text: 'the report could not be made; an earlier one of the month stays.' };
  }
}
