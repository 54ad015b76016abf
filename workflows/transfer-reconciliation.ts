import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';

const { announceGaps } = proxyActivities<Pick<Activities, 'announceGaps'>>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '1 minute',
  retry: {
    initialInterval: '1 second',
    backoffCoefficient: 2,
    maximumInterval: '1 minute',
    maximumAttempts: 8,
  },
});

/**
 * Finds transactions of all tenants that newly lack a hash, an answer or a message, and announces each once. A run that fails is
 * made up for by the next. Returns their number, for operators.
 */
export async function transferReconciliation(): Promise<{ found: number }> {
  let found = 0;
  let after: string | null = null;
  do {
    const page: { found: number; after: string | null } = await announceGaps({ after });
    found += page.found;
    ({ after } = page);
  } while (after !== null);
  setCurrentDetails(`**DONE**: ${found} transactions newly lack something.`);
  return { found };
}
