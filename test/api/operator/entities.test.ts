import { startTestApi, type Json, type TestApi } from '../../api-client.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';

let database: TestDatabase;
let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  database = await testDatabase();
  api = await startTestApi(database);
  tenant = await createTenant(api, { name: 'Resident Exchange' });
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

async function ask<T = Json>(method: string, path: string, body?: unknown) {
  return await api.request<T>(method, `/operator/entities${path}`, { operatorKey: api.operatorKey, body });
}

async function add(name: string, fields: Json = {}): Promise<string> {
  const { status, body } = await ask('POST', '', { name, type: 'exchange', ...fields });
  expect([status, body['code']]).toEqual([201, undefined]);
  return String(body['id']);
}

const merge = async (id: string, masterId: string) => await ask('POST', `/${id}/merge`, { masterId });
const masterOf = async (id: string) => (await ask('GET', `/${id}`)).body['masterEntityId'];
const tenantEntity = async () =>
  (await tenant.get('/entities/lookup?name=resident%20exchange')).body['id'] as string;

describe('POST', () => {
  test('a risk is estimated from type and countries, or taken as it is given', async () => {
    const { body } = await ask('POST', '', { name: 'Est', type: 'exchange', countries: ['Iran'] });
    expect(body).toMatchObject({ riskScore: 90, riskSeverity: 'high', riskAssessedAt: null, sourceId: null });
    const given = {
      name: 'Giv',
      type: 'mixing_service',
      riskScore: 33,
      riskAssessedAt: '2026-01-02T03:04:05Z',
    };
    expect((await ask('POST', '', given)).body).toMatchObject({
      riskScore: 33,
      riskSeverity: 'low',
      riskAssessedAt: '2026-01-02T03:04:05.000Z',
    });
  });

  test.each([
    [{ type: 'exchange' }, '/name'],
    [{ name: ' ', type: 'exchange' }, '/name'],
    [{ name: 'X', type: 'vasp' }, '/type'],
    [{ name: 'X', type: 'bank', countries: ['DE', 'Atlantis'] }, '/countries/1'],
    [{ name: 'X', type: 'bank', aliases: ['ok', ''] }, '/aliases/1'],
    [{ name: 'X', type: 'bank', riskScore: 101 }, '/riskScore'],
    [{ name: 'X', type: 'bank', networks: ['NATIVE'] }, '/networks/0'],
    [{ name: 'X', type: 'bank', lei: '1' }, '/lei'],
    [{ name: 'X', type: 'bank', webpage: 'ftp://x' }, '/webpage'],
    [{ name: 'X', type: 'bank', source: 'BUNDLED' }, '/source'],
    [{ name: 'X', type: 'bank', inNetwork: true }, '/inNetwork'],
    [{ name: 'X', type: 'bank', masterEntityId: '0190d1a2-7b3c-7def-8123-456789abcdef' }, '/masterEntityId'],
  ])('400: %j at %s', async (body, pointer) => {
    expect(await ask('POST', '', body)).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
  });

  test('409: a key that is taken, and a name or alias of a tenant', async () => {
    await add('Keyed', { source: 'ours', sourceId: '7' });
    expect(
      (await ask('POST', '', { name: 'Other', type: 'bank', source: 'ours', sourceId: '7' })).status,
    ).toBe(409);
    for (const body of [{ name: 'résident  EXCHANGE' }, { name: 'Free', aliases: ['Resident Exchange'] }]) {
      expect((await ask('POST', '', { type: 'bank', ...body })).body).toMatchObject({
        code: 'conflict',
        entityId: await tenantEntity(),
      });
    }
  });

  test('401 without the operator key', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['PATCH', '/0190d1a2-7b3c-7def-8123-456789abcdef'],
      ['POST', '/0190d1a2-7b3c-7def-8123-456789abcdef/merge'],
      ['POST', '/import'],
    ] as const) {
      const body = method === 'GET' ? undefined : {};
      const answer = await api.request(method, `/operator/entities${path}`, { key: tenant.apiKey, body });
      expect([method, path, answer.status]).toEqual([method, path, 401]);
    }
  });
});

describe('PATCH', () => {
  test('a field sets, null clears, an absent field stays', async () => {
    const id = await add('Patchy', { email: 'tr@patchy.example', countries: ['DE'], aliases: ['P1'] });
    const patch = {
      legalName: 'Patchy AG',
      email: null,
      aliases: ['P2'],
      networks: ['TRP', 'PARTNER:Meridian'],
    };
    expect(await ask('PATCH', `/${id}`, patch)).toMatchObject({
      status: 200,
      body: { ...patch, name: 'Patchy', countries: ['DE'] },
    });
    const find = async (name: string) => (await tenant.get(`/entities/lookup?name=${name}`)).status;
    expect([await find('p1'), await find('p2')]).toEqual([404, 200]);
  });

  test('an assessment stands until it is taken back', async () => {
    const id = await add('Risky', { type: 'gambling' });
    const assess = async (patch: Json) => (await ask('PATCH', `/${id}`, patch)).body;
    expect(await assess({ riskSeverity: 'high' })).toMatchObject({
      riskScore: null,
      riskSeverity: 'high',
      riskAssessedAt: expect.any(String),
    });
    expect(await assess({ riskScore: 12 })).toMatchObject({ riskScore: 12, riskSeverity: 'low' });
    expect(await assess({ countries: ['KP'] })).toMatchObject({ riskScore: 12, riskSeverity: 'low' });
    expect(await assess({ riskScore: null, riskSeverity: null })).toMatchObject({
      riskScore: 90,
      riskSeverity: 'high',
      riskAssessedAt: null,
    });
  });

  test("a tenant's entity takes aliases, but its name belongs to the tenant", async () => {
    const id = await tenantEntity();
    expect(await ask('PATCH', `/${id}`, { aliases: ['Resi'], networks: ['TRP'] })).toMatchObject({
      status: 200,
      body: { aliases: ['Resi'], networks: ['NATIVE', 'TRP'] },
    });
    expect((await ask('PATCH', `/${id}`, { name: 'Mine' })).status).toBe(409);
    const other = await add('Neighbour');
    expect((await ask('PATCH', `/${other}`, { aliases: ['RESI'] })).status).toBe(409);
    // As a duplicate of the tenant it may have its names.
    expect((await merge(other, id)).status).toBe(200);
    expect((await ask('PATCH', `/${other}`, { aliases: ['RESI'] })).status).toBe(200);
    // Taking it apart again would leave the name with two.
    expect((await ask('PATCH', `/${other}`, { masterEntityId: null })).status).toBe(409);
  });

  test('400 for nothing to change, 404 for an entity that is not there', async () => {
    expect((await ask('PATCH', `/${await add('Still')}`, {})).status).toBe(400);
    expect((await ask('PATCH', '/0190d1a2-7b3c-7def-8123-456789abcdef', { type: 'bank' })).status).toBe(404);
  });
});

