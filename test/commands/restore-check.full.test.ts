import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openVault } from '../../db/vault/vault.ts';
import { addMs, DAY_MS } from '../../domain/durations.ts';
import { lastSealedDay } from '../../domain/seals/days.ts';
import { projectRoot } from '../../standalone/project-root.ts';
import { sealRound } from '../../worker/seal-loop.ts';
import { workflowId } from '../../workflows/contract.ts';
import { startTestApi, type TestApi } from '../api-client.ts';
import { testDatabase, type TestDatabase } from '../database.ts';
import { eventually } from '../eventually.ts';
import { formOf, png } from '../factories/evidence.ts';
import { unguarded } from '../factories/tampering.ts';
import { createTenant } from '../factories/tenant.ts';
import { createTransaction, evmAddress, registerWallet } from '../factories/transaction.ts';
import { startTestSystem } from '../system.ts';

/** What was backed up: a deployment with a transaction that waits for its counterparty, and a file. */
let original: TestDatabase;
let masterKey: string;
let files: string;
let waitingId: string;

/** A restored copy of the database and of the files. */
let restored: TestDatabase;
let restoredFiles: string;

beforeAll(async () => {
  original = await testDatabase();
  const api = await startTestApi(original);
  masterKey = api.config.MASTER_KEY;
  files = await mkdtemp(join(tmpdir(), 'waybill-backup-'));
  waitingId = await fill(api);
  await cp(api.config.STORAGE_DIR ?? '', files, { recursive: true });
  await api.stop();
});
afterAll(async () => {
  await rm(files, { recursive: true, force: true });
  await original.drop();
});
beforeEach(async () => {
  restored = await testDatabase(original.name);
  restoredFiles = await mkdtemp(join(tmpdir(), 'waybill-restored-'));
  await cp(files, restoredFiles, { recursive: true });
});
afterEach(async () => {
  await restored.drop();
  await rm(restoredFiles, { recursive: true, force: true });
});

async function fill(api: TestApi): Promise<string> {
  const tenant = await createTenant(api);
  const answer = await fetch(`${api.url}/tenant/me/settings/logo`, {
    method: 'POST',
    headers: { 'X-Api-Key': tenant.apiKey },
    body: formOf({}, [{ name: 'file', fileName: 'logo.png', type: 'image/png', content: png() }]),
  });
  expect(answer.status).toBe(200);
  await registerWallet(tenant, evmAddress());
  const { id } = await createTransaction(tenant, { vaspInfo: { beneficiaryVaspName: 'Nobody Known' } });
  // What was queued has been started by the Temporal server that is lost now.
  await api.db.pool.query('delete from outbox');
  return id;
}

async function check(argv: string[] = [], key = masterKey): Promise<{ code: number; output: string }> {
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: restored.url,
    MASTER_KEY: key,
    STORAGE_DIR: restoredFiles,
  };
  const command = [join(projectRoot, 'dist/commands/restore-check.js'), ...argv];
  return await new Promise((resolve) => {
    const child = execFile(process.execPath, command, { env }, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, output: stdout + stderr });
    });
  });
}

test('a restored database whose parts fit is said to be whole, check by check', async () => {
  const { code, output } = await check();
  expect([code, output]).toEqual([0, expect.stringContaining('Schema: ok.\nKeys: ok, ')]);
  for (const line of ['Logs: ok.', 'Change feed: ok, ', 'Files: ok, 1 files.'])
    expect(output).toContain(line);
  expect(output).not.toContain('Workflows');
});

/** As if the deployment were four days old, and its worker had sealed until the moment of the backup. */
async function sealedUntil(moment: Date): Promise<void> {
  await restored.pool.query(`update tenants set created_at = now() - interval '4 days'`);
  const vault = await openVault({ pool: restored.pool, masterKey, environment: 'sandbox' });
  const db = { pool: restored.pool, vault, walletUrl: 'http://localhost', speaksTrp: false };
  const deps = { db, now: () => moment, notifyWorkflows: () => undefined };
  while (await sealRound(deps));
}

