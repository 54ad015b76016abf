import type { ChangeFeed } from '../../../domain/events/feed.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import { startTestApi, type TestApi } from '../../api-client.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { eventually } from '../../eventually.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';

let database: TestDatabase;
let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  database = await testDatabase();
  api = await startTestApi(database);
});
beforeEach(async () => {
  tenant = await createTenant(api);
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

const body = {
  asset: 'ETH',
  amount: 1,
  blockchainInfo: { destination: `0x${'1'.repeat(40)}`, destinationType: 'CUSTODIAL' },
};
const create = async (by = tenant) => (await by.post<Transaction>('/transactions', body)).body.id;
const read = async (query: string, by = tenant) => (await by.get<ChangeFeed>(`/events${query}`)).body;
/** The feed ends before the oldest open database transaction of the server; other tests have theirs open beside this one. */
const readAll = async (count: number, by = tenant) =>
  await eventually(
    async () => await read('', by),
    ({ events }) => events.length >= count,
  );

test('200: changes come in order, pages join without gap or repeat, and nothing new keeps the cursor', async () => {
  expect(await read('')).toEqual({ events: [], nextCursor: null });
  const ids = [await create(), await create(), await create()];
  await tenant.patch(`/transactions/${ids[0]}`, { metadata: 'x' });
  await tenant.delete(`/transactions/${ids[1]}`);
  const whole = await readAll(5);
  expect(whole.events.map(({ id, type, version }) => [id, type, version])).toEqual([
    [ids[0], 'CREATED', 1],
    [ids[1], 'CREATED', 1],
    [ids[2], 'CREATED', 1],
    [ids[0], 'DATA_UPDATED', 2],
    [ids[1], 'DELETED', 2],
  ]);
  const first = await read('?_limit=2');
  const second = await read(`?_limit=2&_after=${first.nextCursor}`);
  const third = await read(`?_limit=2&_after=${second.nextCursor}`);
  expect([...first.events, ...second.events, ...third.events]).toEqual(whole.events);
  expect(await read(`?_after=${third.nextCursor}`)).toEqual({ events: [], nextCursor: third.nextCursor });
});

test('a change whose database transaction is still open is not jumped over', async () => {
  const client = await database.pool.connect();
  await client.query('begin');
  await client.query('select pg_current_xact_id()');
  const id = await create();
  expect((await read('')).events).toEqual([]);
  await client.query('commit');
  client.release();
  expect((await readAll(1)).events.map((event) => event.id)).toEqual([id]);
});

const WRITTEN = 150;

test('what many writers write at once is all found by a reader who goes on from cursor to cursor', async () => {
  const seen: string[] = [];
  let after = '';
  let writing = true;
  const reading = (async () => {
    while (writing || seen.length < WRITTEN) {
      const page = await read(`?_limit=7${after}`);
      seen.push(...page.events.map((event) => event.id));
      if (page.nextCursor) after = `&_after=${page.nextCursor}`;
    }
  })();
  const ids = await Promise.all(Array.from({ length: WRITTEN }, async () => await create()));
  writing = false;
  await reading;
  expect((await read(`?_limit=1000${after}`)).events).toEqual([]);
  expect([...seen].sort()).toEqual([...ids].sort());
});

test('the feed of a tenant holds nothing of another', async () => {
  const other = await createTenant(api);
  await create(other);
  const { nextCursor } = await readAll(1, other);
  expect((await read('')).events).toEqual([]);
  expect((await tenant.get(`/events?_after=${nextCursor}`)).status).toBe(400);
});

test.each(['?_after=nonsense', '?_after=MTIuMzQ', '?_limit=0', '?_limit=1001', '?_limit=x', '?_start=0'])(
  '400: %s',
  async (query) => {
    const answer = await tenant.get<{ errors: { pointer: string }[] }>(`/events${query}`);
    expect([answer.status, answer.body.errors[0]?.pointer]).toEqual([400, `/${/_\w+/.exec(query)?.[0]}`]);
  },
);

test('401: without a key', async () => {
  expect((await api.request('GET', '/events')).status).toBe(401);
});
