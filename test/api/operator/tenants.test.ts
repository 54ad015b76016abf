import { randomUUID } from 'node:crypto';
import { apiKeyKind } from '../../../domain/tenants/api-key-text.ts';
import { getTransaction } from '../../../db/transactions/find-transaction.ts';
import { markUnroutedOrFind } from '../../../db/lifecycle/mark-unrouted.ts';
import type { Json } from '../../api-client.ts';
import { clientOf, createTenant, WEBHOOK_URL } from '../../factories/tenant.ts';
import { createTransaction, letPass } from '../../factories/transaction.ts';
import { useApi } from '../../use-api.ts';

const { api, database } = useApi();

describe('POST /operator/tenants', () => {
  interface Created {
    tenant: Json & { id: string; name: string; webhookSecret: string };
    apiKey: Json & { id: string; apiKey: string };
  }

  async function post<T = Json>(body: unknown) {
    return await api.request<T>('POST', '/operator/tenants', { operatorKey: api.operatorKey, body });
  }

  async function counts(): Promise<unknown> {
    const { rows } = await database.pool.query<Json>(
      `select (select count(*) from tenants) as tenants, (select count(*) from api_keys) as keys,
            (select count(*) from vault_keys) as vault_keys`,
    );
    return rows[0];
  }

  describe('201', () => {
    test('a name is enough, and everything else is null', async () => {
      const { status, body } = await post<Created>({ name: 'Plain Exchange' });
      expect(status).toBe(201);
      expect(body.tenant).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{14}7/) as unknown,
        name: 'Plain Exchange',
        legalName: null,
        email: null,
        answersRoute: false,
        country: null,
        registrationNumber: null,
        lei: null,
        webpage: null,
        webhookUrl: null,
        webhookSecret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) as unknown,
        webhookStatus: null,
        environment: 'sandbox',
        rateLimits: { reads: null, writes: null, screening: null },
        suspendedAt: null,
        createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) as unknown,
        updatedAt: body.tenant['createdAt'],
      });
      expect(body.apiKey).toMatchObject({
        role: 'ADMIN',
        name: null,
        expiresAt: null,
        revokedAt: null,
        lastUsedAt: null,
      });
    });

    test('the first key is a well-formed key of this environment and works at once', async () => {
      const { body } = await post<Created>({ name: 'First Key Exchange' });
      expect(apiKeyKind('sandbox', body.apiKey.apiKey)).toBe('VALID');
      const { status, body: me } = await clientOf(api, body.apiKey.apiKey).get('/tenant/me');
      expect({ status, id: me['id'], secret: me['webhookSecret'] }).toEqual({
        status: 200,
        id: body.tenant.id,
        secret: body.tenant.webhookSecret,
      });
    });

    test('given fields are stored, the country as its code and the webhook as active', async () => {
      const { body } = await post<Created>({
        name: '  Alp Custody ',
        legalName: 'Alp Custody AG',
        email: 'travel@alp.example',
        country: 'Switzerland',
        registrationNumber: 'CHE-1',
        lei: '529900T8BM49AURSDO55',
        webpage: 'https://alp.example',
        webhookUrl: WEBHOOK_URL,
      });
      expect(body.tenant).toMatchObject({
        name: 'Alp Custody',
        legalName: 'Alp Custody AG',
        country: 'CH',
        lei: '529900T8BM49AURSDO55',
        webhookUrl: WEBHOOK_URL,
        webhookStatus: 'ACTIVE',
      });
    });

    test('two tenants share neither secret nor key', async () => {
      const [one, other] = [await createTenant(api), await createTenant(api)];
      expect(one.webhookSecret).not.toBe(other.webhookSecret);
      expect(one.apiKey).not.toBe(other.apiKey);
    });

    test('a message that waits for a VASP of this name is woken, whatever the spelling', async () => {
      const sender = await createTenant(api);
      const { body: sent } = await sender.post<{ id: string }>('/transactions', {
        asset: 'ETH',
        amount: 1,
        blockchainInfo: { destination: `0x${'1'.repeat(40)}`, destinationType: 'CUSTODIAL' },
        vaspInfo: { beneficiaryVaspName: 'łate  joiner' },
      });
      const record = await getTransaction(api.db, sender.id, sent.id);
      await letPass(api.db, record.id);
      await markUnroutedOrFind(api.db, record, new Date());
      const before = api.outbox.length;
      await post({ name: 'Late Joiner' });
      expect(api.outbox.slice(before)).toMatchObject([
        { workflow: 'transactionLifecycle', subjectId: sent.id, tenantId: sender.id },
      ]);
      const { rows } = await database.pool.query<{ woken: boolean }>(
        'select wake_at <= now() as woken from transactions where id = $1',
        [sent.id],
      );
      expect(rows).toEqual([{ woken: true }]);
    });
  });

  describe('400', () => {
    test.each([
      [{}, '/name'],
      [{ name: '' }, '/name'],
      [{ name: '   ' }, '/name'],
      [{ name: '\u200b' }, '/name'],
      [{ name: null }, '/name'],
      [{ name: 'x'.repeat(201) }, '/name'],
      [{ name: 'X', country: 'Atlantis' }, '/country'],
      [{ name: 'X', email: 'nobody' }, '/email'],
      [{ name: 'X', lei: '529900T8BM49AURSDO56' }, '/lei'],
      [{ name: 'X', webpage: 'ftp://alp.example' }, '/webpage'],
      [{ name: 'X', webhookUrl: 'http://10.0.0.1/' }, '/webhookUrl'],
      [{ name: 'X', webhookUrl: 'not a url' }, '/webhookUrl'],
      [{ name: 'X', id: '0190d1a2-7b3c-7def-8123-456789abcdef' }, '/id'],
      [{ name: 'X', webhookSecret: 'whsec_mine' }, '/webhookSecret'],
    ])('%j is refused at %#: nothing is stored', async (body, pointer) => {
      const before = await counts();
      const answer = await post(body);
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'validation_failed', errors: [{ pointer }] },
      });
      expect(await counts()).toEqual(before);
    });
  });

  describe('401', () => {
    test('neither no key, a wrong key nor a tenant key makes an operator', async () => {
      const tenant = await createTenant(api);
      for (const headers of [{}, { 'X-Operator-Key': 'x'.repeat(32) }, { 'X-Operator-Key': tenant.apiKey }]) {
        const answer = await api.request('POST', '/operator/tenants', { headers, body: { name: 'Nobody' } });
        expect(answer).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
      }
      expect((await tenant.post('/operator/tenants', { name: 'Nobody' })).status).toBe(401);
    });
  });

  describe('409', () => {
    test.each(['Unique Müller', 'UNIQUE  MULLER', 'unique müller\u200b'])(
      '%j is the same name',
      async (name) => {
        await post({ name: 'Unique Müller' });
        const before = await counts();
        expect(await post({ name })).toMatchObject({ status: 409, body: { code: 'conflict' } });
        expect(await counts()).toEqual(before);
      },
    );

    test('of 10 creations of one name at once exactly one succeeds', async () => {
      const statuses = await Promise.all(
        Array.from({ length: 10 }, async () => (await post({ name: 'Rush' })).status),
      );
      expect(statuses.filter((status) => status === 201)).toHaveLength(1);
      expect(statuses.filter((status) => status === 409)).toHaveLength(9);
    });
  });
});

