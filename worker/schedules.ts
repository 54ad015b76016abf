import {
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
  type Client,
  type ScheduleOptions,
} from '@temporalio/client';
import { KNOWN_LISTS } from '../domain/sanctions-lists/list-code.ts';
import { workflowId } from '../workflows/contract.ts';
import { scheduledStart } from '../workflows/start.ts';

const DEADLINE_MS = 2_000;

/** Every hour, one run at a time; runs that Temporal missed are not repeated. */
const housekeeping: ScheduleOptions = {
  scheduleId: workflowId('housekeeping'),
  spec: { intervals: [{ every: '1 hour' }] },
  policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
  state: { note: 'Removes data whose retention period is over. Pausing it is safe: it catches up.' },
  action: scheduledStart({
    type: 'housekeeping',
    idParts: [],
    args: [],
    summary: 'Removes data whose retention period is over',
  }),
};

/** Once a day, at night in Europe. */
const retention: ScheduleOptions = {
  scheduleId: workflowId('retention'),
  spec: { intervals: [{ every: '1 day', offset: '140 minutes' }] },
  policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
  state: {
    note: 'Erases records that nobody has to keep any longer. Pausing it is safe: it catches up.',
  },
  action: scheduledStart({
    type: 'retention',
    idParts: [],
    args: [],
    summary: 'Erases records whose time to be kept is over',
  }),
};

/** Ten minutes past every full hour, since months end at full hours, or half or quarter ones, and settle for five minutes. */
const monthlyReport: ScheduleOptions = {
  scheduleId: workflowId('monthlyReport'),
  spec: { intervals: [{ every: '1 hour', offset: '10 minutes' }] },
  policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
  state: {
    note: 'Makes the missing reports of months that are over and removes old ones. Pausing it is safe: it catches up.',
  },
  action: scheduledStart({
    type: 'monthlyReport',
    idParts: [],
    args: [],
    summary: 'Makes the missing monthly reports',
  }),
};

/** Half past every hour: what was found before is announced no more, so a missed run loses nothing. */
const transferReconciliation: ScheduleOptions = {
  scheduleId: workflowId('transferReconciliation'),
  spec: { intervals: [{ every: '1 hour', offset: '30 minutes' }] },
  policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
  state: {
    note: 'Announces transactions that newly lack a hash, an answer or a message. Pausing it is safe: it catches up.',
  },
  action: scheduledStart({
    type: 'transferReconciliation',
    idParts: [],
    args: [],
    summary: 'Finds transactions that lack a hash, an answer or a message',
  }),
};

/** Every hour, with jitter so that deployments do not all call at the full hour; a new list is fetched at once. */
function listUpdate(code: string): ScheduleOptions {
  return {
    scheduleId: workflowId('sanctionsListUpdate', code),
    spec: { intervals: [{ every: '1 hour' }], jitter: '10 minutes' },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
    state: {
      note: `Asks the publisher of ${code} for a newer list. While it is paused the list grows old.`,
      triggerImmediately: true,
    },
    action: scheduledStart({
      type: 'sanctionsListUpdate',
      idParts: [code],
      args: [{ code }],
      summary: `Update of the list ${code}`,
      subjectId: code,
    }),
  };
}

/**
 * Creates the missing schedules, including those of `lists`. An existing schedule stays as it is, since an operator may have
 * paused or changed it.
 */
export async function ensureSchedules(
  client: Client,
  lists: readonly string[] = [],
  deadlineMs = DEADLINE_MS,
): Promise<void> {
  for (const schedule of [
    housekeeping,
    retention,
    monthlyReport,
    transferReconciliation,
    ...lists.map(listUpdate),
  ])
    await ensureSchedule(client, schedule, deadlineMs);
}

async function ensureSchedule(client: Client, schedule: ScheduleOptions, deadlineMs: number): Promise<void> {
  try {
    await client.withDeadline(Date.now() + deadlineMs, async () => await client.schedule.create(schedule));
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
}

/** Deletes the schedules of lists that are not in `lists`, because fetching them is switched off. */
export async function removeListSchedules(
  client: Client,
  lists: readonly string[],
  deadlineMs = DEADLINE_MS,
): Promise<void> {
  for (const code of Object.keys(KNOWN_LISTS).filter((known) => !lists.includes(known))) {
    const handle = client.schedule.getHandle(workflowId('sanctionsListUpdate', code));
    try {
      await client.withDeadline(Date.now() + deadlineMs, async () => await handle.delete());
    } catch (error) {
      if (!(error instanceof ScheduleNotFoundError)) throw error;
    }
  }
}
