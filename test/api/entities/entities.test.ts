import { loadBundledEntities } from '../../../db/entities/load-bundled.ts';
import { startTestApi, type Json, type TestApi } from '../../api-client.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';

let database: TestDatabase;
let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  database = await testDatabase();
  api = await startTestApi(database);
  await loadBundledEntities(api.db, new Date());
  tenant = await createTenant(api, { name: 'Zürich  Börse', country: 'CH' });
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

test('a bundled version is loaded once', async () => {
  expect(await loadBundledEntities(api.db, new Date())).toBeNull();
});
