import {
  condition,
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

type ErasureActivities = Pick<
  Activities,
  | 'beginTenantErasure'
  | 'eraseRecordsOfTenant'
  | 'emptyTenant'
  | 'destroyTenantKeys'
  | 'endWorkflowsOfTenant'
  | 'completeTenantErasure'
>;

const activities = proxyActivities<ErasureActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/**
 * The erasure of one tenant: waits for its day, then removes everything of the tenant step by step. The row is authoritative, and
 * each step looks for what is left: a run that was cut off is continued by the next one.
 */
export async function tenantErasure({ id }: RecordSubject): Promise<string> {
  if (!(await hasBegun(id))) return end('OVER', 'called off, refused, or done before.');
  do {
    await erase(id);
  } while (!(await activities.destroyTenantKeys({ id })).isDone);
  show('RUNNING', 'its keys are destroyed, its workflows are being removed.');
  // The list of workflows is a second late, so it is read until it is empty.
  while ((await activities.endWorkflowsOfTenant({ id })).ended > 0)
    await sleep('2 seconds', { summary: 'list of workflows' });
  await activities.completeTenantErasure({ id });
  return end('ERASED', 'nothing of the tenant is left.');
}

/** Waits for the day. False when there is nothing to erase. */
async function hasBegun(id: string): Promise<boolean> {
  let isChanged = false;
  setHandler(rowChangedSignal, () => void (isChanged = true));
  for (;;) {
    isChanged = false;
    const { next, waitMs } = await activities.beginTenantErasure({ id });
    if (next !== 'WAIT') return next === 'ERASE';
    show('APPROVED', 'it waits for its day.');
    await condition(() => isChanged, waitMs);
  }
}

async function erase(id: string): Promise<void> {
  let erased = 0;
  for (let isDone = false; !isDone;) {
    const step = await activities.eraseRecordsOfTenant({ id });
    ({ isDone } = step);
    erased += step.erased;
    show('RUNNING', `${erased} records erased in this run.`);
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof tenantErasure>({ id });
  }
  while (!(await activities.emptyTenant({ id })).isDone)
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof tenantErasure>({ id });
}

function show(status: string, text: string): void {
  setCurrentDetails(`**${status}**: ${text}`);
}

function end(status: string, text: string): string {
  upsertSearchAttributes([{ key: attributes.status, value: status }]);
  show(status, text);
  return status;
}