describe('PATCH /operator/tenants/{id}', () => {
  async function patch(id: string, body: unknown) {
    return await api.request('PATCH', `/operator/tenants/${id}`, { operatorKey: api.operatorKey, body });
  }

  describe('200', () => {
    test('a new name is seen by the tenant, and the old one is free', async () => {
      const tenant = await createTenant(api, { name: 'Before' });
      const answer = await patch(tenant.id, { name: 'After' });
      expect(answer).toMatchObject({
        status: 200,
        body: { id: tenant.id, name: 'After', webhookSecret: null },
      });
      expect((await tenant.get('/tenant/me')).body).toMatchObject({
        name: 'After',
        webhookSecret: tenant.webhookSecret,
      });
      await expect(createTenant(api, { name: 'before' })).resolves.toBeDefined();
    });

    test('another spelling of the own name is no conflict', async () => {
      const tenant = await createTenant(api, { name: 'Cafe Crypto' });
      expect(await patch(tenant.id, { name: 'Café Crypto' })).toMatchObject({
        status: 200,
        body: { name: 'Café Crypto' },
      });
    });

    test('a rename wakes the messages that wait for a VASP of the new name', async () => {
      const [sender, tenant] = [await createTenant(api), await createTenant(api)];
      const { body: sent } = await sender.post<{ id: string }>('/transactions', {
        asset: 'ETH',
        amount: 1,
        blockchainInfo: { destination: `0x${'2'.repeat(40)}`, destinationType: 'CUSTODIAL' },
        vaspInfo: { beneficiaryVaspName: 'Renamed Exchange' },
      });
      await letPass(api.db, sent.id);
      await markUnroutedOrFind(api.db, await getTransaction(api.db, sender.id, sent.id), new Date());
      const before = api.outbox.length;
      await patch(tenant.id, { rateLimits: { reads: 5 } });
      expect(api.outbox.slice(before)).toEqual([]);
      await patch(tenant.id, { name: 'RENAMED exchange' });
      expect(api.outbox.slice(before)).toMatchObject([{ subjectId: sent.id, tenantId: sender.id }]);
    });

    test('limits are changed one by one, and null puts them back to the setting', async () => {
      const { id } = await createTenant(api);
      const limits = async (rateLimits: unknown) => (await patch(id, { rateLimits })).body['rateLimits'];
      expect(await limits({ reads: 7, writes: 0 })).toEqual({ reads: 7, writes: 0, screening: null });
      expect(await limits({ screening: 3, writes: null })).toEqual({ reads: 7, writes: null, screening: 3 });
      expect(await limits({})).toEqual({ reads: 7, writes: null, screening: 3 });
      expect(await limits(null)).toEqual({ reads: null, writes: null, screening: null });
    });

    test('a limit holds for the next request of the tenant, and 0 lifts it', async () => {
      const tenant = await createTenant(api);
      await patch(tenant.id, { rateLimits: { reads: 2 } });
      const statuses: number[] = [];
      for (let sent = 0; sent < 3; sent += 1) statuses.push((await tenant.get('/tenant/me')).status);
      expect(statuses).toEqual([200, 200, 429]);
      await patch(tenant.id, { rateLimits: { reads: 0 } });
      expect((await tenant.get('/tenant/me')).status).toBe(200);
    });

    test('an observer is refused what is not for the role, and counted, and then refused for that', async () => {
      const tenant = await createTenant(api);
      const observer = await tenant.as('OBSERVER');
      await patch(tenant.id, { rateLimits: { writes: 2 } });
      const statuses: number[] = [];
      for (let sent = 0; sent < 3; sent += 1)
        statuses.push((await observer.post('/transactions', {})).status);
      expect(statuses).toEqual([403, 403, 429]);
    });

    test('an empty patch changes nothing, not even updatedAt', async () => {
      const tenant = await createTenant(api);
      const { body: before } = await tenant.get('/tenant/me');
      expect(await patch(tenant.id, {})).toMatchObject({
        status: 200,
        body: { updatedAt: before['updatedAt'] },
      });
    });
  });

  test.each<[Json, string]>([
    [{ name: null }, '/name'],
    [{ name: ' ' }, '/name'],
    [{ rateLimits: { reads: -1 } }, '/rateLimits/reads'],
    [{ rateLimits: { writes: 1.5 } }, '/rateLimits/writes'],
    [{ rateLimits: { screening: '5' } }, '/rateLimits/screening'],
    [{ rateLimits: { deletes: 5 } }, '/rateLimits/deletes'],
    [{ legalName: 'X' }, '/legalName'],
  ])('400: %j', async (body, pointer) => {
    const { id } = await createTenant(api);
    expect(await patch(id, body)).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
  });

  test('401: a tenant does not rename itself here', async () => {
    const tenant = await createTenant(api);
    expect((await tenant.patch(`/operator/tenants/${tenant.id}`, { name: 'Mine' })).status).toBe(401);
  });

  test.each([randomUUID(), 'not-a-uuid'])('404: %s', async (id) => {
    expect(await patch(id, { name: 'X' })).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  test('409: the name of another tenant, and nothing of the patch is stored', async () => {
    const [tenant] = [await createTenant(api, { name: 'Own' }), await createTenant(api, { name: 'Taken' })];
    const answer = await patch(tenant.id, { name: 'táken', rateLimits: { reads: 1 } });
    expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect((await patch(tenant.id, {})).body).toMatchObject({ name: 'Own', rateLimits: { reads: null } });
  });
});

describe('GET /operator/tenants', () => {
  const NAMES = ['Alpine Exchange', 'Harbour Custody', 'Zürich Börse'];
  // Of its own: these tests count every tenant of a deployment.
  const { api } = useApi();
  beforeAll(async () => {
    for (const name of NAMES) await createTenant(api, { name });
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
});

describe('POST /operator/tenants/{id}/api-keys', () => {
  const issue = async (id: string, body: Json = {}, key = api.operatorKey) =>
    await api.request<Json & { id: string; apiKey: string }>('POST', `/operator/tenants/${id}/api-keys`, {
      operatorKey: key,
      body,
    });

  test('201: a key that works at once, with an audit line that does not hold it', async () => {
    const tenant = await createTenant(api);
    const { status, body, headers } = await issue(tenant.id, { name: 'recovery', role: 'COMPLIANCE' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ name: 'recovery', role: 'COMPLIANCE', expiresAt: null, revokedAt: null });
    expect((await clientOf(api, body.apiKey).get('/tenant/me')).body).toMatchObject({ id: tenant.id });
    const requestId = headers.get('x-request-id');
    expect(api.log).toContainEqual(
      expect.objectContaining({ audit: 'API_KEY_ISSUED', requestId, tenantId: tenant.id, apiKeyId: body.id }),
    );
    expect(JSON.stringify(api.log)).not.toContain(body.apiKey);
  });

  test('201: a tenant that has revoked all of its keys is an ADMIN again', async () => {
    const tenant = await createTenant(api);
    await database.pool.query('update api_keys set revoked_at = now() where tenant_id = $1', [tenant.id]);
    const { body } = await issue(tenant.id);
    const { body: keys } = await clientOf(api, body.apiKey).get<{ id: string }[]>('/tenant/me/api-keys');
    expect(keys.map(({ id }) => id)).toContain(body.id);
  });

  test('400 for a time that is over, 404 for a tenant that is none, 401 for others', async () => {
    const tenant = await createTenant(api);
    expect(await issue(tenant.id, { expiresAt: '2020-01-01T00:00:00Z' })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/expiresAt' }] },
    });
    expect((await issue(randomUUID())).status).toBe(404);
    expect((await issue(tenant.id, {}, 'no operator key at all')).status).toBe(401);
    expect((await tenant.post(`/operator/tenants/${tenant.id}/api-keys`, {})).status).toBe(401);
  });
});

describe('GET /operator/transactions/{id}/events', () => {
  const read = async (id: string) =>
    await api.request<Json[]>('GET', `/operator/transactions/${id}/events`, { operatorKey: api.operatorKey });

  test('the log of a deleted transaction, and nothing of others', async () => {
    const tenant = await createTenant(api);
    const { id } = await createTransaction(tenant);
    const { body: before } = await tenant.get<Json[]>(`/transactions/${id}/events`);
    expect((await read(id)).status).toBe(404);
    expect((await tenant.delete(`/transactions/${id}`)).status).toBe(204);
    expect((await tenant.get(`/transactions/${id}/events`)).status).toBe(404);
    const { status, body, headers } = await read(id);
    expect([status, headers.get('x-total-count')]).toEqual([200, String(body.length)]);
    expect(body[0]).toMatchObject({ type: 'DELETED' });
    expect(body.slice(-before.length)).toEqual(before);
    expect(api.log).toContainEqual(
      expect.objectContaining({
        audit: 'DELETED_LOG_READ',
        requestId: headers.get('x-request-id'),
        tenantId: tenant.id,
        transactionId: id,
      }),
    );
    expect((await read(randomUUID())).status).toBe(404);
    expect((await tenant.get(`/operator/transactions/${id}/events`)).status).toBe(401);
  });
});
