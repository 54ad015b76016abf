import {
  ScheduleAlreadyRunning,
  ScheduleOverlapPolicy,
  type Client,
  type ScheduleOptions,
} from '@temporalio/client';
import { attributes, HOUSEKEEPING } from '../workflows/contract.ts';

const DEADLINE_MS = 2_000;

/** Every hour, one run at a time; hours that Temporal was away for are not made up for. */
const housekeeping: ScheduleOptions = {
  scheduleId: HOUSEKEEPING.workflow,
  spec: { intervals: [{ every: '1 hour' }] },
  policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
  state: { note: 'Removes what is kept only for a time. Pausing it is safe: it catches up.' },
  action: {
    type: 'startWorkflow',
    workflowType: HOUSEKEEPING.workflow,
    workflowId: HOUSEKEEPING.workflow,
    taskQueue: HOUSEKEEPING.taskQueue,
    args: [],
    staticSummary: 'Removes what is kept only for a time',
    typedSearchAttributes: [{ key: attributes.kind, value: HOUSEKEEPING.workflow }],
  },
};

/** Makes the schedules that are missing; one that exists stays as it is, paused or changed by an operator. */
export async function ensureSchedules(client: Client): Promise<void> {
  try {
    await client.withDeadline(
      Date.now() + DEADLINE_MS,
      async () => await client.schedule.create(housekeeping),
    );
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
}
