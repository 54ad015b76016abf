import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import { TASK_QUEUES } from './contract.ts';
import type { Activities } from '../activities/index.ts';

/** Quick database activities, run by the worker that runs the workflow; the history names them nevertheless. */
export const database = proxyLocalActivities<Activities>({
  startToCloseTimeout: '10 seconds',
  localRetryThreshold: '1 minute',
  retry: { initialInterval: '200 ms', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/** Activities that query outside providers about a transfer: a few attempts, then the transfer waits visibly. */
export const providers = proxyActivities<Pick<Activities, 'askProviders'>>({
  startToCloseTimeout: '60 seconds',
  scheduleToCloseTimeout: '3 minutes',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/** Sends a message to another VASP: a few attempts, then the delivery is tried again later, visibly. */
export const inquiries = proxyActivities<Pick<Activities, 'sendInquiry'>>({
  taskQueue: TASK_QUEUES.trp,
  startToCloseTimeout: '30 seconds',
  scheduleToCloseTimeout: '3 minutes',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** Tells other VASPs of changes. */
export const outside = proxyActivities<Pick<Activities, 'sendTrpNotice'>>({
  taskQueue: TASK_QUEUES.trp,
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** First attempts of webhooks. Where one fails without a result, the outbox starts the delivery's own workflow. */
export const webhooks = proxyLocalActivities<Pick<Activities, 'attemptFirst'>>({
  startToCloseTimeout: '15 seconds',
  retry: { maximumAttempts: 1 },
});
