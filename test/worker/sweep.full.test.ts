import { randomBytes } from 'node:crypto';
import { msToTs } from '@temporalio/common/lib/time.js';
import { createLog } from '../../process/log.ts';
import { createSweep } from '../../worker/sweep.ts';
import { attributes, workflowId } from '../../workflows/contract.ts';
import { connectLazily, createClient } from '../../workflows/start.ts';
import { startTestApi, type Json, type TestApi } from '../api-client.ts';
import { testDatabase, type TestDatabase } from '../database.ts';
import { eventually } from '../eventually.ts';
import { bulkTenants, bulkTransactions } from '../factories/bulk-rows.ts';
import { TEMPORAL_MS } from '../temporal.ts';

const address = process.env['WAYBILL_TEST_TEMPORAL'] ?? '';
const connection = connectLazily(address);
afterAll(async () => await connection.close());

let database: TestDatabase;
let api: TestApi;
let namespace: string;
let lines: Json[];
beforeEach(async () => {
  database = await testDatabase();
  api = await startTestApi(database);
  namespace = `sweep-${randomBytes(6).toString('hex')}`;
  lines = [];
});
afterEach(async () => {
  await api.stop();
  await database.drop();
});

/** What a worker does every minute; a new one each time is a worker that has just started. */
function newSweep(to = connection) {
  const write = (line: string) => void lines.push(JSON.parse(line) as Json);
  const log = createLog('worker', 'info', { write });
  return createSweep({
    db: api.db,
    connection: to,
    client: createClient(to, namespace),
    log,
    deadlineMs: TEMPORAL_MS,
  });
}

/** Repeats it as the worker does: a namespace that is new is not known to the whole server at once. */
async function untilDone(sweep: () => Promise<void>): Promise<void> {
  await eventually(
    async () => await sweep().then(() => 'done', String),
    (outcome) => outcome === 'done',
  );
}

async function openTransactions(count: number, wakeAt: string): Promise<void> {
  await bulkTransactions(api.db.pool, await bulkTenants(api.db.pool, 1), { count, wakeAt });
}

/** The relay's work: how many rows it found. */
async function takeOutbox(): Promise<number> {
  return (await database.pool.query('delete from outbox')).rowCount ?? 0;
}

const OVERDUE = `now() - interval '2 minutes'`;
const FAR_OFF = `now() + interval '90 days'`;

test('a namespace that has lost its search attributes and schedules gets them back', async () => {
  // What a development server makes by itself after its database was deleted: the bare namespace.
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: msToTs('1 day'),
  });
  await untilDone(newSweep());
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  expect(Object.keys(customAttributes ?? {})).toEqual(
    expect.arrayContaining(Object.values(attributes).map(({ name }) => name)),
  );
  const schedule = createClient(connection, namespace).schedule.getHandle(workflowId('housekeeping'));
  expect((await schedule.describe()).scheduleId).toBe(workflowId('housekeeping'));
});

test('every unfinished row is queued once for a server that is new to it, whatever the worker', async () => {
  await openTransactions(3, FAR_OFF);
  const sweep = newSweep();
  await untilDone(sweep);
  expect(await takeOutbox()).toBe(3);
  await sweep();
  await newSweep()();
  expect(await takeOutbox()).toBe(0);
});

test('a server that has lost everything is noticed by workers that were running before', async () => {
  await openTransactions(3, FAR_OFF);
  const [one, other] = [newSweep(), newSweep()];
  await untilDone(one);
  await other();
  await takeOutbox();
  // Both know the namespace by the id of before.
  await database.pool.query(`update temporal_namespaces set id = 'the one before'`);
  const restarted = newSweep();
  await restarted();
  expect(await takeOutbox()).toBe(3);
  await newSweep()();
  expect(await takeOutbox()).toBe(0);
});

test('more rows than the outbox takes are queued over several rounds, and a new worker begins again', async () => {
  await openTransactions(10_500, FAR_OFF);
  await untilDone(newSweep());
  expect(await takeOutbox()).toBe(10_000);
  const restarted = newSweep();
  await restarted();
  expect(await takeOutbox()).toBe(10_000);
  await restarted();
  expect(await takeOutbox()).toBe(500);
  await restarted();
  expect(await takeOutbox()).toBe(0);
});

test('what is overdue is queued also while Temporal is away', async () => {
  await openTransactions(2, OVERDUE);
  const nowhere = connectLazily('127.0.0.1:1');
  const round = newSweep(nowhere)();
  await eventually(
    async () => (await database.pool.query('select 1 from outbox')).rowCount,
    (count) => count === 2,
  );
  await expect(round).rejects.toThrow();
  await nowhere.close();
  expect(lines).toContainEqual(
    expect.objectContaining({ queued: expect.objectContaining({ transaction: 2 }) as unknown }),
  );
});
