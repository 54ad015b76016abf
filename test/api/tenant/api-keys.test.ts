import { randomUUID } from 'node:crypto';
import type { ApiKey } from '../../../domain/api-keys/schema.ts';
import type { Json } from '../../api-client.ts';
import { createTenant, clientOf } from '../../factories/tenant.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

const PATH = '/tenant/me/api-keys';
const { api, database } = useApi();
const tenant = useTenantPerTest(api);

describe('GET /tenant/me/api-keys', () => {
  test('200: newest first, usable, the revoked ones included, nobody else’s', async () => {
    await createTenant(api);
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
    const answer = await (await tenant.as(role)).get(PATH);
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(JSON.stringify(answer.body)).not.toContain('wb_');
  });

  test('400: a query parameter that does not exist', async () => {
    expect(await tenant.get(`${PATH}?_start=0`)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/_start' }] },
    });
  });

  test('401: without a key', async () => {
    expect((await api.request('GET', PATH)).status).toBe(401);
  });
});

describe('POST /tenant/me/api-keys', () => {
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
          allowedIps: null,
          createdAt: expect.stringMatching(/\.\d{3}Z$/) as unknown,
          revokedAt: null,
          lastUsedAt: null,
        },
      });
      expect((await clientOf(api, body.apiKey).get('/tenant/me')).body).toMatchObject({ id: tenant.id });
    });

    test('the log says which key made which, without the keys', async () => {
      const from = api.log.length;
      const { body } = await tenant.post<ApiKey>(PATH, { role: 'COMPLIANCE' });
      expect(api.log.slice(from)).toContainEqual(
        expect.objectContaining({
          audit: 'API_KEY_CREATED',
          tenantId: tenant.id,
          apiKeyId: tenant.apiKeyId,
          createdKeyId: body.id,
          role: 'COMPLIANCE',
        }),
      );
      expect(JSON.stringify(api.log)).not.toContain('wb_sandbox_');
    });

    test('no body at all is the same', async () => {
      expect(await tenant.post(PATH)).toMatchObject({
        status: 200,
        body: { role: 'ADMIN', expiresAt: null },
      });
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
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'validation_failed', errors: [{ pointer }] },
      });
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
});

describe('DELETE /tenant/me/api-keys/{id}', () => {
  const makeKey = async (body: unknown = {}) => (await tenant.post<ApiKey>(PATH, body)).body;
  const revoke = async (id: string) => await tenant.delete<ApiKey>(`${PATH}/${id}`);

  async function expire(id: string): Promise<void> {
    await database.pool.query(`update api_keys set expires_at = now() - interval '1 hour' where id = $1`, [
      id,
    ]);
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
});
