import {
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { ROW_CHANGED, TASK_QUEUES, attributes, type RecordSubject } from './contract.ts';

const rowChangedSignal = defineSignal(ROW_CHANGED);

// Retried without limit: the activity ends a mail whose time is over.
const { sendMail } = proxyActivities<Pick<Activities, 'sendMail'>>({
  taskQueue: TASK_QUEUES.mails,
  startToCloseTimeout: '2 minutes',
  retry: { initialInterval: '5 seconds', backoffCoefficient: 2, maximumInterval: '10 minutes' },
});

/** One mail from what it tells to the mail server. The row is authoritative; a repeated signal changes nothing. */
export async function mailDelivery({ id }: RecordSubject): Promise<string> {
  setHandler(rowChangedSignal, () => undefined);
  const { status, error } = await sendMail({ id });
  upsertSearchAttributes([
    { key: attributes.status, value: status },
    { key: attributes.waitingFor, value: 'NOTHING' },
  ]);
  setCurrentDetails(`**${status}**${error === undefined ? '' : `: ${error}`}.`);
  return status;
}
