import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { projectRoot } from '../../standalone/project-root.ts';
import type { WalletImport } from '../../domain/wallets/wallet-import.ts';
import { setUpTemporal } from '../../worker/temporal-setup.ts';
import { connectLazily, createClient, startImport } from '../../workflows/start.ts';
import { startTestApi, type TestApi } from '../api-client.ts';
import { testDatabase, type TestDatabase } from '../database.ts';
import { eventually } from '../eventually.ts';
import { evmFile, upload } from '../factories/csv.ts';
import { holdLocks } from '../factories/held-locks.ts';
import { activateList } from '../factories/sanctions.ts';
import { createTenant } from '../factories/tenant.ts';
import { registerWallet } from '../factories/transaction.ts';

const WORKER = join(projectRoot, 'dist', 'worker', 'main.js');
const address = process.env['WAYBILL_TEST_TEMPORAL'] ?? '';
const namespace = `test-${randomBytes(6).toString('hex')}`;
const connection = connectLazily(address);
let database: TestDatabase;
let api: TestApi;
let worker: ChildProcess | undefined;

beforeAll(async () => {
  await setUpTemporal(connection, namespace);
  database = await testDatabase();
  // Without a version of these lists a worker would import those that come with the product first.
  for (const code of ['OFAC_SDN', 'OFAC_CONS']) await activateList(database.pool, code, []);
  const client = createClient(connection, namespace);
  api = await startTestApi(database, {
    deps: { startImport: async (subject) => await startImport(client, subject), importLimitMs: 100 },
  });
});
afterAll(async () => {
  worker?.kill('SIGKILL');
  await api.stop();
  await connection.close();
  await database.drop();
});

/** The worker as it is run, in a process of its own that can be killed. */
async function startWorker(): Promise<void> {
  worker = fork(WORKER, {
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: address,
      TEMPORAL_NAMESPACE: namespace,
      MASTER_KEY: api.config.MASTER_KEY,
    },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  await once(worker, 'message');
}

async function killWorker(): Promise<void> {
  const ended = worker && once(worker, 'exit');
  worker?.kill('SIGKILL');
  await ended;
}

const number = async (sql: string) => (await database.pool.query<{ n: number }>(sql)).rows[0]?.n;

const waitingImports = async () =>
  await number(`select count(*)::int as n from pg_stat_activity where datname = current_database()
    and wait_event_type = 'Lock' and query ~ '^insert into wallets'`);

/** Deletes a wallet and does not commit: who registers the same one waits. The returned function commits. */
async function holdDeletion(address: string): Promise<() => Promise<void>> {
  return await holdLocks(api, async (tx) => {
    await tx.query('set local idle_in_transaction_session_timeout = 0');
    expect((await tx.query('delete from wallets where address = $1', [address])).rowCount).toBe(1);
  });
}

test('a worker that is killed in the middle leaves nothing half imported; the next one finishes, once', async () => {
  const tenant = await createTenant(api);
  await startWorker();
  const file = evmFile(20_000);
  const address = file.split('\n')[10_000]?.split(',')[0] ?? '';
  await registerWallet(tenant, address);
  const release = await holdDeletion(address);
  expect((await upload(tenant, file)).status).toBe(503);
  // In its transaction, which holds the import, with half of the rows written; still so after the end of the worker, which
  // PostgreSQL notices when it answers.
  await eventually(waitingImports, (waiting) => waiting === 1);
  await killWorker();
  expect(await waitingImports()).toBe(1);
  await release();
  expect(await number('select count(*)::int as n from wallets')).toBe(0);
  // The file is a little over 1 MiB, the size of a piece: as its bytes arrive that is one piece or two.
  expect(await number('select count(*)::int as n from wallet_import_chunks')).toBeGreaterThan(0);
  await startWorker();
  const { rows } = await database.pool.query<{ id: string }>('select id from wallet_imports');
  const { body } = await eventually(
    async () => await tenant.get<WalletImport>(`/wallets/imports/${rows[0]?.id}`),
    (answer) => answer.body.state !== 'RUNNING',
  );
  expect(body).toMatchObject({ state: 'DONE', total: 20_000, created: 20_000, skipped: 0 });
  expect(await number('select count(*)::int as n from wallets')).toBe(20_000);
  expect(await number('select count(*)::int as n from wallet_import_chunks')).toBe(0);
});
