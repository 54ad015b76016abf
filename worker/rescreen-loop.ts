import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Queryable } from '../db/postgres.ts';
import { findUnscreenedVersions } from '../db/lifecycle/rescreen.ts';
import type { RescreenSubject } from '../workflows/contract.ts';
import { ensureWorkflow } from '../workflows/start.ts';
import { startLoop, type WorkerLoop } from './loop.ts';

const EVERY_MS = 3_000;
const TROUBLE_MS = 10_000;

interface RescreenLoopOptions {
  db: { pool: Queryable };
  client: Client;
  log: Logger;
}

/** Starts the rescreening of open transfers for every new active version of a list, whatever activated it. */
export function startRescreenLoop({ db, client, log }: RescreenLoopOptions): WorkerLoop {
  const work = async (): Promise<boolean> => {
    for (const { code, version } of await findUnscreenedVersions(db.pool)) {
      await ensureRescreen(client, { code, version, afterId: null, looked: 0, found: 0 });
    }
    return false;
  };
  return startLoop({ name: 'rescreening', idleMs: EVERY_MS, troubleMs: TROUBLE_MS, log, work });
}

async function ensureRescreen(client: Client, rescreen: RescreenSubject): Promise<void> {
  const { code, version } = rescreen;
  await ensureWorkflow(client, {
    type: 'sanctionsRescreen',
    idParts: [code, version],
    args: [rescreen],
    summary: `Open transfers against ${code} ${version}`,
    subjectId: code,
  });
}
