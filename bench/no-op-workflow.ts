// The product's workflows and one more: what the least workflow costs on the same server, in the same process.
import { proxyActivities } from '@temporalio/workflow';

export * from '../workflows/index.ts';

const { noOp } = proxyActivities<{ noOp: () => Promise<void> }>({ startToCloseTimeout: '30 seconds' });

/** One activity that does nothing. */
export async function noOpWorkflow(): Promise<void> {
  await noOp();
}
