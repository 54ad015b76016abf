import { apiKeyKind } from '../../../domain/tenants/api-key-text.ts';
import { getTransaction } from '../../../db/transactions/find-transaction.ts';
import { markUnroutedOrFind } from '../../../db/lifecycle/mark-unrouted.ts';
import { startTestApi, type Json, type TestApi } from '../../api-client.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { clientOf, createTenant } from '../../factories/tenant.ts';
import { letPass } from '../../factories/transaction.ts';

interface Created {
  tenant: Json & { id: string; name: string; webhookSecret: string };
  apiKey: Json & { id: string; apiKey: string };
}

let database: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  database = await testDatabase();
  api = await startTestApi(database, { config: { WEBHOOK_ALLOWED_HOSTS: ['127.0.0.1'] } });
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

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
      country: null,
      registrationNumber: null,
      lei: null,
      webpage: null,
      webhookUrl: null,
      webhookSecret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) as unknown,
      webhookStatus: null,
      environment: 'sandbox',
      rateLimits: { reads: null, writes: null, screening: null },
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
      webhookUrl: 'http://127.0.0.1:9/hook',
    });
    expect(body.tenant).toMatchObject({
      name: 'Alp Custody',
      legalName: 'Alp Custody AG',
      country: 'CH',
      lei: '529900T8BM49AURSDO55',
      webhookUrl: 'http://127.0.0.1:9/hook',
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
    await letPass(api.db.pool, [record.id]);
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
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed', errors: [{ pointer }] } });
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
