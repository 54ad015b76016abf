import type { ApiKey } from '../../../domain/api-keys/schema.ts';
import { startTestApi, type Json, type TestApi } from '../../api-client.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { clientOf, createTenant, type TestTenant } from '../../factories/tenant.ts';

let database: TestDatabase;
let api: TestApi;
let tenant: TestTenant;

const PATH = '/tenant/me/api-keys';

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

async function keyCount(): Promise<number> {
  return (await tenant.get<Json[]>(PATH)).body.length;
}

describe('200', () => {
  test('an empty object gives a key of role ADMIN without expiry that works', async () => {
    const { status, body } = await tenant.post<ApiKey>(PATH, {});
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
        apiKey: expect.stringMatching(/^wb_sandbox_[0-9A-Za-z]{49}$/) as unknown,
        name: null,
        role: 'ADMIN',
        expiresAt: null,
        createdAt: expect.stringMatching(/\.\d{3}Z$/) as unknown,
        revokedAt: null,
        lastUsedAt: null,
      },
    });
    expect((await clientOf(api, body.apiKey).get('/tenant/me')).body).toMatchObject({ id: tenant.id });
  });

  test('no body at all is the same', async () => {
    expect(await tenant.post(PATH)).toMatchObject({ status: 200, body: { role: 'ADMIN', expiresAt: null } });
  });

  test('name, role and expiry are kept', async () => {
    const body = { name: 'nightly job', role: 'OBSERVER', expiresAt: '2099-01-02T03:04:05.678+01:00' };
    expect((await tenant.post(PATH, body)).body).toMatchObject({
      ...body,
      expiresAt: '2099-01-02T02:04:05.678Z',
    });
  });

  test('a key acts by its role', async () => {
    const observer = await tenant.as('OBSERVER');
    expect((await observer.get('/tenant/me')).status).toBe(200);
    expect((await observer.post(PATH, {})).status).toBe(403);
  });

  test('a key works until its expiry and not after', async () => {
    const { body } = await tenant.post<ApiKey>(PATH, { expiresAt: '2099-01-01T00:00:00Z' });
    const client = clientOf(api, body.apiKey);
    expect((await client.get('/tenant/me')).status).toBe(200);
    await database.pool.query('update api_keys set expires_at = now() where id = $1', [body.id]);
    expect(await client.get('/tenant/me')).toMatchObject({ status: 401, body: { code: 'key_expired' } });
  });

  test('50 requests under one Idempotency-Key make one key and get the same answer', async () => {
    const before = await keyCount();
    const options = { headers: { 'Idempotency-Key': 'rotate-1' } };
    const answers = await Promise.all(
      Array.from({ length: 50 }, async () => await tenant.post<ApiKey>(PATH, { name: 'a' }, options)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(await keyCount()).toBe(before + 1);
    const replayed = answers.filter(({ headers }) => headers.get('idempotency-replayed') === 'true');
    expect(replayed).toHaveLength(49);
    const answer = answers[0]?.body;
    expect((await clientOf(api, answer?.apiKey ?? '').get('/tenant/me')).status).toBe(200);
  });

  test('two tenants may use the same Idempotency-Key', async () => {
    const other = await createTenant(api);
    const options = { headers: { 'Idempotency-Key': 'same' } };
    const [mine, theirs] = [
      await tenant.post<ApiKey>(PATH, {}, options),
      await other.post<ApiKey>(PATH, {}, options),
    ];
    expect(mine.body.apiKey).not.toBe(theirs.body.apiKey);
  });
});

describe('400', () => {
  test.each<[Json, string]>([
    [{ expiresAt: '2020-01-01T00:00:00.000Z' }, '/expiresAt'],
    [{ expiresAt: '2099-01-01' }, '/expiresAt'],
    [{ expiresAt: '2099-02-30T00:00:00Z' }, '/expiresAt'],
    [{ role: 'OWNER' }, '/role'],
    [{ role: null }, '/role'],
    [{ name: '' }, '/name'],
    [{ name: 'x'.repeat(101) }, '/name'],
    [{ apiKey: 'wb_sandbox_mine' }, '/apiKey'],
    [{ id: '0190d1a2-7b3c-7def-8123-456789abcdef' }, '/id'],
  ])('%j, and no key is made', async (body, pointer) => {
    const answer = await tenant.post(PATH, body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed', errors: [{ pointer }] } });
    expect(await keyCount()).toBe(1);
  });

  test('this very moment is not in the future', async () => {
    expect((await tenant.post(PATH, { expiresAt: new Date().toISOString() })).status).toBe(400);
  });
});

test.each(['COMPLIANCE', 'OBSERVER'] as const)('403: %s makes no keys', async (role) => {
  const client = await tenant.as(role);
  expect(await client.post(PATH, { role })).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  expect(await keyCount()).toBe(2);
});

test('422: the Idempotency-Key of another request, and no key is made', async () => {
  const options = { headers: { 'Idempotency-Key': 'once' } };
  await tenant.post(PATH, { name: 'one' }, options);
  const answer = await tenant.post(PATH, { name: 'two' }, options);
  expect(answer).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
  expect(await keyCount()).toBe(2);
});
