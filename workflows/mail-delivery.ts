import {
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { isAwaited } from '../domain/mails/mail.ts';
import { ROW_CHANGED, TASK_QUEUES, attributes, type RecordSubject } from './contract.ts';

const rowChangedSignal = defineSignal(ROW_CHANGED);

// Retried without limit: the activity ends a mail whose time is over.
const sendingFrom = (taskQueue: string) =>
  proxyActivities<Pick<Activities, 'sendMail'>>({
    taskQueue,
    startToCloseTimeout: '2 minutes',
    retry: { initialInterval: '5 seconds', backoffCoefficient: 2, maximumInterval: '10 minutes' },
  });
const told = sendingFrom(TASK_QUEUES.mails);
const awaited = sendingFrom(TASK_QUEUES.awaitedMails);

/** One mail from what it tells to the mail server. The row is authoritative; a repeated signal changes nothing. */
export async function mailDelivery({ id }: RecordSubject): Promise<string> {
  setHandler(rowChangedSignal, () => undefined);
  const isUrgent = isAwaited(workflowInfo().typedSearchAttributes.get(attributes.summary));
  const { status, error } = await (isUrgent ? awaited : told).sendMail({ id });
  upsertSearchAttributes([
    { key: attributes.status, value: status },
    { key: attributes.waitingFor, value: 'NOTHING' },
  ]);
  setCurrentDetails(`**${status}**${error === undefined ? '' : `: ${error}`}.`);
  return status;
}
