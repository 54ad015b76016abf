import type { ApiKey } from '../../../domain/api-keys/schema.ts';
import { startTestApi, type TestApi } from '../../api-client.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { createTenant } from '../../factories/tenant.ts';

let database: TestDatabase;
let api: TestApi;

const PATH = '/tenant/me/api-keys';

beforeAll(async () => {
  database = await testDatabase();
  api = await startTestApi(database);
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

test('200: newest first, usable, the revoked ones included, nobody else’s', async () => {
  await createTenant(api);
  const tenant = await createTenant(api);
  const { body: second } = await tenant.post<ApiKey>(PATH, { name: 'second', role: 'COMPLIANCE' });
  const { body: third } = await tenant.post<ApiKey>(PATH, { name: 'third' });
  await tenant.delete(`${PATH}/${second.id}`);
  const { status, body } = await tenant.get<ApiKey[]>(PATH);
  expect(status).toBe(200);
  expect(body.map(({ id, apiKey }) => [id, apiKey])).toEqual([
    [third.id, third.apiKey],
    [second.id, second.apiKey],
    [tenant.apiKeyId, tenant.apiKey],
  ]);
  expect(body.map(({ revokedAt }) => revokedAt !== null)).toEqual([false, true, false]);
});

test('every listing is logged with who asked, without the keys', async () => {
  const tenant = await createTenant(api);
  const from = api.log.length;
  const { headers } = await tenant.get(PATH);
  const lines = api.log.slice(from);
  expect(lines).toContainEqual(
    expect.objectContaining({
      audit: 'API_KEYS_LISTED',
      requestId: headers.get('x-request-id'),
      tenantId: tenant.id,
      apiKeyId: tenant.apiKeyId,
      count: 1,
    }),
  );
  expect(JSON.stringify(api.log)).not.toContain('wb_sandbox_');
});

test.each(['COMPLIANCE', 'OBSERVER'] as const)('403: %s sees no keys', async (role) => {
  const tenant = await createTenant(api);
  const answer = await (await tenant.as(role)).get(PATH);
  expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  expect(JSON.stringify(answer.body)).not.toContain('wb_');
});

test('400: a query parameter that does not exist', async () => {
  const tenant = await createTenant(api);
  expect(await tenant.get(`${PATH}?_start=0`)).toMatchObject({
    status: 400,
    body: { errors: [{ pointer: '/_start' }] },
  });
});

test('401: without a key', async () => {
  expect((await api.request('GET', PATH)).status).toBe(401);
});
