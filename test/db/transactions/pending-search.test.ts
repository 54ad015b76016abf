import { flushPendingSearch } from '../../../db/pending-search.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import { startTestApi, type TestApi } from '../../api-client.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { createTransaction } from '../../factories/transaction.ts';

let database: TestDatabase;
let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  database = await testDatabase();
  // Whatever is asked goes through bitmaps of indexes, as in a table that is too large for anything else.
  for (const way of ['seqscan', 'indexscan']) await setForAll(`enable_${way} = off`);
  api = await startTestApi(database);
  tenant = await createTenant(api);
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

/** For every connection that is opened from now on. */
async function setForAll(setting: string): Promise<void> {
  await database.pool.query(
    `do $$ begin execute format('alter database %I set ${setting}', current_database()); end $$`,
  );
}

async function find(q: string): Promise<string[]> {
  const { body } = await tenant.get<Transaction[]>(`/transactions?q=${encodeURIComponent(q)}`);
  return body.map((record) => record.id);
}

/** Moves what has gathered into the index; the pages that it took. */
async function flush(): Promise<number> {
  const { rows } = await database.pool.query<{ pages: number }>(
    `select gin_clean_pending_list('transactions_search')::int as pages`,
  );
  return rows[0]?.pages ?? 0;
}

test('a name is found by word and prefix at once, while its tokens wait for their place in the index, and after', async () => {
  await createTransaction(tenant, { originator: { name: 'Somebody Else' } });
  await flush();
  const made = await createTransaction(tenant, { originator: { name: 'Rosalind Äpfelbaum' } });
  const queries = ['rosalind', 'Ros', 'apfel rosa'];
  for (const q of queries) expect(await find(q)).toEqual([made.id]);
  expect(await flush()).toBeGreaterThan(0);
  for (const q of queries) expect(await find(q)).toEqual([made.id]);
});

test('what 200 transactions have added is moved beside the requests that come after them', async () => {
  await flush();
  const query = jest.spyOn(api.db.pool, 'query');
  await Promise.all(Array.from({ length: 200 }, async () => await createTransaction(tenant)));
  const flushes = query.mock.calls.flatMap(([config], at) =>
    (config as unknown as { name?: string }).name === 'flush-pending-search'
      ? [query.mock.results[at]?.value as unknown as Promise<{ rows: [{ pages: number }] }>]
      : [],
  );
  query.mockRestore();
  expect(flushes).toHaveLength(1);
  expect((await flushes[0])?.rows[0].pages).toBeGreaterThan(0);
});

test('two processes do not move the same entries', async () => {
  const other = await database.pool.connect();
  try {
    await other.query('begin');
    await other.query('select pg_advisory_xact_lock(727276)');
    expect(await flushPendingSearch(api.db.pool)).toBeNull();
  } finally {
    await other.query('rollback');
    other.release();
  }
  expect(await flushPendingSearch(api.db.pool)).toBeGreaterThanOrEqual(0);
});
