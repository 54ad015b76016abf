import {
  ActivityFailure,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { ROW_CHANGED, TASK_QUEUES, attributes, type ImportSubject } from './contract.ts';

const rowChangedSignal = defineSignal(ROW_CHANGED);

const { importWallets } = proxyActivities<Pick<Activities, 'importWallets'>>({
  taskQueue: TASK_QUEUES.imports,
  startToCloseTimeout: '5 minutes',
  // A dead worker is detected by its missing heartbeats; the next one starts again, or announces what was written.
  heartbeatTimeout: '5 seconds',
  scheduleToCloseTimeout: '1 hour',
  retry: { initialInterval: '500 ms', backoffCoefficient: 2, maximumInterval: '15 seconds' },
});
const { giveImportUp } = proxyActivities<Pick<Activities, 'giveImportUp'>>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/**
 * Imports one uploaded file. Every further upload of the file signals the open run: all wait for the one
 * import, and an upload that came just too late for it is imported in the same run.
 */
export async function walletCsvImport(subject: ImportSubject): Promise<void> {
  let isQueued = true;
  setHandler(rowChangedSignal, () => {
    isQueued = true;
  });
  while (isQueued) {
    isQueued = false;
    await importOnce(subject);
  }
}

async function importOnce(subject: ImportSubject): Promise<void> {
  try {
    await importWallets(subject);
    show('DONE', 'the record of the import shows the result.');
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    await giveImportUp(subject);
    show('FAILED', 'an hour of retries is over; the next upload of the file starts a new import.');
  }
}

function show(status: 'DONE' | 'FAILED', what: string): void {
  upsertSearchAttributes([{ key: attributes.status, value: status }]);
  setCurrentDetails(`**${status}**: ${what}`);
}
