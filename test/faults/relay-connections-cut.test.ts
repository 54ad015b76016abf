import { randomBytes } from 'node:crypto';
import { createLog } from '../../process/log.ts';
import { startOutboxRelay } from '../../worker/outbox-relay.ts';
import { createSweep } from '../../worker/sweep.ts';
import { workflowId } from '../../workflows/contract.ts';
import { connectLazily, createClient } from '../../workflows/start.ts';
import type { Json } from '../api-client.ts';
import { eventually } from '../eventually.ts';
import { bulkTenants, bulkTransactions } from '../factories/bulk-rows.ts';
import { createTransaction } from '../factories/transaction.ts';
import { useApi, useTenant } from '../use-api.ts';
import { openCutWorker, type CutWorker } from './cut-worker.ts';
import { expectSameEnds } from './stories.ts';

// Relay and sweep lose their database connection at each statement: every workflow is started nevertheless.

/** As many as the relay needs for two records at most: whatever is cut is reached, also when it takes both at once. */
const STATEMENTS = 8;

const { api, database } = useApi();
const tenant = useTenant(api);
const connection = connectLazily(process.env['WAYBILL_TEST_TEMPORAL'] ?? '');
const client = createClient(connection, `cut-${randomBytes(6).toString('hex')}`);
const log = createLog('worker', 'info', { write: () => undefined });
let worker: CutWorker;

beforeAll(async () => {
  worker = await openCutWorker(api, database);
  // A namespace that is new is not known to the whole server at once: then a story would have its trouble, once.
  const works = async (work: () => Promise<unknown>) =>
    await work().then(
      () => true,
      () => false,
    );
  await eventually(async () => await works(createSweep({ db: api.db, connection, client, log })), Boolean);
  const start = async () =>
    await client.workflow.start('none', { taskQueue: 'none', workflowId: randomBytes(6).toString('hex') });
  await eventually(async () => await works(start), Boolean);
});
afterAll(async () => {
  await worker.close();
  await connection.close();
});

test('the relay starts every workflow', async () => {
  const end = await expectSameEnds(worker, async () => {
    await database.pool.query('delete from outbox');
    const made = [await createTransaction(tenant), await createTransaction(tenant)];
    // What a relay that died has claimed is due again after half a minute.
    const allDue = async () => await database.pool.query('update outbox set due_at = now()');
    await allDue();
    return async () => {
      const relay = startOutboxRelay({ db: worker.db, client, log });
      await eventually(
        async () => (await allDue()).rowCount,
        (left) => left === 0,
      );
      // It looks on, and finds nothing: also such a statement is cut.
      await eventually(
        () => worker.cuts.statements(),
        (told) => told.length >= STATEMENTS && told.at(-1)?.includes('update outbox') === true,
      );
      await relay.stop();
      const started = made.map(
        async ({ id }) => await client.workflow.getHandle(workflowId('transactionLifecycle', id)).describe(),
      );
      return (await Promise.all(started)).map(({ status }) => status.name);
    };
  });
  expect(end).toEqual(['RUNNING', 'RUNNING']);
});

test('the sweep queues every row once, and those of a Temporal that has lost its state', async () => {
  const tenants = await bulkTenants(database.pool, 1);
  const end = await expectSameEnds(worker, async () => {
    for (const table of ['outbox', 'transactions']) await database.pool.query(`delete from ${table}`);
    await database.pool.query(`update temporal_namespaces set id = 'the one before'`);
    await bulkTransactions(database.pool, tenants, { count: 2, wakeAt: `now() - interval '2 minutes'` });
    await bulkTransactions(database.pool, tenants, { count: 3, wakeAt: `now() + interval '90 days'` });
    const sweep = createSweep({ db: worker.db, connection, client, log });
    return async () => {
      await eventually(
        async () =>
          await sweep().then(
            () => true,
            () => false,
          ),
        Boolean,
      );
      const { rows } = await database.pool.query<Json>(
        `select count(*)::int as queued, count(distinct subject_id)::int as records,
           (select id <> 'the one before' from temporal_namespaces where name = $1) as is_known
         from outbox`,
        [client.options.namespace],
      );
      return rows;
    };
  });
  expect(end).toEqual([{ queued: 5, records: 5, is_known: true }]);
});
