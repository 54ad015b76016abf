import { WorkflowIdConflictPolicy, WorkflowIdReusePolicy, type Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Queryable } from '../db/postgres.ts';
import { findUnscreenedVersions } from '../db/lifecycle/rescreen.ts';
import { attributes, SANCTIONS_RESCREEN, type RescreenSubject } from '../workflows/contract.ts';
import { startLoop, type WorkerLoop } from './loop.ts';

const EVERY_MS = 3_000;
const TROUBLE_MS = 10_000;
const DEADLINE_MS = 2_000;

interface RescreenLoopOptions {
  db: { pool: Queryable };
  client: Client;
  log: Logger;
}

/** Sees to it that open transfers are compared with every new version of a list, however it became active. */
export function startRescreenLoop({ db, client, log }: RescreenLoopOptions): WorkerLoop {
  return startLoop(EVERY_MS, TROUBLE_MS, log, 'rescreening', async () => {
    for (const { code, version } of await findUnscreenedVersions(db.pool)) {
      await ensureRescreen(client, { code, version, afterId: null, looked: 0, found: 0 });
    }
    return false;
  });
}

async function ensureRescreen(client: Client, rescreen: RescreenSubject): Promise<void> {
  const { workflow, taskQueue, id } = SANCTIONS_RESCREEN;
  await client.withDeadline(Date.now() + DEADLINE_MS, async () => {
    await client.workflow.start(workflow, {
      workflowId: id(rescreen),
      taskQueue,
      args: [rescreen],
      workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
      workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
      staticSummary: `Open transfers against ${rescreen.code} ${rescreen.version}`,
      typedSearchAttributes: [
        { key: attributes.kind, value: workflow },
        { key: attributes.subject, value: rescreen.code },
        { key: attributes.stuck, value: false },
      ],
    });
  });
}
