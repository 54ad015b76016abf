import type { Client } from '@temporalio/client';
import { attributes } from '../workflows/contract.ts';

/** Workflows per call: some seconds of work. */
const BATCH = 500;
const NOT_FOUND = 5;

/**
 * Ends the next workflows of a tenant and removes their histories, with what operators could search them by. Returns how many
 * were found; 0 when none is left. The server removes them a moment later, so the same one may be found twice.
 */
export async function endWorkflowsOf(client: Client, tenantId: string, onEnded: () => void): Promise<number> {
  const { namespace } = client.options;
  let ended = 0;
  for await (const { workflowId, runId } of client.workflow.list({
    query: `${attributes.tenant.name} = '${tenantId}'`,
  })) {
    await client.workflowService
      .deleteWorkflowExecution({ namespace, workflowExecution: { workflowId, runId } })
      .catch(ignoreMissing);
    onEnded();
    ended += 1;
    if (ended === BATCH) break;
  }
  return ended;
}

function ignoreMissing(error: Error): void {
  if (!('code' in error) || error.code !== NOT_FOUND) throw error;
}
