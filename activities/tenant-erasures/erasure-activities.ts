import { Context } from '@temporalio/activity';
import type { Database } from '../../db/database.ts';
import {
  eraseStoredClaim,
  eraseStoredTransaction,
  eraseStoredVerification,
} from '../../db/lifecycle/erase-record.ts';
import type { OutboxEntry } from '../../db/outbox.ts';
import { beginErasure } from '../../db/tenant-erasures/begin-erasure.ts';
import { deleteNextDecisions } from '../../db/tenant-erasures/empty-tables.ts';
import { destroyKeys } from '../../db/tenant-erasures/destroy-keys.ts';
import { emptyNextTable } from '../../db/tenant-erasures/empty-tables.ts';
import { findCopies, findUnerased } from '../../db/tenant-erasures/find-records.ts';
import { removeNextFiles } from '../../db/tenant-erasures/remove-files.ts';
import { completeErasure, noteProgress, tenantOfRunning } from '../../db/tenant-erasures/running-erasure.ts';
import { DomainError } from '../../domain/errors.ts';
import { ERASED_KINDS, type ErasedKind } from '../../domain/record-retention/kept-record.ts';
import type { Storage } from '../../storage/storage.ts';

export interface TenantErasureDeps {
  db: Database;
  storage: Storage;
  now: () => Date;
  notifyWorkflows: (outbox: readonly OutboxEntry[]) => void;
  /** Ends the next workflows of a tenant and removes their histories; the number of them, 0 when none is left. */
  endWorkflowsOf: (tenantId: string, onEnded: () => void) => Promise<number>;
}

interface ErasureRef {
  id: string;
}

/** Records per step: some seconds of work. */
const BATCH = 500;
/** Steps of emptying per activity: some seconds of work. */
const STEPS = 20;

const ERASE = {
  transactions: eraseStoredTransaction,
  claims: eraseStoredClaim,
  verifications: eraseStoredVerification,
};

/** The activities of `tenantErasure`. Each looks for what is left, so that a repeat goes on where the first try ended. */
export function tenantErasureActivities(deps: TenantErasureDeps) {
  const { db, storage, now, notifyWorkflows } = deps;
  return {
    /** Begins the erasure if its day has come. Says how long to wait otherwise. */
    async beginTenantErasure({
      id,
    }: ErasureRef): Promise<{ next: 'WAIT' | 'ERASE' | 'OVER'; waitMs: number }> {
      const { next, until, outbox } = await beginErasure(db, id, now());
      notifyWorkflows(outbox);
      return { next, waitMs: until ? Math.max(until.getTime() - now().getTime(), 0) : 0 };
    },

    /** Erases the next records, each with the last event of its log. */
    async eraseRecordsOfTenant({ id }: ErasureRef): Promise<{ erased: number; isDone: boolean }> {
      const tenantId = await tenantOfRunning(db.pool, id);
      if (tenantId === undefined) return { erased: 0, isDone: true };
      for (const what of ERASED_KINDS) {
        const erased = await eraseNext(deps, tenantId, what);
        await noteProgress(db.pool, id, now());
        if (erased > 0) return { erased, isDone: false };
      }
      return { erased: 0, isDone: true };
    },

    /** Deletes the next files and rows. */
    async emptyTenant({ id }: ErasureRef): Promise<{ isDone: boolean }> {
      const tenantId = await tenantOfRunning(db.pool, id);
      if (tenantId === undefined) return { isDone: true };
      await noteProgress(db.pool, id, now());
      for (let step = 0; step < STEPS; step += 1) {
        const files = await removeNextFiles(db.pool, tenantId, async (key) => await storage.delete(key));
        const removed = files > 0 ? files : await emptyNextTable(db.pool, tenantId);
        Context.current().heartbeat(step);
        if (removed === 0) return { isDone: true };
      }
      return { isDone: false };
    },

    /** Destroys the keys, unless something was written meanwhile. */
    async destroyTenantKeys({ id }: ErasureRef): Promise<{ isDone: boolean }> {
      const tenantId = await tenantOfRunning(db.pool, id);
      return { isDone: tenantId === undefined || (await destroyKeys(db, { id, tenantId }, now())) };
    },

    /** Ends the workflows of the tenant, and removes what Temporal has of them. */
    async endWorkflowsOfTenant({ id }: ErasureRef): Promise<{ ended: number }> {
      const tenantId = await tenantOfRunning(db.pool, id);
      if (tenantId === undefined) return { ended: 0 };
      await noteProgress(db.pool, id, now());
      return { ended: await deps.endWorkflowsOf(tenantId, () => Context.current().heartbeat()) };
    },

    /** Its keys are gone: what only its logs still named goes, too. */
    async completeTenantErasure({ id }: ErasureRef): Promise<void> {
      const tenantId = await tenantOfRunning(db.pool, id);
      while (tenantId !== undefined && (await deleteNextDecisions(db.pool, tenantId)) > 0)
        Context.current().heartbeat();
      await completeErasure(db.pool, id, now());
    },
  };
}

async function eraseNext(
  { db, now, notifyWorkflows }: TenantErasureDeps,
  tenantId: string,
  what: ErasedKind,
): Promise<number> {
  const found = await findUnerased(db.pool, { tenantId, what, limit: BATCH });
  for (const record of found) {
    // Its copy first: it is found by the record.
    for (const each of [...(await findCopies(db.pool, what, record)), record]) {
      const outbox = await unlessGone(
        async () => await ERASE[what](db, each, { reason: 'TENANT', now: now() }),
      );
      // Workflows of the tenant itself are ended with it.
      notifyWorkflows((outbox ?? []).filter((entry) => entry.tenantId !== tenantId));
    }
    Context.current().heartbeat();
  }
  return found.length;
}

/** Null where the record was deleted or erased a moment ago: the next look finds it, or does not. */
async function unlessGone<T>(erase: () => Promise<T>): Promise<T | null> {
  try {
    return await erase();
  } catch (error) {
    if (error instanceof DomainError && error.code === 'not_found') return null;
    throw error;
  }
}
