import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';

export const NO_OP_QUEUE = 'bench';

/** Runs a workflow of one empty activity and waits for its result. */
export async function runNoOp(client: Client): Promise<void> {
  await client.workflow.execute('noOpWorkflow', { taskQueue: NO_OP_QUEUE, workflowId: randomUUID() });
}
