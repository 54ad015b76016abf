import { Context } from '@temporalio/activity';
import type { Database } from '../../db/database.ts';
import {
  eraseStoredClaim,
  eraseStoredTransaction,
  eraseStoredVerification,
} from '../../db/lifecycle/erase-record.ts';
import type { OutboxEntry } from '../../db/outbox.ts';
import { findKeptClaims } from '../../db/claims/find-kept.ts';
import { findKeptTransactions } from '../../db/transactions/find-kept.ts';
import { findKeptVerifications } from '../../db/verifications/find-kept.ts';
import { removeMarkedFiles } from '../../db/verifications/remove-files.ts';
import { DomainError } from '../../domain/errors.ts';
import type { ErasedKind, KeptCursor, KeptRecord } from '../../domain/record-retention/kept-record.ts';
import { latestDue } from '../../domain/record-retention/kept-until.ts';
import type { Storage } from '../../storage/storage.ts';

interface RetentionDeps {
  db: Database;
  storage: Storage;
  now: () => Date;
  notifyWorkflows: (outbox: readonly OutboxEntry[]) => void;
}

/** The place after which the next step looks; dates as text, since it is part of the workflow's history. */
export interface RetentionCursor {
  createdAt: string;
  id: string;
}

/** What one step has done. */
export interface RetentionStep {
  /** Records that were old enough to be looked at. */
  looked: number;
  erased: number;
  /** Past their retention, but kept: by a legal hold, or for a transfer that rests on them. */
  kept: number;
  /** Null at the end. */
  after: RetentionCursor | null;
}

/** Records per step: some seconds of work where all of them are erased. */
const BATCH = 500;
const FIRST: KeptCursor = { createdAt: new Date(0), id: '00000000-0000-0000-0000-000000000000' };

const FIND = {
  transactions: findKeptTransactions,
  claims: findKeptClaims,
  verifications: findKeptVerifications,
};
const ERASE = {
  transactions: eraseStoredTransaction,
  claims: eraseStoredClaim,
  verifications: eraseStoredVerification,
};

/** The activity of `retention`. A repeat finds nothing of what was erased. */
export function retentionActivities(deps: RetentionDeps) {
  return {
    /** Looks at the next old records of a kind, and erases those that are past their retention. */
    async eraseNext({
      what,
      after,
    }: {
      what: ErasedKind;
      after: RetentionCursor | null;
    }): Promise<RetentionStep> {
      const now = deps.now();
      const from = after ? { id: after.id, createdAt: new Date(after.createdAt) } : FIRST;
      const page = { madeBefore: latestDue(now), after: from, limit: BATCH };
      const found = await FIND[what](deps.db.pool, page);
      const due = found.filter(({ keptUntil }) => keptUntil <= now);
      let erased = 0;
      for (const record of due.filter(({ isHeld }) => !isHeld)) {
        if (await erase(deps, what, record)) erased += 1;
        Context.current().heartbeat(erased);
      }
      if (what === 'verifications') await removeFiles(deps);
      const last = found.length === BATCH ? found.at(-1) : undefined;
      return {
        looked: found.length,
        erased,
        kept: due.length - erased,
        after: last ? { id: last.id, createdAt: last.createdAt.toISOString() } : null,
      };
    },
  };
}

/** False where a legal hold was set, or the record was deleted, a moment ago: the next run looks again. */
async function erase(
  { db, now, notifyWorkflows }: RetentionDeps,
  what: ErasedKind,
  record: KeptRecord,
): Promise<boolean> {
  try {
    const outbox = await ERASE[what](db, record, { reason: 'RETENTION', now: now() });
    notifyWorkflows(outbox ?? []);
    return outbox !== null;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'not_found') return false;
    throw error;
  }
}

async function removeFiles({ db, storage }: RetentionDeps): Promise<void> {
  await removeMarkedFiles(db.pool, async (key) => {
    Context.current().heartbeat();
    await storage.delete(key);
  });
}
