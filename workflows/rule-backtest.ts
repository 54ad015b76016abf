import {
  ActivityFailure,
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

const { tryNextTransactions } = proxyActivities<Pick<Activities, 'tryNextTransactions'>>({
  startToCloseTimeout: '2 minutes',
  // A worker that is gone is noticed by its silence; the next one goes on behind the last page that was kept.
  heartbeatTimeout: '5 seconds',
  scheduleToCloseTimeout: '1 hour',
  priority: { priorityKey: 5 },
  retry: { initialInterval: '500 ms', backoffCoefficient: 2, maximumInterval: '15 seconds' },
});
const { giveBacktestUp } = proxyActivities<Pick<Activities, 'giveBacktestUp'>>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** How long to wait for the turn of another tenant's back-test to end. */
const TURN = '5 seconds';

/**
 * Tries rules on what was decided before, some seconds at a time, so that no tenant keeps the others waiting. The row is
 * the truth: a run that is lost is taken up where it ended, one that was cancelled finds nothing to do.
 */
export async function ruleBacktest({ id }: RecordSubject): Promise<string> {
  // A signal says nothing that the next step would not see.
  setHandler(rowChangedSignal, () => undefined);
  const outcome = await runSteps(id);
  upsertSearchAttributes([{ key: attributes.status, value: outcome }]);
  setCurrentDetails(`**${outcome}**: its record says how far it came.`);
  return outcome;
}

async function runSteps(id: string): Promise<'DONE' | 'FAILED'> {
  try {
    for (;;) {
      const { processed, total, state } = await tryNextTransactions({ id });
      if (state === 'DONE') return 'DONE';
      if (state === 'BUSY') await sleep(TURN);
      else setCurrentDetails(`**RUNNING**: ${processed} of ${total} transactions.`);
      if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof ruleBacktest>({ id });
    }
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    await giveBacktestUp({ id });
    return 'FAILED';
  }
}
