import {
  continueAsNew,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { ROW_CHANGED, attributes, type RecordSubject } from './contract.ts';

const rowChangedSignal = defineSignal(ROW_CHANGED);

const { finishReleased } = proxyActivities<Pick<Activities, 'finishReleased'>>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '200 ms', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/**
 * Writes events, webhooks and search tokens of the records that confirmed wallets have made visible, in batches. The
 * rows are authoritative: the next run continues where a lost one stopped.
 */
export async function walletRelease({ id }: RecordSubject): Promise<string> {
  // A signal needs no handling: the next step reads the rows anyway.
  setHandler(rowChangedSignal, () => undefined);
  let finished = 0;
  for (;;) {
    const step = await finishReleased({ id });
    finished += step.finished;
    if (step.isDone) break;
    setCurrentDetails(`**PENDING**: ${finished} of ${step.total} records done in this run.`);
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof walletRelease>({ id });
  }
  upsertSearchAttributes([{ key: attributes.status, value: 'DONE' }]);
  setCurrentDetails(`**DONE**: ${finished} records done in this run.`);
  return 'DONE';
}
