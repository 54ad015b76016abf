import { startTestApi, type TestApi } from '../../api-client.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { createTenant } from '../../factories/tenant.ts';

let database: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  database = await testDatabase();
  api = await startTestApi(database);
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

test('smoke', async () => {
  const tenant = await createTenant(api);
  const keys = await tenant.get('/tenant/me/api-keys');
  console.log(keys.status, keys.body, api.log);
  const o = await tenant.as('OBSERVER');
  console.log(await o.get('/tenant/me/api-keys'));
});
