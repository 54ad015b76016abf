import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import type { OutboxEntry } from '../db/outbox.ts';
import { sealOldestDay } from '../db/seals/seal-day.ts';
import { MINUTE_MS } from '../domain/durations.ts';
import { startLoop, type WorkerLoop } from './loop.ts';

const EVERY_MS = 5 * MINUTE_MS;
const AGAIN_AFTER_MS = 30_000;

interface SealLoopDeps {
  db: Database;
  now: () => Date;
  notifyWorkflows: (outbox: readonly OutboxEntry[]) => void;
}

/** Seals each day of each tenant's event logs once it is over; days that no worker has seen are sealed in their order. */
export function startSealLoop(deps: SealLoopDeps, log: Logger): WorkerLoop {
  const work = async (): Promise<boolean> => await sealRound(deps);
  return startLoop({ name: 'sealing', idleMs: EVERY_MS, troubleMs: AGAIN_AFTER_MS, log, work });
}

/** Seals one day. True when there may be another day. */
export async function sealRound({ db, now, notifyWorkflows }: SealLoopDeps): Promise<boolean> {
  const sealed = await sealOldestDay(db, now());
  if (!sealed) return false;
  notifyWorkflows(sealed.outbox);
  return true;
}
