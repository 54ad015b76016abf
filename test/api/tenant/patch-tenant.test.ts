import { startTestApi, type Json, type TestApi } from '../../api-client.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';

let database: TestDatabase;
let api: TestApi;
let tenant: TestTenant;

const HOOK = 'https://hooks.alp.example/in';

beforeAll(async () => {
  database = await testDatabase();
  api = await startTestApi(database, { config: { WEBHOOK_ALLOWED_HOSTS: ['127.0.0.1:8080'] } });
});
beforeEach(async () => {
  tenant = await createTenant(api);
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

const patch = async (body: unknown) => await tenant.patch('/tenant/me', body);

/** What a 410 of the endpoint does. */
async function disableWebhook(): Promise<void> {
  await database.pool.query(`update tenants set webhook_status = 'DISABLED' where id = $1`, [tenant.id]);
}

describe('200', () => {
  test('fields are set, kept and cleared one by one', async () => {
    const set = await patch({
      legalName: 'Alp AG',
      email: 'a@alp.example',
      country: 'Germany',
      registrationNumber: 'HRB 1',
    });
    expect(set).toMatchObject({
      status: 200,
      body: { legalName: 'Alp AG', email: 'a@alp.example', country: 'DE' },
    });
    await patch({ legalName: null, webpage: 'https://alp.example', lei: '529900T8BM49AURSDO55' });
    expect((await tenant.get('/tenant/me')).body).toMatchObject({
      id: tenant.id,
      name: tenant.name,
      legalName: null,
      email: 'a@alp.example',
      country: 'DE',
      registrationNumber: 'HRB 1',
      webpage: 'https://alp.example',
      lei: '529900T8BM49AURSDO55',
    });
  });

  test('a first webhook URL makes the endpoint active, with a new secret that is in the answer', async () => {
    const { body } = await patch({ webhookUrl: HOOK });
    expect(body).toMatchObject({ webhookUrl: HOOK, webhookStatus: 'ACTIVE' });
    expect(body['webhookSecret']).toMatch(/^whsec_/);
    expect(body['webhookSecret']).not.toBe(tenant.webhookSecret);
    expect((await tenant.get('/tenant/me')).body).toEqual(body);
  });

  test('another URL gets another secret', async () => {
    const first = await patch({ webhookUrl: HOOK });
    const second = await patch({ webhookUrl: `${HOOK}?v=2` });
    expect(second.body['webhookSecret']).not.toBe(first.body['webhookSecret']);
  });

  test('the same URL keeps the secret and enables a disabled endpoint', async () => {
    const { body: before } = await patch({ webhookUrl: HOOK });
    await disableWebhook();
    expect((await tenant.get('/tenant/me')).body).toMatchObject({ webhookStatus: 'DISABLED' });
    expect((await patch({ webhookUrl: HOOK })).body).toMatchObject({
      webhookSecret: before['webhookSecret'],
      webhookStatus: 'ACTIVE',
    });
  });

  test('another URL enables a disabled endpoint too; another field does not', async () => {
    await patch({ webhookUrl: HOOK });
    await disableWebhook();
    expect((await patch({ legalName: 'Alp AG' })).body).toMatchObject({ webhookStatus: 'DISABLED' });
    expect((await patch({ webhookUrl: `${HOOK}/2` })).body).toMatchObject({ webhookStatus: 'ACTIVE' });
  });

  test('clearing the URL clears the status, and setting it again is a change', async () => {
    const { body: before } = await patch({ webhookUrl: HOOK });
    expect((await patch({ webhookUrl: null })).body).toMatchObject({ webhookUrl: null, webhookStatus: null });
    const { body: after } = await patch({ webhookUrl: HOOK });
    expect(after).toMatchObject({ webhookUrl: HOOK, webhookStatus: 'ACTIVE' });
    expect(after['webhookSecret']).not.toBe(before['webhookSecret']);
  });

  test('what changes nothing leaves updatedAt alone', async () => {
    const { body: before } = await patch({ legalName: 'Alp AG', webhookUrl: HOOK });
    expect((await patch({ legalName: 'Alp AG', webhookUrl: HOOK })).body).toEqual(before);
    expect((await patch({})).body).toEqual(before);
  });

  test('a host that the operator allowed may be local', async () => {
    expect((await patch({ webhookUrl: 'http://127.0.0.1:8080/' })).status).toBe(200);
  });

  test('of two changes at once none is lost', async () => {
    await Promise.all([
      patch({ legalName: 'Alp AG' }),
      patch({ webhookUrl: HOOK }),
      patch({ country: 'AT' }),
    ]);
    expect((await tenant.get('/tenant/me')).body).toMatchObject({
      legalName: 'Alp AG',
      webhookUrl: HOOK,
      country: 'AT',
    });
  });
});

describe('400', () => {
  test.each<[Json, string]>([
    [{ name: 'Mine' }, '/name'],
    [{ id: '0190d1a2-7b3c-7def-8123-456789abcdef' }, '/id'],
    [{ webhookSecret: 'whsec_mine' }, '/webhookSecret'],
    [{ webhookStatus: 'ACTIVE' }, '/webhookStatus'],
    [{ environment: 'production' }, '/environment'],
    [{ rateLimits: { reads: 0 } }, '/rateLimits'],
    [{ country: 'Nowhere' }, '/country'],
    [{ email: 'nobody' }, '/email'],
    [{ lei: 'X' }, '/lei'],
    [{ legalName: '' }, '/legalName'],
    [{ webhookUrl: 'http://127.0.0.1/' }, '/webhookUrl'],
    [{ webhookUrl: 'http://[::1]/' }, '/webhookUrl'],
    [{ webhookUrl: 'http://2130706433/' }, '/webhookUrl'],
    [{ webhookUrl: 'http://169.254.169.254/latest' }, '/webhookUrl'],
    [{ webhookUrl: 'https://user:pass@hooks.example/' }, '/webhookUrl'],
    [{ webhookUrl: 'ftp://hooks.example/' }, '/webhookUrl'],
    [{ webhookUrl: 'hooks.example' }, '/webhookUrl'],
  ])('%j: nothing is stored, the sound fields neither', async (fault, pointer) => {
    const { body: before } = await tenant.get('/tenant/me');
    const answer = await patch({ registrationNumber: 'HRB 2', ...fault });
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed', errors: [{ pointer }] } });
    expect((await tenant.get('/tenant/me')).body).toEqual(before);
  });

  test('the refused address is not echoed', async () => {
    const { body } = await patch({ webhookUrl: 'http://10.1.2.3/secret-path' });
    expect(JSON.stringify(body)).not.toMatch(/10\.1\.2\.3|secret-path/);
  });
});

test.each(['COMPLIANCE', 'OBSERVER'] as const)('403: %s', async (role) => {
  const answer = await (await tenant.as(role)).patch('/tenant/me', { legalName: 'X' });
  expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  expect((await tenant.get('/tenant/me')).body).toMatchObject({ legalName: null });
});

test('another tenant is left alone', async () => {
  const other = await createTenant(api);
  await patch({ legalName: 'Alp AG', webhookUrl: HOOK });
  expect((await other.get('/tenant/me')).body).toMatchObject({ legalName: null, webhookUrl: null });
});
