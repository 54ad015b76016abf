import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';

/** Quick database steps, run by the worker that runs the workflow; named in the history all the same. */
export const database = proxyLocalActivities<Activities>({
  startToCloseTimeout: '10 seconds',
  localRetryThreshold: '1 minute',
  retry: { initialInterval: '200 ms', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/** What leaves the house over the network to be told something about a transfer: a few tries, then it waits visibly. */
export const providers = proxyActivities<Pick<Activities, 'askProviders'>>({
  startToCloseTimeout: '60 seconds',
  scheduleToCloseTimeout: '3 minutes',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/** What another record needs, too, and must not keep this one from going on. */
export const arrivals = proxyLocalActivities<Pick<Activities, 'screenArrived'>>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '200 ms', backoffCoefficient: 2, maximumAttempts: 3 },
});
