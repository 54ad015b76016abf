import type { Wallet } from '../../../domain/wallets/schema.ts';
import { startTestApi, type TestApi } from '../../api-client.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';

let database: TestDatabase;
let api: TestApi;
let tenant: TestTenant;

const WALLET = { address: 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe', asset: 'XRP', blockchain: 'XRP Ledger' };

beforeAll(async () => {
  database = await testDatabase();
  api = await startTestApi(database);
  tenant = await createTenant(api);
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

test('200: to every role of the tenant', async () => {
  const { body } = await tenant.post<Wallet>('/wallets', WALLET);
  expect(body).toMatchObject({ tag: null, metadata: null });
  const observer = await tenant.as('OBSERVER');
  expect(await observer.get(`/wallets/${body.id}`)).toMatchObject({ status: 200, body });
});

test('404: the wallet of another tenant', async () => {
  const other = await createTenant(api);
  const { body } = await other.post<Wallet>('/wallets', WALLET);
  expect(await tenant.get(`/wallets/${body.id}`)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  expect((await other.get(`/wallets/${body.id}`)).status).toBe(200);
});

test.each(['9007199254740991', '99999999999999999999', '0', '-1', '1.5', 'abc', '1e3', '%00', '007'])(
  '404: %s',
  async (id) => {
    expect(await tenant.get(`/wallets/${id}`)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  },
);

test('401: without a key', async () => {
  expect((await api.request('GET', '/wallets/1')).status).toBe(401);
});
