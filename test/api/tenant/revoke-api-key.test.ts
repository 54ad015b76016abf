import { randomUUID } from 'node:crypto';
import type { ApiKey } from '../../../domain/api-keys/schema.ts';
import { startTestApi, type TestApi } from '../../api-client.ts';
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

const makeKey = async (body: unknown = {}) => (await tenant.post<ApiKey>(PATH, body)).body;
const revoke = async (id: string) => await tenant.delete<ApiKey>(`${PATH}/${id}`);

async function expire(id: string): Promise<void> {
  await database.pool.query(`update api_keys set expires_at = now() - interval '1 hour' where id = $1`, [id]);
}

async function isRevoked(id: string): Promise<boolean> {
  const { rows } = await database.pool.query<{ revoked: boolean }>(
    'select revoked_at is not null as revoked from api_keys where id = $1',
    [id],
  );
  return rows[0]?.revoked ?? false;
}

describe('200', () => {
  test('the key is refused from the very next request on, while requests with it are under way', async () => {
    const key = await makeKey();
    const client = clientOf(api, key.apiKey);
    expect((await client.get('/tenant/me')).status).toBe(200);
    const underWay = Array.from({ length: 10 }, async () => await client.get('/tenant/me'));
    const { status, body } = await revoke(key.id);
    const revokedAt: unknown = expect.stringMatching(/\.\d{3}Z$/);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { id: key.id, apiKey: key.apiKey, revokedAt },
    });
    expect(await client.get('/tenant/me')).toMatchObject({ status: 401, body: { code: 'key_revoked' } });
    await Promise.all(underWay);
  });

  test('a key may revoke itself when another one remains', async () => {
    const key = await makeKey();
    expect((await clientOf(api, key.apiKey).delete(`${PATH}/${key.id}`)).status).toBe(200);
    expect((await clientOf(api, key.apiKey).get('/tenant/me')).body).toMatchObject({ code: 'key_revoked' });
  });

  test('revoking again is safe and keeps the first moment', async () => {
    const key = await makeKey();
    const first = await revoke(key.id);
    expect(await revoke(key.id)).toMatchObject({ status: 200, body: first.body });
  });

  test('an expired key can be revoked and is told as revoked then', async () => {
    const key = await makeKey();
    await expire(key.id);
    expect((await clientOf(api, key.apiKey).get('/tenant/me')).body).toMatchObject({ code: 'key_expired' });
    expect((await revoke(key.id)).status).toBe(200);
    expect((await clientOf(api, key.apiKey).get('/tenant/me')).body).toMatchObject({ code: 'key_revoked' });
  });

  test('a key of another role can be revoked while one of role ADMIN remains', async () => {
    const key = await makeKey({ role: 'OBSERVER' });
    expect((await revoke(key.id)).status).toBe(200);
  });

  test('an id in capitals is the same id', async () => {
    const key = await makeKey();
    expect((await revoke(key.id.toUpperCase())).status).toBe(200);
  });
});

describe('403 and 404', () => {
  test.each(['COMPLIANCE', 'OBSERVER'] as const)('403: %s revokes nothing', async (role) => {
    const key = await makeKey();
    const answer = await (await tenant.as(role)).delete(`${PATH}/${key.id}`);
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(await isRevoked(key.id)).toBe(false);
  });

  test.each([randomUUID(), 'me', '%00', '1'])('404: %s', async (id) => {
    expect(await revoke(id)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  test('404: the key of another tenant, which stays valid', async () => {
    const other = await createTenant(api);
    expect(await revoke(other.apiKeyId)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect((await other.get('/tenant/me')).status).toBe(200);
  });
});

describe('409', () => {
  test('the last valid key', async () => {
    expect(await revoke(tenant.apiKeyId)).toMatchObject({ status: 409, body: { code: 'last_api_key' } });
    expect((await tenant.get('/tenant/me')).status).toBe(200);
  });

  test('the last one of role ADMIN, however many others, revoked ones and expired ones there are', async () => {
    await makeKey({ role: 'COMPLIANCE' });
    await revoke((await makeKey()).id);
    await expire((await makeKey()).id);
    await createTenant(api);
    expect(await revoke(tenant.apiKeyId)).toMatchObject({ status: 409, body: { code: 'last_api_key' } });
  });

  test('of 20 revocations of the last two keys at once one succeeds: one valid key is left', async () => {
    const second = await makeKey();
    const clients = [tenant, clientOf(api, second.apiKey)];
    const ids = [tenant.apiKeyId, second.id];
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        // Each key is asked to end itself and the other.
        const client = clients[index % 2] ?? tenant;
        return await client.delete<{ code?: string }>(`${PATH}/${ids[(index >> 1) % 2]}`);
      }),
    );
    const revoked = await Promise.all(ids.map(isRevoked));
    expect(revoked.filter(Boolean)).toHaveLength(1);
    const outcomes = new Set(answers.map(({ status, body }) => `${status} ${body.code ?? ''}`.trim()));
    expect(
      [...outcomes].filter((outcome) => !['200', '409 last_api_key', '401 key_revoked'].includes(outcome)),
    ).toEqual([]);
    const left = revoked[0] ? clients[1] : clients[0];
    expect((await left?.get('/tenant/me'))?.status).toBe(200);
  });
});

test('401: without a key', async () => {
  expect((await api.request('DELETE', `${PATH}/${tenant.apiKeyId}`)).status).toBe(401);
});
