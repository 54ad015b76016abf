import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import {
  claimDueEntries,
  deleteOutboxEntries,
  postponeOutboxEntries,
  type OutboxEntry,
} from '../db/outbox.ts';
import { tenantNames, type TenantNames } from '../db/tenants/tenant-names.ts';
import { startWorkflow } from '../workflows/start.ts';
import { startLoop, type WorkerLoop } from './loop.ts';

const BATCH = 200;
const IN_FLIGHT = 16;
const IDLE_MS = 500;
const TROUBLE_MS = 1_000;

interface RelayOptions {
  db: Database;
  client: Client;
  log: Logger;
}

interface Relay extends RelayOptions {
  nameOf: TenantNames;
}

/**
 * Starts or signals the workflows of outbox entries whose own process could not do so. The relay is a plain loop instead of a
 * workflow, because it must work when Temporal has just come back.
 */
export function startOutboxRelay(options: RelayOptions): WorkerLoop {
  const relay = { ...options, nameOf: tenantNames(options.db.pool) };
  return startLoop({
    name: 'outbox relay',
    idleMs: IDLE_MS,
    troubleMs: TROUBLE_MS,
    log: options.log,
    work: async () => await relayOnce(relay),
  });
}

/** Relays one batch of due entries; true when there may be more. Throws after postponing entries that failed. */
async function relayOnce({ db, client, nameOf }: Relay): Promise<boolean> {
  const outbox = await claimDueEntries(db.pool, BATCH);
  if (outbox.length === 0) return false;
  const { done, failed, trouble } = await notifyAll({ client, nameOf }, outbox);
  if (done.length > 0) await deleteOutboxEntries(db.pool, done);
  if (failed.length > 0) {
    await postponeOutboxEntries(db.pool, failed, TROUBLE_MS);
    throw trouble;
  }
  return true;
}

async function notifyAll({ client, nameOf }: Pick<Relay, 'client' | 'nameOf'>, outbox: OutboxEntry[]) {
  const done: number[] = [];
  const failed: number[] = [];
  let trouble: unknown;
  const queue = [...outbox];
  const notifyNext = async (): Promise<void> => {
    for (let entry = queue.shift(); entry; entry = queue.shift()) {
      // After one failure the rest of the batch is postponed.
      if (trouble) {
        failed.push(entry.id);
        continue;
      }
      try {
        await startWorkflow(client, entry, await nameOf(entry.tenantId));
        done.push(entry.id);
      } catch (error) {
        trouble = error;
        failed.push(entry.id);
      }
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, notifyNext));
  return { done, failed, trouble };
}
