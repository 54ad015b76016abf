import { loadBundledEntities } from '../../../db/entities/load-bundled.ts';
import type { Json } from '../../api-client.ts';
import { clientOf, createTenant } from '../../factories/tenant.ts';
import { useApi, useTenant } from '../../use-api.ts';

const ids: Record<string, string> = {};

async function add(name: string, fields: Json = {}): Promise<string> {
  const { status, body } = await api.request('POST', '/operator/entities', {
    operatorKey: api.operatorKey,
    body: { name, type: 'exchange', ...fields },
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return String(body['id']);
}

const { api, database } = useApi();
const tenant = useTenant(api, { name: 'Zürich  Börse', country: 'CH', legalName: 'ZB AG' });
beforeAll(async () => {
  ids['nordic'] = await add('Nordic Vault', { aliases: ['Łódź Coins', 'NV'], countries: ['Norway', 'se'] });
  ids['old'] = await add('Nordic Vault (old)', { type: 'wallet', masterEntityId: ids['nordic'] });
  ids['mixer'] = await add('Fog', { type: 'mixing_service' });
  ids['assessed'] = await add('Vetted Bank', { type: 'bank', riskScore: 40, countries: ['IR'] });
  await add('Twin');
  await add('TWIN', { type: 'bank' });
});

async function names(query: string): Promise<unknown[]> {
  const { status, body, headers } = await tenant.get<Json[]>(`/entities?${query}`);
  if (status !== 200) throw new Error(JSON.stringify(body));
  expect(headers.get('x-total-count')).toBe(String(body.length));
  return body.map((entity) => entity['name']).sort();
}

describe('GET /entities', () => {
  test('the newest comes first, with every field there', async () => {
    const { body, headers } = await tenant.get<Json[]>('/entities?_end=1&_type=wallet');
    expect(headers.get('x-total-count')).toBe('1');
    expect(body).toEqual([
      {
        id: ids['old'],
        name: 'Nordic Vault (old)',
        legalName: null,
        aliases: [],
        type: 'wallet',
        countries: [],
        webpage: null,
        email: null,
        emailDomains: [],
        inNetwork: false,
        networks: [],
        riskScore: 20,
        riskSeverity: 'low',
        riskAssessedAt: null,
        masterEntityId: ids['nordic'],
        lei: null,
        registrationNumber: null,
        travelAddress: null,
        source: 'OPERATOR',
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ]);
  });

  test.each([
    ['q=NORDIC', ['Nordic Vault', 'Nordic Vault (old)']],
    ['q=nordic%20vau', ['Nordic Vault', 'Nordic Vault (old)']],
    ['q=lodz', ['Nordic Vault']],
    ['q=lod%20nordic', []],
    ['q=nv', ['Nordic Vault']],
    ['q=zb%20ag', ['Zürich  Börse']],
    ['q=ordic', []],
    ['q=...', []],
    ['q=%20&_type=wallet', ['Nordic Vault (old)']],
    ['_inNetwork=true', ['Zürich  Börse']],
    ['_inNetwork=false&q=zurich', []],
    ['_isRiskAssessed=true', ['Vetted Bank']],
    ['_isRiskAssessed=false&_type=bank', ['TWIN']],
    ['_isDuplicate=true', ['Nordic Vault (old)']],
    ['_isDuplicate=false&q=nordic', ['Nordic Vault']],
    ['_type=bank,wallet', ['Nordic Vault (old)', 'TWIN', 'Vetted Bank']],
    ['_type=bank&_type=wallet', ['Nordic Vault (old)', 'TWIN', 'Vetted Bank']],
    ['_riskSeverity=medium,high', ['Fog', 'Vetted Bank']],
    ['_riskSeverity=high&_riskSeverity=medium', ['Fog', 'Vetted Bank']],
    ['_riskSeverity=high&_type=bank', []],
  ])('%s finds %j', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  test.each([
    [
      'name',
      'ASC',
      ['Fog', 'Nordic Vault', 'Nordic Vault (old)', 'Twin', 'TWIN', 'Vetted Bank', 'Zürich  Börse'],
    ],
    ['riskScore', 'DESC', ['Fog', 'Vetted Bank']],
  ])('sorts by %s %s', async (sort, order, expected) => {
    const { body } = await tenant.get<Json[]>(`/entities?_sort=${sort}&_order=${order}`);
    expect(body.slice(0, expected.length).map((entity) => String(entity['name']).toLowerCase())).toEqual(
      expected.map((name) => name.toLowerCase()),
    );
  });

  test.each(['_type=nothing', '_inNetwork=maybe', '_riskSeverity=severe', '_sort=email', '_end=101', 'x=1'])(
    '400: %s',
    async (query) => {
      const { status, body } = await tenant.get(`/entities?${query}`);
      expect({ status, code: body['code'] }).toEqual({ status: 400, code: 'validation_failed' });
    },
  );
});

describe('GET /entities/lookup', () => {
  test.each([
    ['nordic   VAULT', 'nordic'],
    ['lodz coins', 'nordic'],
    ['  NV ', 'nordic'],
    ['nordic vault (OLD)', 'nordic'],
    ['fög', 'mixer'],
  ])('%s leads to %s', async (name, expected) => {
    const { status, body } = await tenant.get(`/entities/lookup?name=${encodeURIComponent(name)}`);
    expect({ status, id: body['id'] }).toEqual({ status: 200, id: ids[expected] });
  });

  test('404: nobody, a part of a name, a legal name, and a name of several', async () => {
    for (const name of ['nobody', 'nordic', 'ZB AG', 'twin']) {
      const { status, body } = await tenant.get(`/entities/lookup?name=${encodeURIComponent(name)}`);
      expect([name, status, body['code']]).toEqual([name, 404, 'not_found']);
    }
    const { body } = await tenant.get('/entities/lookup?name=twin');
    expect(body['detail']).toContain('Several');
  });

  test.each(['', '?name=', '?name=%20', '?name=x&q=y'])('400: %j', async (query) => {
    expect((await tenant.get(`/entities/lookup${query}`)).status).toBe(400);
  });
});

describe('GET /entities/{id}', () => {
  test('a master shows its duplicates and why it is risky; a duplicate answers as itself', async () => {
    const { body } = await tenant.get(`/entities/${ids['nordic']}`);
    expect(body).toMatchObject({
      countries: ['NO', 'SE'],
      aliases: ['Łódź Coins', 'NV'],
      duplicates: [{ id: ids['old'], name: 'Nordic Vault (old)' }],
      riskFactors: [{ code: 'TYPE', value: 'exchange', score: 10 }],
    });
    expect((await tenant.get(`/entities/${ids['old']}`)).body).toMatchObject({
      name: 'Nordic Vault (old)',
      masterEntityId: ids['nordic'],
    });
    expect((await tenant.get(`/entities/${ids['assessed']}`)).body['riskFactors']).toEqual([
      { code: 'ASSESSED', value: 'medium', score: 40 },
      { code: 'FATF_CALL_FOR_ACTION', value: 'IR', score: 90 },
    ]);
  });

  test('404 for what is not there, 401 without a key', async () => {
    for (const id of ['0190d1a2-7b3c-7def-8123-456789abcdef', 'nonsense']) {
      expect((await tenant.get(`/entities/${id}`)).status).toBe(404);
    }
    for (const path of [
      '/entities',
      '/entities/lookup?name=x',
      `/entities/${ids['old']}`,
      '/counterparties',
    ]) {
      expect((await clientOf(api, 'wb_sandbox_no').get(path)).status).toBe(401);
    }
  });
});

test('the bundled directory is loaded once; names of tenants and changes of operators stand', async () => {
  await createTenant(api, { name: 'kraken' });
  const counts = await loadBundledEntities(api.db, new Date());
  expect(counts?.created).toBeGreaterThan(4_400);
  expect(await loadBundledEntities(api.db, new Date())).toBeNull();
  const lookup = async (name: string) => (await tenant.get(`/entities/lookup?name=${name}`)).body;
  expect(await lookup('kraken')).toMatchObject({ inNetwork: true, source: 'TENANT' });
  const binance = await lookup('binance%20us');
  expect(binance).toMatchObject({ name: 'Binance', type: 'exchange', source: 'BUNDLED' });
  await api.request('PATCH', `/operator/entities/${String(binance['id'])}`, {
    operatorKey: api.operatorKey,
    body: { type: 'bank' },
  });
  await database.pool.query('truncate entity_bundles');
  await database.pool.query(`update entities set type = 'atm' where source_id = 'coinbase'`);
  expect(await loadBundledEntities(api.db, new Date())).toEqual({ created: 0, updated: 1 });
  expect(await lookup('binance')).toMatchObject({ type: 'bank' });
  expect(await lookup('coinbase')).toMatchObject({ type: 'exchange' });
});

test('when the scale of risks has changed, every estimated risk is estimated again, no assessed one', async () => {
  const scoresOf = async () => {
    const { rows } = await database.pool.query<{ id: string; risk_score: number; risk_severity: string }>(
      'select id, risk_score, risk_severity from entities order by id',
    );
    return new Map(rows.map(({ id, ...risk }) => [id, risk]));
  };
  const { rows } = await database.pool.query<{ id: string }>(
    'select id from entities where risk_assessed_at is not null',
  );
  const assessed = rows.map(({ id }) => id);
  expect(assessed).toContain(ids['assessed']);
  const before = await scoresOf();
  await database.pool.query('truncate entity_bundles');
  const { rowCount } = await database.pool.query(
    `update entities set risk_score = 99, risk_severity = 'high' where source <> 'BUNDLED'`,
  );
  expect(rowCount).toBeGreaterThan(5);
  expect((await loadBundledEntities(api.db, new Date()))?.updated).toBe((rowCount ?? 0) - assessed.length);
  const after = await scoresOf();
  for (const [id, risk] of before) {
    const isAssessed = assessed.includes(id);
    expect([id, after.get(id)]).toEqual([id, isAssessed ? { risk_score: 99, risk_severity: 'high' } : risk]);
  }
});
