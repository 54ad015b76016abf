import {
  continueAsNew,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { ROW_CHANGED, attributes, type RecordSubject } from './contract.ts';

const rowChangedSignal = defineSignal(ROW_CHANGED);

const { takeUpOldest } = proxyActivities<Pick<Activities, 'takeUpOldest'>>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '200 ms', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/**
 * Takes up what a brake has held back, the oldest first and so many each second, so that neither the counterparties nor the
 * tenant's endpoint get all of it at once. The rows are authoritative: the next run continues where a lost one stopped.
 */
export async function brakeRelease({ id }: RecordSubject): Promise<string> {
  // A signal needs no handling: the next step reads the rows anyway.
  setHandler(rowChangedSignal, () => undefined);
  let resumed = 0;
  for (;;) {
    const step = await takeUpOldest({ id });
    resumed = Math.max(resumed, step.resumed);
    if (step.isDone) break;
    setCurrentDetails(
      `**RELEASING**: ${step.resumed} taken up, ${step.waiting} wait; ${step.perSecond} a second.`,
    );
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof brakeRelease>({ id });
    await sleep('1 second', { summary: 'rate of the release' });
  }
  upsertSearchAttributes([{ key: attributes.status, value: 'DONE' }]);
  setCurrentDetails(`**DONE**: ${resumed} taken up in this run.`);
  return 'DONE';
}
