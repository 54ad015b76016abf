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
  // A dead worker is detected by its missing heartbeats; the next one continues after the last stored page.
  heartbeatTimeout: '5 seconds',
  scheduleToCloseTimeout: '1 hour',
  priority: { priorityKey: 5 },
  retry: { initialInterval: '500 ms', backoffCoefficient: 2, maximumInterval: '15 seconds' },
});
const { giveBacktestUp } = proxyActivities<Pick<Activities, 'giveBacktestUp'>>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** Wait for the turn of another tenant's back-test to end. */
const TURN = '5 seconds';

/**
 * Replays earlier decisions with other rules, some seconds at a time, so that no tenant blocks the others. The row is
 * authoritative: the next run continues where a lost one stopped, and a cancelled back-test has nothing to do.
 */
export async function ruleBacktest({ id }: RecordSubject): Promise<string> {
  // A signal needs no handling: the next step reads the row anyway.
  setHandler(rowChangedSignal, () => undefined);
  const outcome = await runSteps(id);
  upsertSearchAttributes([{ key: attributes.status, value: outcome }]);
  setCurrentDetails(`**${outcome}**: its record shows how far it came.`);
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
