import { parseArgs } from 'node:util';
import type pg from 'pg';
import { isMigrated } from '../db/migrate.ts';
import { openPool } from '../db/postgres.ts';
import { findHiddenChanges } from '../db/restore/check-feed.ts';
import { checkTenantKeys } from '../db/restore/check-tenant-keys.ts';
import { listStoredObjects } from '../db/restore/list-stored-objects.ts';
import { DeploymentMismatch } from '../db/vault/master-key.ts';
import { openVault, type Vault } from '../db/vault/vault.ts';
import { requireSettings, withSettings, type Settings } from '../process/settings.ts';
import { openStorage } from '../storage/open-storage.ts';
import { ObjectMissing, type Storage } from '../storage/storage.ts';
import { walkUnfinished } from '../worker/reconcile.ts';
import { checkLogs } from './check-logs.ts';

const USAGE = `usage: restore-check [--rebuild]
Checks a database that was restored from a backup, before api and worker run on it: schema, keys, logs, change feed, files.
With --rebuild it also queues every unfinished row, so that the worker starts their workflows anew.`;

/**
 * `npm run restore-check`: prints a line per check; exit code 0 when all of them hold, 1 otherwise. It changes nothing but the
 * epoch of the change feed, which the first write would begin anyway, and with `--rebuild` the outbox.
 */
await withSettings(async (given) => {
  const { rebuild } = readArguments();
  const settings = requireSettings(given, ['DATABASE_URL', 'MASTER_KEY']);
  const pool = openPool(settings.DATABASE_OWNER_URL ?? settings.DATABASE_URL, 2, () => undefined);
  try {
    const isWhole = await checkAll(pool, settings);
    if (isWhole && rebuild) await rebuildWorkflows(pool);
    else if (rebuild) console.log('Workflows: not rebuilt, since a check above failed.');
    process.exitCode = isWhole ? 0 : 1;
  } finally {
    await pool.end();
  }
});

function readArguments(): { rebuild: boolean } {
  try {
    return parseArgs({ options: { rebuild: { type: 'boolean', default: false } } }).values;
  } catch {
    console.error(USAGE);
    process.exit(1);
  }
}

type CheckSettings = Settings & { MASTER_KEY: string };

/** Every check runs, so that one run names all that is wrong; without schema or master key none of the others can. */
async function checkAll(pool: pg.Pool, settings: CheckSettings): Promise<boolean> {
  if (!(await isMigrated(async (text) => await pool.query<{ name: string }>(text)))) {
    return report('Schema', 'it is of an earlier version: run npm run migrate, then this again.');
  }
  console.log('Schema: ok.');
  const vault = await openKeys(pool, settings);
  if (vault === null) return false;
  const checks = [
    await checkKeys(pool, vault),
    await areLogsWhole(pool, vault),
    await checkFeed(pool),
    await checkFiles(pool, openStorage(settings)),
  ];
  return checks.every(Boolean);
}

/** Prints what is wrong with a part. Returns false, as the result of its check. */
function report(part: string, fault: string): false {
  console.log(`${part}: ${fault}`);
  return false;
}

async function openKeys(pool: pg.Pool, settings: CheckSettings): Promise<Vault | null> {
  try {
    return await openVault({
      pool,
      masterKey: settings.MASTER_KEY,
      previousMasterKey: settings.MASTER_KEY_PREVIOUS,
      environment: settings.ENVIRONMENT,
    });
  } catch (error) {
    if (!(error instanceof DeploymentMismatch)) throw error;
    report('Keys', error.message);
    return null;
  }
}

async function checkKeys(pool: pg.Pool, vault: Vault): Promise<boolean> {
  const { checked, closed } = await checkTenantKeys({ pool, vault }, (done) =>
    console.log(`${done} tenants checked …`),
  );
  for (const id of closed) report('Keys', `the master key does not open those of tenant ${id}.`);
  if (closed.length > 0) return false;
  console.log(`Keys: ok, ${checked} tenants.`);
  return true;
}

async function areLogsWhole(pool: pg.Pool, vault: Vault): Promise<boolean> {
  const faults = await checkLogs({ pool, vault }, undefined, { isBackup: true });
  if (faults > 0) return report('Logs', `${faults} faults, see above.`);
  console.log('Logs: ok.');
  return true;
}

async function checkFeed(pool: pg.Pool): Promise<boolean> {
  const hidden = await findHiddenChanges(pool);
  for (const id of hidden) {
    const fault = `changes of tenant ${id} are not shown yet: is anybody still writing to this database?`;
    report('Change feed', fault);
  }
  if (hidden.length > 0) return false;
  console.log('Change feed: ok, it goes on after the restored changes.');
  return true;
}

async function checkFiles(pool: pg.Pool, storage: Storage): Promise<boolean> {
  let checked = 0;
  let missing = 0;
  for await (const objects of listStoredObjects(pool)) {
    for (const { id, key } of objects) {
      if (await isStored(storage, key)) continue;
      missing += 1;
      report('Files', `the content of file ${id} is not in the storage.`);
    }
    checked += objects.length;
    console.log(`${checked} files checked …`);
  }
  if (missing > 0)
    return report('Files', `${missing} of ${checked} are missing: restore STORAGE_DIR or the bucket.`);
  console.log(`Files: ok, ${checked} files.`);
  return true;
}

async function isStored(storage: Storage, key: string): Promise<boolean> {
  try {
    const content = await storage.get(key);
    content.destroy();
    return true;
  } catch (error) {
    if (error instanceof ObjectMissing) return false;
    throw error;
  }
}

async function rebuildWorkflows(pool: pg.Pool): Promise<void> {
  const walk = walkUnfinished(pool, { overdue: false });
  const isDone = await walk.next();
  const counts = Object.entries(walk.queued).filter(([, count]) => count > 0);
  const queued = counts.map(([kind, count]) => `${kind} ${count}`).join(', ') || 'nothing is unfinished';
  console.log(`Workflows: queued for the worker: ${queued}.`);
  if (!isDone) console.log('The outbox is full: start the worker, then run npm run reconcile -- --all.');
}
