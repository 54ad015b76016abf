import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';

const { removeOldReports, queueDueReports } = proxyActivities<
  Pick<Activities, 'removeOldReports' | 'queueDueReports'>
>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '30 seconds',
  retry: {
    initialInterval: '1 second',
    backoffCoefficient: 2,
    maximumInterval: '1 minute',
    maximumAttempts: 8,
  },
});

/** The result that operators read. */
interface MonthlyReportResult {
  queued: number;
  removed: number;
}

/**
 * Queues the missing reports of all tenants, for months that are over where the tenant is; `reportGeneration` makes each. Then
 * removes reports of months that are no longer listed. A run that fails is made up for by the next.
 */
export async function monthlyReport(): Promise<MonthlyReportResult> {
  let queued = 0;
  let after: string | null = null;
  do {
    const page: { queued: number; after: string | null } = await queueDueReports({ after });
    queued += page.queued;
    ({ after } = page);
  } while (after !== null);
  const { removed } = await removeOldReports();
  setCurrentDetails(`**DONE**: ${queued} reports queued, ${removed} old ones removed.`);
  return { queued, removed };
}
