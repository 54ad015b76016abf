import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { Client } from '@temporalio/client';
import { projectRoot } from '../standalone/project-root.ts';
import { workflowId, type WorkflowType } from '../workflows/contract.ts';

const folder = join(projectRoot, 'test', 'histories');

/** Keeps the history of a run as a replay fixture, when the tests run with RECORD_HISTORIES=1. */
export async function recordHistory(
  client: Client,
  type: WorkflowType,
  subjectId: string,
  name: string,
): Promise<void> {
  await recordRun(client, workflowId(type, subjectId), { type, name });
}

/** The same for a workflow whose id is not made of a record's. */
export async function recordRun(
  client: Client,
  id: string,
  { type, name }: { type: string; name: string },
): Promise<void> {
  if (!process.env['RECORD_HISTORIES']) return;
  const history = await client.workflow.getHandle(id).fetchHistory();
  mkdirSync(join(folder, type), { recursive: true });
  // Who ran it is nobody's business.
  const text = historyToJSON(history)
    .replaceAll(/"identity": ?"[^"]*"/g, '"identity": "recorded"')
    .replaceAll(/"\d+@[^"]*"/g, '"recorded"')
    .replaceAll(`${projectRoot}/`, '');
  writeFileSync(join(folder, type, `${name}.json`), text);
}
