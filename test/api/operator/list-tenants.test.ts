import { startTestApi, type Json, type TestApi } from '../../api-client.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { createTenant } from '../../factories/tenant.ts';

let database: TestDatabase;
let api: TestApi;

const NAMES = ['Alpine Exchange', 'Harbour Custody', 'Zürich Börse'];

beforeAll(async () => {
  database = await testDatabase();
  api = await startTestApi(database);
  for (const name of NAMES) await createTenant(api, { name });
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

async function list(query: string, headers: Record<string, string> = {}) {
  const path = `/operator/tenants${query}`;
  const answer = await api.request<Json[]>('GET', path, { operatorKey: api.operatorKey, headers });
  const names = Array.isArray(answer.body) ? answer.body.map((tenant) => tenant['name']) : [];
  return { ...answer, names, total: answer.headers.get('x-total-count') };
}

test('200: newest first with the total, without webhook secrets', async () => {
  const answer = await list('');
  expect(answer).toMatchObject({ status: 200, names: NAMES.toReversed(), total: '3' });
  expect(answer.body.map((tenant) => tenant['webhookSecret'])).toEqual([null, null, null]);
});

test.each([
  ['?_sort=name', NAMES, '3'],
  ['?_sort=name&_order=DESC', NAMES.toReversed(), '3'],
  ['?_start=1&_end=2', ['Harbour Custody'], '3'],
  ['?_start=3', [], '3'],
  ['?q=zurich', ['Zürich Börse'], '1'],
  ['?q=custody%20HARB', ['Harbour Custody'], '1'],
  ['?q=custody%20alpine', [], '0'],
  ['?q=%25', [], '0'],
])('200: %s', async (query, names, total) => {
  expect(await list(query)).toMatchObject({ status: 200, names, total });
});

test('200: Prefer count=none leaves the total out', async () => {
  expect(await list('', { Prefer: 'count=none' })).toMatchObject({
    status: 200,
    names: NAMES.toReversed(),
    total: null,
  });
});

test.each([
  ['?_sort=webhookSecret', '/_sort'],
  ['?_end=101', '/_end'],
  ['?name=x', '/name'],
])('400: %s', async (query, pointer) => {
  expect(await list(query)).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
});

test('401: a tenant key does not list tenants', async () => {
  const tenant = await createTenant(api, { name: 'Curious' });
  expect((await tenant.get('/operator/tenants')).status).toBe(401);
});
