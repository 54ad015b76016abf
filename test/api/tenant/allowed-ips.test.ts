import type { ApiKey } from '../../../domain/api-keys/schema.ts';
import type { Json } from '../../api-client.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { clientOf, createTenant } from '../../factories/tenant.ts';
import { createUser } from '../../factories/user.ts';
import { startSecondApi, useApi, useTenantPerTest } from '../../use-api.ts';

const PATH = '/tenant/me/api-keys';
const { api, database } = useApi({ config: { TRUST_PROXY: true } });
const tenant = useTenantPerTest(api);
beforeAll(async () => {
  await activateList(database.pool, 'OFAC_SDN', [listEntry('101', 'RASPUTIN, Grigori Yefimovich')]);
});

const NETWORKS = ['203.0.113.0/24', '2001:db8:4::/48'];
const REFUSED = { status: 403, body: { code: 'ip_not_allowed', errors: [] } };

/** What a proxy sends for a caller of this address. */
const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });

async function limitedKey(allowedIps: readonly string[] | null = NETWORKS, role = 'ADMIN') {
  const { status, body } = await tenant.post<ApiKey>(PATH, { allowedIps, role });
  expect(status).toBe(200);
  return { ...clientOf(api, body.apiKey), ...body };
}

const limit = async (id: string, allowedIps: unknown, client = tenant) =>
  await client.patch<ApiKey & Json>(`${PATH}/${id}`, { allowedIps });

describe('a limited key', () => {
  test.each([
    ['203.0.113.200', 200],
    ['::ffff:203.0.113.200', 200],
    ['203.0.113.200:50123', 200],
    ['2001:db8:4:ffff::1', 200],
    ['[2001:db8:4::1]:443', 200],
    ['203.0.114.1', 403],
    ['2001:db8:5::1', 403],
    ['127.0.0.1', 403],
    ['unknown', 403],
    ['', 403],
    // What stands before the last entry was written by the caller.
    ['203.0.113.200, 198.51.100.1', 403],
    ['198.51.100.1, 203.0.113.200', 200],
  ])('from %j is answered %i', async (address, status) => {
    const key = await limitedKey();
    expect((await key.get('/tenant/me', from(address))).status).toBe(status);
  });

  test('is refused in words that tell neither the list nor the address, before role, path and body', async () => {
    const key = await limitedKey(NETWORKS, 'OBSERVER');
    for (const answer of [
      await key.get('/tenant/me', from('198.51.100.1')),
      await key.post('/transactions', '{', from('198.51.100.1')),
      await key.delete(`${PATH}/${tenant.apiKeyId}`, from('198.51.100.1')),
      await key.get('/tenant/me?no=such'),
    ]) {
      expect(answer).toMatchObject(REFUSED);
      expect(JSON.stringify(answer.body)).not.toMatch(/203\.|2001|198\./);
    }
    const lines = api.log.filter(({ audit }) => audit === 'API_KEY_ADDRESS_REFUSED');
    expect(lines.at(-1)).toMatchObject({ tenantId: tenant.id, apiKeyId: key.id });
    expect(JSON.stringify(api.log)).not.toContain('198.51.100.1');
  });

  test('is revoked or expired first', async () => {
    const key = await limitedKey();
    await tenant.delete(`${PATH}/${key.id}`);
    expect(await key.get('/tenant/me', from('198.51.100.1'))).toMatchObject({
      body: { code: 'key_revoked' },
    });
  });

  test('limits no other key, no user and no other tenant', async () => {
    await limitedKey();
    const { accessToken } = await createUser(api, tenant);
    const other = await createTenant(api);
    const headers = { Authorization: `Bearer ${accessToken}`, ...from('198.51.100.1').headers };
    expect((await api.request('GET', '/tenant/me', { headers })).status).toBe(200);
    for (const client of [tenant, other]) {
      expect((await client.get('/tenant/me', from('198.51.100.1'))).status).toBe(200);
    }
  });

  test('that was read a moment ago is refused at other addresses, and follows a change of its list', async () => {
    const key = await limitedKey(NETWORKS, 'COMPLIANCE');
    const search = async (address: string) =>
      await key.post('/sanctions/search', { name: 'Grigori Rasputin' }, from(address));
    for (const address of ['203.0.113.1', '203.0.113.1']) expect((await search(address)).status).toBe(200);
    expect(await search('198.51.100.1')).toMatchObject(REFUSED);
    await limit(key.id, ['198.51.100.1']);
    expect((await search('198.51.100.1')).status).toBe(200);
    expect(await search('203.0.113.1')).toMatchObject(REFUSED);
    await limit(key.id, NETWORKS);
    expect(await search('198.51.100.1')).toMatchObject(REFUSED);
    await limit(key.id, null);
    expect((await search('198.51.100.1')).status).toBe(200);
  });

  test('gets no answer that was kept under its Idempotency-Key', async () => {
    const key = await limitedKey();
    const kept = { 'Idempotency-Key': 'once' };
    const send = async (address: string) =>
      await key.post(PATH, {}, { headers: { ...kept, ...from(address).headers } });
    expect((await send('203.0.113.1')).status).toBe(200);
    expect(await send('198.51.100.1')).toMatchObject(REFUSED);
  });
});

test('refused addresses are counted like refused keys, also of a key that is known', async () => {
  const strict = await startSecondApi(api, { config: { TRUST_PROXY: true, RATE_LIMIT_ANONYMOUS: 3 } });
  const key = clientOf(strict, (await limitedKey()).apiKey);
  expect((await key.post('/sanctions/search', { name: 'A Name' }, from('203.0.113.1'))).status).toBe(200);
  const statuses: number[] = [];
  for (let number = 0; number < 4; number += 1)
    statuses.push((await key.get('/tenant/me', from('198.51.100.1'))).status);
  expect(statuses).toEqual([403, 403, 403, 429]);
  expect((await key.get('/tenant/me', from('203.0.113.1'))).status).toBe(200);
});

