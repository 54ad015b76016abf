import { randomBytes } from 'node:crypto';
import { apiKeyText } from '../../../domain/tenants/api-key-text.ts';
import { startTestApi, type TestApi } from '../../api-client.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { clientOf, createTenant } from '../../factories/tenant.ts';

let database: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  database = await testDatabase();
  api = await startTestApi(database);
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

describe('200', () => {
  test('the tenant of the key, every field present', async () => {
    const tenant = await createTenant(api, { country: 'ch', email: 'desk@alp.example' });
    expect((await tenant.get('/tenant/me')).body).toEqual({
      id: tenant.id,
      name: tenant.name,
      legalName: null,
      email: 'desk@alp.example',
      country: 'CH',
      registrationNumber: null,
      lei: null,
      webpage: null,
      webhookUrl: null,
      webhookSecret: tenant.webhookSecret,
      webhookStatus: null,
      environment: 'sandbox',
      createdAt: expect.stringMatching(/\.\d{3}Z$/) as unknown,
      updatedAt: expect.stringMatching(/\.\d{3}Z$/) as unknown,
    });
  });

  test.each(['COMPLIANCE', 'OBSERVER'] as const)(
    'a key of role %s does not see the webhook secret',
    async (role) => {
      const tenant = await createTenant(api);
      const { status, body } = await (await tenant.as(role)).get('/tenant/me');
      expect({ status, id: body['id'], secret: body['webhookSecret'] }).toEqual({
        status: 200,
        id: tenant.id,
        secret: null,
      });
    },
  );
});

describe('401', () => {
  test.each([
    ['a key that was never made', apiKeyText('sandbox', randomBytes(64)), 'unauthenticated'],
    ['a text that is no key', 'nonsense', 'unauthenticated'],
    ['a key of the other environment', apiKeyText('production', randomBytes(64)), 'wrong_environment'],
  ])('%s', async (_, key, code) => {
    expect(await clientOf(api, key).get('/tenant/me')).toMatchObject({ status: 401, body: { code } });
  });

  test('no key at all', async () => {
    expect(await api.request('GET', '/tenant/me')).toMatchObject({
      status: 401,
      body: { code: 'unauthenticated' },
    });
  });

  test('a key with one letter mistyped', async () => {
    const { apiKey } = await createTenant(api);
    const mistyped = apiKey.slice(0, -7) + (apiKey.at(-7) === 'a' ? 'b' : 'a') + apiKey.slice(-6);
    expect((await clientOf(api, mistyped).get('/tenant/me')).status).toBe(401);
  });

  test('a real sandbox key is refused by a production deployment', async () => {
    const { apiKey } = await createTenant(api);
    const other = await testDatabase();
    const production = await startTestApi(other, { config: { ENVIRONMENT: 'production' } });
    try {
      const answer = await clientOf(production, apiKey).get('/tenant/me');
      expect(answer).toMatchObject({ status: 401, body: { code: 'wrong_environment' } });
      const own = await createTenant(production);
      expect(own.apiKey).toMatch(/^wb_live_/);
      expect((await own.get('/tenant/me')).body).toMatchObject({ environment: 'production' });
    } finally {
      await production.stop();
      await other.drop();
    }
  });
});
