import type { Client, Connection } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { findNamespaceId, keepNamespaceId } from '../db/reconcile/temporal-namespace.ts';
import { startLoop, type WorkerLoop } from './loop.ts';
import { queueOverdue, walkUnfinished, type ReconcileWalk } from './reconcile.ts';
import { ensureSchedules, removeListSchedules } from './schedules.ts';
import { setUpTemporal } from './temporal-setup.ts';
import type { Queryable } from '../db/postgres.ts';

const EVERY_MS = 60_000;
/** A newly set up server does not know its own namespace for some seconds. */
const AGAIN_AFTER_MS = 5_000;
/** Short, since stopping the worker waits for it. */
const DEADLINE_MS = 2_000;

export interface SweepOptions {
  db: Database;
  connection: Connection;
  client: Client;
  /** Codes of the lists that are fetched. */
  lists?: readonly string[];
  log: Logger;
  /** How long an answer of Temporal is waited for. */
  deadlineMs?: number;
}

/**
 * Keeps Temporal disposable. Every minute, rows that are overdue by a minute have lost their workflow and are queued.
 * A server that has lost everything is set up again, and all unfinished rows are queued.
 */
export function startSweep(options: SweepOptions): WorkerLoop {
  const sweep = createSweep(options);
  return startLoop({
    name: 'sweep',
    idleMs: EVERY_MS,
    troubleMs: AGAIN_AFTER_MS,
    log: options.log,
    async work() {
      await sweep();
      return false;
    },
  });
}

/** Makes one round. It throws while Temporal is not available, after the work that needs only the database. */
export function createSweep(options: SweepOptions): () => Promise<void> {
  const { db, connection, client, lists = [], log, deadlineMs = DEADLINE_MS } = options;
  const { namespace } = client.options;
  const rebuild = createRebuild(db.pool, namespace, log);
  let hasRemoved = false;
  return async () => {
    const queued = await queueOverdue(db.pool);
    if (Object.values(queued).some((count) => count > 0)) log.info({ queued }, 'overdue rows were queued');
    const id = await setUpTemporal(connection, namespace, deadlineMs);
    await ensureSchedules(client, lists, deadlineMs);
    // The fetched lists change with the settings, so only with a restart.
    if (!hasRemoved) await removeListSchedules(client, lists, deadlineMs);
    hasRemoved = true;
    await rebuild(id);
  };
}

/** A namespace with the same name but another id belongs to a server that knows nothing of our rows. */
function createRebuild(db: Queryable, name: string, log: Logger): (id: string) => Promise<void> {
  let known: string | undefined;
  let walk: ReconcileWalk | undefined;
  return async (id) => {
    if (known === id) return;
    // Another worker may have finished the rebuild.
    known = await findNamespaceId(db, name);
    if (known === id) return;
    if (!walk && known)
      log.warn('Temporal has lost its state: a workflow is started for every unfinished row');
    walk ??= walkUnfinished(db, { overdue: false });
    if (!(await walk.next())) return;
    await keepNamespaceId(db, name, id);
    if (known) log.info({ queued: walk.queued }, 'a workflow was started for every unfinished row');
    known = id;
    walk = undefined;
  };
}
