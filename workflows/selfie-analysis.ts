import {
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { ROW_CHANGED, attributes, type RecordSubject } from './contract.ts';

const rowChangedSignal = defineSignal(ROW_CHANGED);

// Retried without limit: a reviewer may decide meanwhile, and then nothing waits any more.
const { analyseSelfie } = proxyActivities<Pick<Activities, 'analyseSelfie'>>({
  startToCloseTimeout: '3 minutes',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '10 minutes' },
});

/** Has the selfie of one verification analysed. The waiting row is authoritative; a signal says that there is one. */
export async function selfieAnalysis({ id }: RecordSubject): Promise<string> {
  let queued = false;
  setHandler(rowChangedSignal, () => {
    queued = true;
  });
  for (;;) {
    queued = false;
    const { outcome } = await analyseSelfie({ id });
    if (queued && outcome !== 'NOTHING_WAITS') continue;
    upsertSearchAttributes([
      { key: attributes.status, value: outcome },
      { key: attributes.waitingFor, value: 'NOTHING' },
    ]);
    setCurrentDetails(`**${outcome}**.`);
    return outcome;
  }
}
