import type { Logger } from 'pino';
import { chainEntries } from '../db/audit/chain-entries.ts';
import { foldCounts } from '../db/audit/fold-counts.ts';
import type { Database } from '../db/database.ts';
import { startLoop, type WorkerLoop } from './loop.ts';

/** An entry that is removed before it is chained leaves no trace, so this is short. */
const EVERY_MS = 15_000;
const AGAIN_AFTER_MS = 15_000;

interface AuditLoopDeps {
  db: Database;
  now: () => Date;
}

/** Chains the entries of the audit logs, and makes entries of what was counted in hours that are over. */
export function startAuditLoop(deps: AuditLoopDeps, log: Logger): WorkerLoop {
  const work = async (): Promise<boolean> => await auditRound(deps);
  return startLoop({
    name: 'chaining the audit logs',
    idleMs: EVERY_MS,
    troubleMs: AGAIN_AFTER_MS,
    log,
    work,
  });
}

/** One round. True when there may be more to do. */
export async function auditRound({ db, now }: AuditLoopDeps): Promise<boolean> {
  const hasCounts = await foldCounts(db, now());
  const hasEntries = await chainEntries(db, now());
  return hasCounts || hasEntries;
}