test('without a proxy the address of the connection counts, whatever a header says', async () => {
  const direct = await startSecondApi(api);
  const [near, far] = [await limitedKey(['127.0.0.0/8']), await limitedKey()];
  expect((await clientOf(direct, near.apiKey).get('/tenant/me', from('198.51.100.1'))).status).toBe(200);
  expect(await clientOf(direct, far.apiKey).get('/tenant/me', from('203.0.113.1'))).toMatchObject(REFUSED);
});

describe('PATCH /tenant/me/api-keys/{id}', () => {
  test('200: sets the list in its canonical form, null lifts it, and both are logged', async () => {
    const key = await limitedKey(null);
    const set = await limit(key.id, ['203.0.113.7', '2001:DB8::/32']);
    const allowedIps = ['203.0.113.7/32', '2001:db8::/32'];
    expect(set).toMatchObject({ status: 200, body: { id: key.id, apiKey: key.apiKey, allowedIps } });
    const { body } = await tenant.get<ApiKey[]>(PATH);
    expect(body.find(({ id }) => id === key.id)).toEqual({ ...set.body });
    expect((await limit(key.id, null)).body).toMatchObject({ allowedIps: null });
    const lines = api.log.filter(({ changedKeyId }) => changedKeyId === key.id);
    const by = { audit: 'API_KEY_LIMITED', apiKeyId: tenant.apiKeyId };
    expect(lines).toMatchObject([
      { ...by, isLimited: true },
      { ...by, isLimited: false },
    ]);
  });

  test.each([
    [[], '/allowedIps', 'too_small'],
    [['203.0.113.7/24'], '/allowedIps/0', 'invalid_format'],
    [['203.0.113.7', 'here'], '/allowedIps/1', 'invalid_format'],
    [[7], '/allowedIps/0', 'invalid_type'],
    ['203.0.113.7', '/allowedIps', 'invalid_type'],
  ])('400: %j, and nothing is changed', async (allowedIps, pointer, code) => {
    const key = await limitedKey();
    expect(await limit(key.id, allowedIps)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer, code }] },
    });
    expect(await tenant.post(PATH, { allowedIps })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer }] },
    });
    const { body } = await tenant.get<ApiKey[]>(PATH);
    expect(body.map((each) => each.allowedIps)).toEqual([NETWORKS, null]);
  });

  test('400: a body without the list, and fields that do not change', async () => {
    const { id } = await limitedKey();
    for (const body of [{}, { allowedIps: null, role: 'ADMIN' }, { name: 'x', allowedIps: null }])
      expect((await tenant.patch(`${PATH}/${id}`, body)).status).toBe(400);
  });

  test('400: a key does not lock itself out; another key may limit it', async () => {
    const answer = await limit(tenant.apiKeyId, ['203.0.113.7']);
    const errors = [{ pointer: '/allowedIps', code: 'own_address_missing' }];
    expect(answer).toMatchObject({ status: 400, body: { errors } });
    expect((await limit(tenant.apiKeyId, ['127.0.0.1', '::1'])).status).toBe(200);
    const second = await limitedKey(null);
    const byOther = await second.patch(`${PATH}/${tenant.apiKeyId}`, { allowedIps: ['203.0.113.7'] });
    expect(byOther.status).toBe(200);
    expect(await tenant.get('/tenant/me')).toMatchObject(REFUSED);
  });

  test.each(['COMPLIANCE', 'OBSERVER'] as const)('403: %s limits nothing', async (role) => {
    const { id } = await limitedKey(null);
    const client = await tenant.as(role);
    expect(await client.patch(`${PATH}/${id}`, { allowedIps: NETWORKS })).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    });
  });

  test('404: the key of another tenant, which stays as it is', async () => {
    const other = await createTenant(api);
    expect((await limit(other.apiKeyId, NETWORKS)).status).toBe(404);
    expect((await other.get('/tenant/me')).status).toBe(200);
  });
});

test('an operator issues a limited key, too', async () => {
  const { status, body } = await api.request<ApiKey>('POST', `/operator/tenants/${tenant.id}/api-keys`, {
    operatorKey: api.operatorKey,
    body: { allowedIps: ['203.0.113.7'] },
  });
  expect([status, body.allowedIps]).toEqual([201, ['203.0.113.7/32']]);
  expect(await clientOf(api, body.apiKey).get('/tenant/me')).toMatchObject(REFUSED);
});

describe('maskApiKeys', () => {
  test('masks every answer but that of the creation, and logs each change', async () => {
    const at = api.log.length;
    await tenant.patch('/tenant/me/settings', { maskApiKeys: true });
    const made = await limitedKey(null);
    const masked = /^wb_sandbox_[0-9A-Za-z]{4}\*{8}$/;
    const { body } = await tenant.get<ApiKey[]>(PATH);
    const changed = await limit(made.id, NETWORKS);
    const revoked = await tenant.delete<ApiKey>(`${PATH}/${made.id}`);
    for (const { apiKey } of [...body, changed.body, revoked.body]) expect(apiKey).toMatch(masked);
    expect(made.apiKey.slice(0, 15)).toBe(body[0]?.apiKey.slice(0, 15));
    await tenant.patch('/tenant/me/settings', { maskApiKeys: null });
    expect((await tenant.get<ApiKey[]>(PATH)).body[0]?.apiKey).toBe(made.apiKey);
    const lines = api.log.slice(at).filter(({ audit }) => audit === 'API_KEY_MASKING_SET');
    expect(lines.map(({ maskApiKeys }) => maskApiKeys)).toEqual([true, false]);
  });
});
