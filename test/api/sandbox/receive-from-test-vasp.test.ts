import { randomBytes } from 'node:crypto';
import { sandboxEndpoints } from '../../../api/endpoints.ts';
import { ensureTestVasps } from '../../../db/tenants/ensure-test-vasps.ts';
import type { EventView } from '../../../domain/events/schema.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import { startTestApi, type Json, type TestApi } from '../../api-client.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import {
  createBody,
  evmAddress,
  evmHash,
  fullBody,
  fullParty,
  readTransaction,
  registerWallet,
  rowCounts,
} from '../../factories/transaction.ts';

const PATH = '/sandbox/incoming';
let database: TestDatabase;
let api: TestApi;
let harbour: TestTenant;

beforeAll(async () => {
  database = await testDatabase();
  const prices = { ETH: { usd: '4000', eur: '3600', source: 'test', pricedAt: new Date() } };
  api = await startTestApi(database, { prices, config: { WEBHOOK_ALLOWED_HOSTS: ['127.0.0.1'] } });
  expect(await ensureTestVasps(api.db, new Date())).toEqual([]);
  harbour = await createTenant(api, { webhookUrl: 'http://127.0.0.1:9/hook' });
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

const PARTIES = { originator: { name: 'Anna Keller' }, beneficiary: { name: 'Jonas Brandt' } };
const receive = async (body: unknown, headers: Record<string, string> = {}) =>
  await harbour.post<Transaction & Json>(PATH, body, { headers });
const newKey = () => ({ 'Idempotency-Key': randomBytes(12).toString('hex') });
const counterpartOf = async (id: string) => {
  const { rows } = await database.pool.query<Json>(
    `select t.name, o.* from message_pairs e join transactions o on o.id = e.outgoing_id join tenants t on t.id = o.tenant_id
     where e.incoming_id = $1`,
    [id],
  );
  return rows[0] ?? {};
};

describe('201', () => {
  test('the answer is the INCOMING record, sealed because the destination is not registered', async () => {
    const answer = await receive(createBody(PARTIES));
    expect(answer).toMatchObject({
      status: 201,
      body: {
        direction: 'INCOMING',
        status: 'DELIVERED',
        subStatus: 'OWNERSHIP_UNCONFIRMED',
        amountDecimal: '1.5',
        amountEur: 5400,
        originator: null,
        beneficiary: null,
        travelRuleMessageSource: 'NATIVE',
        vaspInfo: { originatorVaspName: 'Silent Test VASP', beneficiaryVaspName: harbour.name },
        blockchainInfo: { isDestinationConfirmed: false, destinationWalletId: expect.any(Number) },
      },
    });
    expect(await readTransaction(harbour, answer.body.id)).toEqual(answer.body);
  });

  test('a registered destination shows everything, and all of it goes by webhook', async () => {
    const body = { ...fullBody(), direction: 'INCOMING' };
    await registerWallet(harbour, body.blockchainInfo.destination);
    const told = api.outbox.length;
    const { reference, metadata, internalNote, ...sent } = body;
    const answer = await receive(body);
    expect(answer.status).toBe(201);
    expect([reference, metadata, internalNote].includes(answer.body.reference ?? '')).toBe(false);
    expect(answer.body).toMatchObject({
      subStatus: 'ON_HOLD',
      reference: null,
      metadata: null,
      internalNote: null,
      originator: fullParty('Anna Keller'),
      beneficiary: fullParty('Jonas Brandt'),
      blockchainInfo: { ...sent.blockchainInfo, isDestinationConfirmed: true },
      vaspInfo: sent.vaspInfo,
    });
    expect(answer.body.additionalOriginators).toHaveLength(5);
    expect(api.outbox.slice(told).map(({ workflow, tenantId }) => [workflow, tenantId])).toEqual([
      ['webhookDelivery', harbour.id],
      ['transactionLifecycle', harbour.id],
    ]);
  });

  test.each([
    ['Confirming Test VASP', 'Confirming Test VASP'],
    ['  declining   test VASP ', 'Declining Test VASP'],
  ])('%j sends it where it is named', async (originatorVaspName, name) => {
    const vaspInfo = { originatorVaspName, originatorVaspEmail: 'desk@test.example' };
    const { body } = await receive(createBody({ vaspInfo }));
    expect(body.vaspInfo).toMatchObject({ ...vaspInfo, originatorVaspName: name });
    expect(await counterpartOf(body.id)).toMatchObject({
      name,
      status: 'DELIVERED',
      message_source: 'NATIVE',
    });
  });

  test('the decision on it reaches the test VASP, as it would reach any other', async () => {
    const body = createBody(PARTIES);
    await registerWallet(harbour, body.blockchainInfo.destination);
    const { id } = (await receive(body)).body;
    expect((await harbour.patch(`/transactions/${id}`, { status: 'CONFIRMED' })).status).toBe(200);
    expect(await counterpartOf(id)).toMatchObject({ status: 'CONFIRMED', deadline_at: null });
    const events = await harbour.get<EventView[]>(`/transactions/${id}/events`);
    expect(events.body.map(({ type, actor }) => [type, actor])).toEqual([
      ['STATUS_CHANGED', 'API_KEY'],
      ['RECEIVED', 'COUNTERPARTY'],
    ]);
  });

  test('it completes the record that the caller made itself of the same transfer', async () => {
    const place = { blockchain: 'Ethereum', transactionHash: evmHash(), destination: evmAddress() };
    const own = createBody({ direction: 'INCOMING', blockchainInfo: place });
    const { id } = (await harbour.post<Transaction>('/transactions', own)).body;
    const answer = await receive(createBody({ ...PARTIES, blockchainInfo: place }));
    expect(answer).toMatchObject({ status: 201, body: { id, status: 'DELIVERED', ...PARTIES } });
  });

  test('what other callers send with the same reference is in nobody’s way', async () => {
    const other = await createTenant(api);
    const body = createBody({ reference: 'order-1' });
    expect((await receive(body)).status).toBe(201);
    expect((await other.post(PATH, body)).status).toBe(201);
  });
});

describe('an Idempotency-Key', () => {
  test('30 requests at once make one pair of records and get 30 equal answers', async () => {
    const before = await rowCounts(api);
    const [body, headers] = [createBody(PARTIES), newKey()];
    const answers = await Promise.all(Array.from({ length: 30 }, async () => await receive(body, headers)));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([201]));
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
    const added = (table: string) => Number((after as Json)[table]) - Number((before as Json)[table]);
    const after = await rowCounts(api);
    expect(['transactions', 'message_pairs', 'webhook_deliveries', 'idempotency_keys'].map(added)).toEqual([
      2, 1, 1, 1,
    ]);
  });

  test('422: the same key with another body, which stores nothing', async () => {
    const headers = newKey();
    await receive(createBody(), headers);
    const before = await rowCounts(api);
    const answer = await receive(createBody(), headers);
    expect(answer).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    expect(await rowCounts(api)).toEqual(before);
  });

  test('what breaks off in the middle leaves nothing, and the repeat makes both records', async () => {
    const [body, headers] = [createBody(), newKey()];
    const before = await rowCounts(api);
    await database.pool.query(`alter table message_pairs add constraint crash check (false) not valid`);
    expect((await receive(body, headers)).status).toBe(500);
    expect(await rowCounts(api)).toEqual(before);
    await database.pool.query(`alter table message_pairs drop constraint crash`);
    expect((await receive(body, headers)).status).toBe(201);
  });
});

describe('400', () => {
  test.each<[string, Json, string]>([
    ['the other direction', { direction: 'OUTGOING' }, '/direction'],
    [
      'an originator VASP that is no test VASP',
      { vaspInfo: { originatorVaspName: 'Alpine Exchange' } },
      '/vaspInfo/originatorVaspName',
    ],
    [
      'a destination that no message reaches',
      { blockchainInfo: { destination: evmAddress(), destinationType: 'NON_CUSTODIAL' } },
      '/blockchainInfo/destinationType',
    ],
    ['an unknown field', { sender: 'me' }, '/sender'],
    ['no amount', { amount: undefined }, '/amount'],
    [
      'an address that is none',
      { blockchainInfo: { destination: '0x1', destinationType: 'CUSTODIAL' } },
      '/blockchainInfo/destination',
    ],
  ])('%s', async (_what, overrides, pointer) => {
    const before = await rowCounts(api);
    const answer = await receive({ ...createBody(), ...overrides });
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed', errors: [{ pointer }] } });
    expect(await rowCounts(api)).toEqual(before);
  });
});

test('401 and 403: without a key, and with one that may only read', async () => {
  expect((await api.request('POST', PATH, { body: createBody() })).status).toBe(401);
  expect((await (await harbour.as('OBSERVER')).post(PATH, createBody())).status).toBe(403);
  expect((await (await harbour.as('COMPLIANCE')).post(PATH, createBody())).status).toBe(201);
});

test('409: where a tenant of an operator has the name, it does not speak for the test VASP', async () => {
  const own = await testDatabase();
  const sandbox = await startTestApi(own);
  try {
    await createTenant(sandbox, { name: 'silent test vasp' });
    expect(await ensureTestVasps(sandbox.db, new Date())).toEqual(['Silent Test VASP']);
    const caller = await createTenant(sandbox);
    expect(await caller.post(PATH, createBody())).toMatchObject({ status: 409, body: { code: 'conflict' } });
    const vaspInfo = { originatorVaspName: 'Confirming Test VASP' };
    expect((await caller.post(PATH, createBody({ vaspInfo }))).status).toBe(201);
  } finally {
    await sandbox.stop();
    await own.drop();
  }
});

const pathsOf = async ({ request }: TestApi) =>
  Object.keys((await request<{ paths: Json }>('GET', '/openapi.json')).body.paths).filter((path) =>
    path.startsWith('/sandbox'),
  );

test('production serves and documents nothing of the sandbox', async () => {
  expect((await pathsOf(api)).sort()).toEqual(sandboxEndpoints.map(({ path }) => path).sort());
  const own = await testDatabase();
  const production = await startTestApi(own, { config: { ENVIRONMENT: 'production' } });
  try {
    expect(await pathsOf(production)).toEqual([]);
    const tenant = await createTenant(production);
    for (const { method, path } of sandboxEndpoints) {
      const target = path.replace('{id}', '0190d1a2-7b3c-7def-8123-456789abcdef');
      const answer = await production.request(method, target, { key: tenant.apiKey, body: createBody() });
      expect([path, answer.status, answer.body['detail']]).toEqual([
        path,
        404,
        'There is no such path; /docs lists them all.',
      ]);
    }
  } finally {
    await production.stop();
    await own.drop();
  }
});