describe('merge', () => {
  test('chains become one step, circles are 409, and a merge can be ended', async () => {
    const [a, b, c] = [await add('Ma'), await add('Mb'), await add('Mc')];
    expect((await merge(a, b)).status).toBe(200);
    expect((await merge(b, c)).status).toBe(200);
    expect([await masterOf(a), await masterOf(b)]).toEqual([c, c]);
    for (const [duplicate, master] of [
      [c, a],
      [c, b],
      [c, c],
      [a, a],
    ] as const) {
      expect((await merge(duplicate, master)).body).toMatchObject({ code: 'conflict' });
    }
    expect((await tenant.get('/entities/lookup?name=ma')).body['id']).toBe(c);
    expect((await ask('PATCH', `/${a}`, { masterEntityId: null })).body['masterEntityId']).toBeNull();
    expect((await tenant.get('/entities/lookup?name=ma')).body['id']).toBe(a);
  });

  test('of two merges that would close a circle together, one is refused', async () => {
    const [a, b] = [await add('Ra'), await add('Rb')];
    const answers = await Promise.all([merge(a, b), merge(b, a)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('a tenant is nobody’s duplicate; an unknown master is 400', async () => {
    const id = await add('Mt');
    expect((await merge(await tenantEntity(), id)).status).toBe(409);
    expect(await merge(id, '0190d1a2-7b3c-7def-8123-456789abcdef')).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/masterId' }] },
    });
    expect((await merge('0190d1a2-7b3c-7def-8123-456789abcdef', id)).status).toBe(404);
  });
});

describe('DELETE', () => {
  test('what nothing refers to goes; a tenant, a master and what somebody decided about stay', async () => {
    const [free, master, decided] = [await add('Da'), await add('Db'), await add('Dc')];
    await merge(await add('Db2'), master);
    await tenant.patch(`/counterparties/${decided}`, { policy: 'BLOCK' });
    expect((await ask('DELETE', `/${free}`)).status).toBe(204);
    expect((await ask('DELETE', `/${free}`)).status).toBe(404);
    for (const id of [master, decided, await tenantEntity()]) {
      expect((await ask('DELETE', `/${id}`)).status).toBe(409);
    }
  });
});

describe('a new tenant', () => {
  const post = async (body: Json) =>
    await api.request<{ tenant: Json } & Json>('POST', '/operator/tenants', {
      operatorKey: api.operatorKey,
      body,
    });

  test('whose name an entity has is 409, until it is said to be that entity', async () => {
    const id = await add('Joiner', { aliases: ['J1'], countries: ['FR'], email: 'tr@joiner.example' });
    expect((await post({ name: 'JOINER' })).body).toMatchObject({ code: 'conflict', entityId: id });
    expect((await post({ name: 'Joiner One', entityId: id, legalName: 'Joiner SA' })).status).toBe(201);
    expect((await tenant.get('/entities/lookup?name=joiner')).body).toMatchObject({
      id,
      name: 'Joiner One',
      legalName: 'Joiner SA',
      aliases: ['J1', 'Joiner'],
      countries: ['FR'],
      inNetwork: true,
      networks: ['NATIVE'],
    });
    expect((await post({ name: 'Joiner Two', entityId: id })).status).toBe(409);
    const unknown = await post({ name: 'Joiner Three', entityId: '0190d1a2-7b3c-7def-8123-456789abcdef' });
    expect(unknown).toMatchObject({ status: 400, body: { errors: [{ pointer: '/entityId' }] } });
  });

  test('renamed, it is found by its new name only, and not by one that an entity has', async () => {
    const made = await post({ name: 'Before' });
    const rename = async (name: string) =>
      await api.request('PATCH', `/operator/tenants/${String(made.body.tenant['id'])}`, {
        operatorKey: api.operatorKey,
        body: { name },
      });
    await add('Occupied');
    expect((await rename('occupied')).status).toBe(409);
    expect((await rename('After')).status).toBe(200);
    const found = ['before', 'after', 'occupied'].map(
      async (name) => (await tenant.get(`/entities/lookup?name=${name}`)).body['inNetwork'],
    );
    expect(await Promise.all(found)).toEqual([undefined, true, false]);
  });
});
