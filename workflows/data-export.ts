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

const { makeExport } = proxyActivities<Pick<Activities, 'makeExport'>>({
  taskQueue: TASK_QUEUES.reports,
  startToCloseTimeout: '90 minutes',
  // A dead worker is detected by its missing heartbeats; the next one begins a new file and removes what was left.
  heartbeatTimeout: '10 seconds',
  retry: {
    initialInterval: '1 second',
    backoffCoefficient: 3,
    maximumInterval: '5 minutes',
    maximumAttempts: 8,
  },
});
const { giveExportUp } = proxyActivities<Pick<Activities, 'giveExportUp'>>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** Makes the file of one export. The row is authoritative; a repeated signal changes nothing. */
export async function dataExport({ id }: RecordSubject): Promise<string> {
  setHandler(rowChangedSignal, () => undefined);
  const { status, text } = await make(id);
  upsertSearchAttributes([{ key: attributes.status, value: status }]);
  setCurrentDetails(`**${status}**: ${text}`);
  return status;
}

async function make(id: string): Promise<{ status: string; text: string }> {
  try {
    const { status, rows } = await makeExport({ id });
    return status === 'READY'
      ? { status, text: `${rows} records.` }
      : { status, text: 'the export was made before, or was given up.' };
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    await giveExportUp({ id });
    return { status: 'FAILED', text: 'the file could not be made.' };
  }
}
