import { randomUUID } from 'node:crypto';
import { markUnroutedOrFind } from '../../../db/lifecycle/mark-unrouted.ts';
import { getTransaction } from '../../../db/transactions/find-transaction.ts';
import { startTestApi, type Json, type TestApi } from '../../api-client.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { createTenant } from '../../factories/tenant.ts';
import { letPass } from '../../factories/transaction.ts';

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
    await letPass(api.db.pool, [sent.id]);
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
