// The product's workflows and a minimal one, whose cost on the same server and in the same process is the comparison.
import { proxyActivities } from '@temporalio/workflow';

export * from '../workflows/index.ts';

const { noOp } = proxyActivities<{ noOp: () => Promise<void> }>({ startToCloseTimeout: '30 seconds' });

/** Runs one empty activity. */
export async function noOpWorkflow(): Promise<void> {
  await noOp();
}
