import { Socket } from 'node:net';
import type pg from 'pg';
import { copyRows } from '../../db/copy-rows.ts';
import type { Column } from '../../db/columns.ts';
import {
  inSnapshot,
  inTransaction,
  openPool,
  rowsInSnapshot,
  withConnection,
  type Queryable,
} from '../../db/postgres.ts';
import { eventually } from '../eventually.ts';
import { testDatabase, type TestDatabase } from '../database.ts';

// Each way of taking a connection, when the server ends it in the middle.

let database: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await testDatabase();
  await database.pool.query('create table copied (place int)');
  pool = openPool(database.url, 2, () => undefined);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
afterEach(async () => {
  // Twice as many as there are connections: none is lost to the pool.
  const reads = Array.from({ length: 4 }, async () => await pool.query('select 1'));
  expect(await Promise.all(reads)).toHaveLength(4);
  expect([pool.waitingCount, pool.idleCount]).toEqual([0, pool.totalCount]);
  expect((await database.pool.query('select 1 from copied')).rowCount).toBe(0);
});

/** Ends all connections of the pool, as a restart of the server does. */
async function endConnections(): Promise<void> {
  await database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'cut'`,
  );
}

const named = async (db: Queryable) => await db.query(`set application_name = 'cut'`);
const LOST = /terminat|connection error/;

test('a statement of the pool that runs', async () => {
  const running = pool.query(`set application_name = 'cut'; select pg_sleep(60)`);
  const failed = expect(running).rejects.toThrow(LOST);
  while (!(await isSleeping())) continue;
  await endConnections();
  await failed;
});

async function isSleeping(): Promise<boolean> {
  const text = `select 1 from pg_stat_activity where application_name = 'cut' and wait_event = 'PgSleep'`;
  return (await database.pool.query(text)).rowCount === 1;
}

test.each([
  ['a transaction', inTransaction],
  ['a snapshot', inSnapshot],
  ['a connection', withConnection],
])('%s', async (_name, take) => {
  const work = take(pool, async (client) => {
    await named(client);
    await endConnections();
    await client.query('select 1');
  });
  await expect(work).rejects.toThrow(LOST);
});

test('a transaction before its COMMIT', async () => {
  const work = inTransaction(pool, async (tx) => {
    await named(tx);
    await tx.query('insert into copied values (1)');
    await endConnections();
  });
  await expect(work).rejects.toThrow(LOST);
});

const columns: Column<number>[] = [{ name: 'place', type: 'int', value: (place) => place }];
const SOME = 10_000;
const MANY = 3_000_000;

/** Rows enough for some seconds; calls `begun` after some of them. */
function* manyRows(begun: () => void): Generator<number> {
  for (let place = 0; place < MANY; place += 1) {
    if (place === SOME) begun();
    yield place % SOME;
  }
  throw new Error('the connection was never cut');
}

test.each([
  ['within a transaction', inTransaction],
  ['on its own', withConnection],
])('a COPY %s, while its rows are sent', async (_name, take) => {
  let ended: Promise<void> | undefined;
  const work = take(pool, async (client) => {
    await named(client);
    const rows = manyRows(() => {
      ended = endConnections();
    });
    await copyRows(client, 'copied', columns, rows);
  });
  const fault = await work.catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(Error);
  expect((fault as Error).message).not.toMatch(/never cut/);
  await ended;
});

/** Reads a query in batches of two, as a report does, and calls `between` after each; the number of batches. */
async function readInBatches(between: () => Promise<void>): Promise<number> {
  const text = `select i, set_config('application_name', 'cut', false) from generate_series(1, 5) i where i >= $1`;
  let batches = 0;
  for await (const rows of rowsInSnapshot(pool, { text, values: [1] }, 2)) {
    expect(rows.length).toBeGreaterThan(0);
    batches += 1;
    await between();
  }
  return batches;
}

test('rows of one state that are read in batches, between two of them', async () => {
  expect(await readInBatches(async () => await Promise.resolve())).toBe(3);
  await expect(readInBatches(endConnections)).rejects.toThrow(LOST);
});

test('rows that nobody reads to the end', async () => {
  const read = readInBatches(() => Promise.reject(new Error('the file cannot be written')));
  await expect(read).rejects.toThrow('the file cannot be written');
  // Its transaction would keep old rows of all tables from being removed.
  const open = `select 1 from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`;
  await eventually(
    async () => await database.pool.query(open),
    ({ rowCount }) => rowCount === 0,
  );
});

test('a COPY on a connection that was ended before', async () => {
  const work = withConnection(pool, async (client) => {
    await named(client);
    await endConnections();
    await copyRows(client, 'copied', columns, [1, 2, 3]);
  });
  await expect(work).rejects.toThrow(LOST);
});

test('a connection is probed while its server is silent', async () => {
  const setKeepAlive = jest.spyOn(Socket.prototype, 'setKeepAlive');
  const other = openPool(database.url, 1, () => undefined);
  await other.query('select 1');
  await other.end();
  expect(setKeepAlive.mock.calls).toEqual([[true, 10_000]]);
  setKeepAlive.mockRestore();
});