test('an older backup is whole, although nobody has sealed the days since, and its workflows are queued', async () => {
  const backedUpAt = addMs(new Date(), -2 * DAY_MS);
  await sealedUntil(backedUpAt);
  const { code, output } = await check(['--rebuild']);
  expect(output).toContain(
    `The latest seals are of ${lastSealedDay(backedUpAt)}: the worker makes those of later days.`,
  );
  expect(output).toContain('Workflows: queued for the worker: transaction 1.');
  expect(code).toBe(0);
});

test('a seal that an older backup lacks before its latest ones is missing', async () => {
  const backedUpAt = addMs(new Date(), -2 * DAY_MS);
  await sealedUntil(backedUpAt);
  await unguarded(
    restored.pool,
    async () =>
      await restored.pool.query('delete from event_seals where day = (select min(day) from event_seals)'),
  );
  const { code, output } = await check();
  expect([code, output]).toEqual([1, expect.stringMatching(/the seal of [-0-9]+ is missing/)]);
});

test('what is unfinished gets its workflow back', async () => {
  const system = await startTestSystem({ template: original.name, config: { MASTER_KEY: masterKey } });
  try {
    const handle = system.client.workflow.getHandle(workflowId('transactionLifecycle', waitingId));
    await expect(handle.describe()).rejects.toThrow('not found');
    const { database } = system;
    await restored.drop();
    restored = { ...database, drop: async () => await Promise.resolve() };
    const { code, output } = await check(['--rebuild']);
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(/Workflows: queued for the worker: .*transaction 1/),
    ]);
    await eventually(
      async () => (await handle.describe()).status.name,
      (status) => status === 'RUNNING',
    );
  } finally {
    await system.stop();
  }
});

test.each<[string, () => Promise<unknown>, string]>([
  [
    'a schema of an earlier version',
    async () =>
      await restored.pool.query(
        'delete from knex_migrations where id = (select max(id) from knex_migrations)',
      ),
    'Schema: it is of an earlier version: run npm run migrate',
  ],
  [
    'a tenant without its keys',
    async () => await restored.pool.query("delete from vault_keys where purpose = 'TOKENS'"),
    'Keys: the master key does not open those of tenant ',
  ],
  [
    'a log that lost an entry',
    async () =>
      await unguarded(restored.pool, async () => {
        await restored.pool.query("delete from events where type = 'CREATED' or sequence = 1");
      }),
    'Logs: ',
  ],
  [
    'files that were not restored',
    async () => await rm(restoredFiles, { recursive: true }),
    'Files: 1 of 1 are missing: restore STORAGE_DIR or the bucket.',
  ],
])('%s is named, and nothing is queued', async (_what, spoil, line) => {
  await spoil();
  const { code, output } = await check(['--rebuild']);
  expect([code, output]).toEqual([1, expect.stringContaining(line)]);
  const { rowCount } = await restored.pool.query('select from outbox');
  expect(rowCount).toBe(0);
});

test('another master key opens nothing', async () => {
  const other = await check([], randomBytes(32).toString('hex'));
  expect([other.code, other.output]).toEqual([1, expect.stringContaining('\nKeys: ')]);
});

test.each(['events', 'feed_entries'])(
  'an open transaction keeps changes in %s from the feed',
  async (table) => {
    const writer = await restored.pool.connect();
    try {
      await writer.query('begin; select pg_current_xact_id()');
      await unguarded(restored.pool, async () => {
        const present = 'xid = pg_current_xact_id(), epoch = present_feed_epoch()';
        const { rowCount } = await restored.pool.query(`update ${table} set ${present}`);
        expect(rowCount).toBeGreaterThan(0);
      });
      const { code, output } = await check();
      expect([code, output]).toEqual([
        1,
        expect.stringContaining('are not shown yet: is anybody still writing'),
      ]);
    } finally {
      await writer.query('rollback');
      writer.release();
    }
  },
);
