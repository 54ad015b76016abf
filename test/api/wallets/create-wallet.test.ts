import type { Wallet } from '../../../domain/wallets/schema.ts';
import { startTestApi, type Json, type TestApi } from '../../api-client.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';

let database: TestDatabase;
let api: TestApi;
let tenant: TestTenant;

const ETH = '0x52908400098527886E0F7030069857D2E4169EE7';
const BTC = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const WALLET = { address: ETH, asset: 'ETH', blockchain: 'Ethereum' };

beforeAll(async () => {
  database = await testDatabase();
  api = await startTestApi(database);
});
beforeEach(async () => {
  tenant = await createTenant(api);
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

const post = async (body: unknown, headers = {}) =>
  await tenant.post<Wallet & Json>('/wallets', body, { headers });

async function walletCount(): Promise<number> {
  const { rows } = await database.pool.query('select 1 from wallets where tenant_id = $1', [tenant.id]);
  return rows.length;
}

async function unconfirm(id: number): Promise<void> {
  await database.pool.query(`update wallets set status = 'UNCONFIRMED', confirmed_at = null where id = $1`, [
    id,
  ]);
}

describe('201', () => {
  test('a wallet is confirmed at once and comes back as it was sent', async () => {
    const { status, body } = await post({ ...WALLET, blockchain: 'eth', tag: '7', metadata: 'cold store' });
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        id: expect.any(Number) as unknown,
        address: ETH,
        asset: 'ETH',
        blockchain: 'eth',
        tag: '7',
        metadata: 'cold store',
        status: 'CONFIRMED',
        source: 'MANUAL',
        createdAt: expect.stringMatching(/\.\d{3}Z$/) as unknown,
        updatedAt: body.createdAt,
        confirmedAt: body.createdAt,
      },
    });
    expect((await tenant.get(`/wallets/${body.id}`)).body).toEqual(body);
  });

  test.each([
    [{ ...WALLET, asset: '*' }],
    [{ ...WALLET, tag: '1' }],
    [{ ...WALLET, asset: 'USDC' }],
    [{ ...WALLET, blockchain: 'Base' }],
    [{ address: BTC, asset: 'BTC', blockchain: 'Bitcoin' }],
    [{ address: 'anything-printable', asset: 'XYZ', blockchain: 'Some New Chain' }],
  ])('%j is another wallet than the first', async (body) => {
    const first = await post(WALLET);
    const answer = await post(body);
    expect(answer).toMatchObject({ status: 201, body: { ...body, status: 'CONFIRMED' } });
    expect(answer.body.id).not.toBe(first.body.id);
  });

  test('two tenants may register the same wallet', async () => {
    const other = await createTenant(api);
    const [mine, theirs] = [await post(WALLET), await other.post<Wallet>('/wallets', WALLET)];
    expect([mine.status, theirs.status]).toEqual([201, 201]);
    expect(mine.body.id).not.toBe(theirs.body.id);
  });

  test('one that is only UNCONFIRMED is confirmed under its id, with what was sent now', async () => {
    const { body: first } = await post({ ...WALLET, metadata: 'old note' });
    await unconfirm(first.id);
    const { status, body } = await post({
      ...WALLET,
      address: ETH.toLowerCase(),
      asset: 'eth',
      metadata: 'new note',
    });
    expect({ status, body }).toMatchObject({
      status: 201,
      body: {
        id: first.id,
        address: ETH.toLowerCase(),
        asset: 'eth',
        metadata: 'new note',
        status: 'CONFIRMED',
        source: 'MANUAL',
        createdAt: first.createdAt,
      },
    });
    expect(Date.parse(body.confirmedAt ?? '')).toBeGreaterThan(Date.parse(first.createdAt));
    expect(await walletCount()).toBe(1);
  });

  test('confirming without metadata keeps the metadata', async () => {
    const { body: first } = await post({ ...WALLET, metadata: 'old note' });
    await unconfirm(first.id);
    expect((await post(WALLET)).body).toMatchObject({ id: first.id, metadata: 'old note' });
  });

  test('the same request under the same Idempotency-Key is answered 201 again, with one wallet', async () => {
    const headers = { 'Idempotency-Key': 'wallet-1' };
    const answers = await Promise.all(
      Array.from({ length: 50 }, async () => await post({ ...WALLET, metadata: 'a' }, headers)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(answers.filter((answer) => answer.headers.get('idempotency-replayed') === 'true')).toHaveLength(
      49,
    );
    expect(await walletCount()).toBe(1);
  });

  test('a key whose first request was refused with 409 stays free', async () => {
    await post(WALLET);
    const headers = { 'Idempotency-Key': 'free' };
    expect((await post(WALLET, headers)).status).toBe(409);
    expect((await post({ ...WALLET, tag: '9' }, headers)).status).toBe(201);
  });
});

describe('400', () => {
  test.each<[Json, string]>([
    [{ address: ETH, asset: 'ETH' }, '/blockchain'],
    [{ address: ETH, blockchain: 'Ethereum' }, '/asset'],
    [{ asset: 'ETH', blockchain: 'Ethereum' }, '/address'],
    [{ ...WALLET, address: `${ETH.slice(0, -1)}e` }, '/address'],
    [{ ...WALLET, address: BTC }, '/address'],
    [{ ...WALLET, address: 'with space' }, '/address'],
    [{ ...WALLET, address: '' }, '/address'],
    [{ ...WALLET, address: 5 }, '/address'],
    [{ ...WALLET, asset: '**' }, '/asset'],
    [{ ...WALLET, asset: 'a b' }, '/asset'],
    [{ ...WALLET, metadata: 'x'.repeat(2_001) }, '/metadata'],
    [{ ...WALLET, metadata: 'nul\0' }, '/metadata'],
    [{ ...WALLET, status: 'UNCONFIRMED' }, '/status'],
    [{ ...WALLET, source: 'CSV' }, '/source'],
    [{ ...WALLET, id: 1 }, '/id'],
  ])('%j: nothing is stored', async (body, pointer) => {
    const answer = await post(body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed', errors: [{ pointer }] } });
    expect(await walletCount()).toBe(0);
  });

  test('the refused address is not echoed', async () => {
    const { body } = await post({ ...WALLET, address: '0xdeadbeef' });
    expect(JSON.stringify(body)).not.toContain('deadbeef');
  });

  test('a refusal under an Idempotency-Key is kept: a corrected body needs a new key', async () => {
    const headers = { 'Idempotency-Key': 'faulty' };
    const faulty = { ...WALLET, address: 'x' };
    const first = await post(faulty, headers);
    expect(await post(faulty, headers)).toMatchObject({ status: 400, body: first.body });
    expect((await post(WALLET, headers)).status).toBe(422);
    expect(await walletCount()).toBe(0);
  });
});

test('401: without a key', async () => {
  expect((await api.request('POST', '/wallets', { body: WALLET })).status).toBe(401);
});

describe('403', () => {
  test('an OBSERVER registers nothing', async () => {
    const answer = await (await tenant.as('OBSERVER')).post('/wallets', WALLET);
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(await walletCount()).toBe(0);
  });

  test('COMPLIANCE is enough', async () => {
    expect((await (await tenant.as('COMPLIANCE')).post('/wallets', WALLET)).status).toBe(201);
  });
});

describe('409', () => {
  test.each([
    [WALLET],
    [{ ...WALLET, address: ETH.toLowerCase() }],
    [{ ...WALLET, asset: 'eth' }],
    [{ ...WALLET, blockchain: 'eip155:1' }],
    [{ ...WALLET, metadata: 'another note' }],
  ])('%j is the wallet that is there, and names its id', async (body) => {
    const first = await post(WALLET);
    expect(await post(body)).toMatchObject({ status: 409, body: { code: 'conflict', id: first.body.id } });
    expect((await tenant.get(`/wallets/${first.body.id}`)).body).toEqual(first.body);
    expect(await walletCount()).toBe(1);
  });

  test('of 50 equal registrations at once one makes the wallet', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, async () => await post(WALLET)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
    expect(await walletCount()).toBe(1);
  });
});

test('422: the Idempotency-Key of another wallet, and nothing is stored', async () => {
  const headers = { 'Idempotency-Key': 'taken' };
  await post(WALLET, headers);
  const answer = await post({ ...WALLET, tag: '2' }, headers);
  expect(answer).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
  expect(await walletCount()).toBe(1);
});
