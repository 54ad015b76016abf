import type { Screening } from '../../../domain/screening/schema.ts';
import { startTestApi, type Json, type TestApi } from '../../api-client.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';

let database: TestDatabase;
let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  database = await testDatabase();
  api = await startTestApi(database, { config: { RATE_LIMIT_SCREENING: 0 } });
  tenant = await createTenant(api);
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

const search = async (body: Json) => await tenant.post<Screening>('/sanctions/search', body);

test('without an active list nobody is called clean', async () => {
  expect(await search({ name: 'Anybody' })).toMatchObject({
    status: 503,
    body: { code: 'temporarily_unavailable' },
  });
});

test('a listed name is found', async () => {
  await activateList(database.pool, 'OFAC_SDN', [listEntry('7', 'KADYROV, Ramzan Akhmatovich')]);
  const answer = await search({ name: 'Ramzan Kadyrov', type: 'NATURAL' });
  expect(answer).toMatchObject({ status: 200, body: { sanctioned: true, totalMatches: 1 } });
  await new Promise((r) => setTimeout(r, 2500));
  const again = await search({ name: 'Ramzan Kadyrov', type: 'NATURAL' });
  expect(again.body.answeredBy).toBe('INDEX');
  expect(again.body.matches).toEqual(answer.body.matches);
  expect((await tenant.get(`/sanctions/history/${again.body.id}`)).body).toEqual(again.body);
});
