import type { Wallet } from '../../../domain/wallets/schema.ts';
import { startTestApi, type Json, type TestApi } from '../../api-client.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { createExchange, evmAddress, readTransaction } from '../../factories/transaction.ts';

let database: TestDatabase;
let api: TestApi;
let sender: TestTenant;
let tenant: TestTenant;

beforeAll(async () => {
  database = await testDatabase();
  api = await startTestApi(database, { config: { RATE_LIMIT_WRITES: 0 } });
  sender = await createTenant(api);
});
beforeEach(async () => {
  tenant = await createTenant(api, { webhookUrl: 'https://hooks.receiver.example/' });
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

const ENDED = '999999999';
const METHODS = ['PATCH', 'DELETE'] as const;
const bulk = async <T = Json>(method: (typeof METHODS)[number], body: unknown, key = tenant.apiKey) =>
  await api.request<T>(method, '/wallets', { key, body });

/** A wallet that a message has arrived for, with the record that is sealed because of it. */
async function detect(): Promise<{ wallet: number; record: string; address: string }> {
  const { incomingId, destination } = await createExchange(api, sender, tenant, { registered: false });
  const { blockchainInfo } = await readTransaction(tenant, incomingId);
  return { wallet: blockchainInfo.destinationWalletId ?? 0, record: incomingId, address: destination };
}

const register = async (wallet: Json = {}) =>
  (
    await tenant.post<Wallet>('/wallets', {
      address: evmAddress(),
      asset: 'ETH',
      blockchain: 'Ethereum',
      ...wallet,
    })
  ).body;
const readWallet = async (id: number) => await tenant.get<Wallet>(`/wallets/${id}`);

describe.each(METHODS)('%s /wallets', (method) => {
  test('with an unknown id is 404, names the ids that are unknown, and changes nothing', async () => {
    const { wallet, record } = await detect();
    const foreign = (await detectFor(await createTenant(api))).wallet;
    const before = await readTransaction(tenant, record);
    const answer = await bulk(method, [wallet, Number(ENDED), foreign]);
    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found', ids: [Number(ENDED), foreign] } });
    expect((await readWallet(wallet)).body.status).toBe('UNCONFIRMED');
    expect(await readTransaction(tenant, record)).toEqual(before);
  });

  test.each([
    ['no ids', [], '', 'too_small'],
    ['more than 1,000', Array.from({ length: 1_001 }, (_, index) => index + 1), '', 'too_big'],
    ['an object', { ids: [1] }, '', 'invalid_type'],
    ['text for a number', [1, '2'], '/1', 'invalid_type'],
    ['a fraction', [1.5], '/0', 'invalid_type'],
    ['zero', [0], '/0', 'too_small'],
    ['a number beyond all ids', [2 ** 60], '/0', 'too_big'],
    ['null', [null], '/0', 'invalid_type'],
  ])('with %s is 400', async (_, body, pointer, code) => {
    expect(await bulk(method, body)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ pointer, code }] },
    });
  });

  test('without a body is 400, with another content type 415', async () => {
    expect(await api.request(method, '/wallets', { key: tenant.apiKey })).toMatchObject({
      status: 400,
      body: { code: 'malformed_json' },
    });
    const headers = { 'Content-Type': 'text/plain' };
    const answer = await api.request(method, '/wallets', { key: tenant.apiKey, body: '[1]', headers });
    expect(answer.status).toBe(415);
  });

  test('is not for observers', async () => {
    const { wallet } = await detect();
    const { apiKey } = await tenant.as('OBSERVER');
    expect(await bulk(method, [wallet], apiKey)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect((await readWallet(wallet)).body.status).toBe('UNCONFIRMED');
  });

  test('of 1,000 wallets at once is one call', async () => {
    await database.pool.query(
      `insert into wallets (tenant_id, address, address_normal, asset, blockchain, blockchain_key, status, source,
         created_at, updated_at)
       select $1, 'a' || n, 'a' || n, 'ETH', 'x', 'x', 'UNCONFIRMED', 'DETECTED', now(), now()
       from generate_series(1, 1000) n`,
      [tenant.id],
    );
    const { rows } = await database.pool.query<{ id: string }>(
      'select id from wallets where tenant_id = $1',
      [tenant.id],
    );
    const answer = await bulk(
      method,
      rows.map(({ id }) => Number(id)),
    );
    expect(answer.status).toBe(method === 'PATCH' ? 200 : 204);
    const left = await tenant.get<Wallet[]>('/wallets?_status=UNCONFIRMED');
    expect(left.headers.get('X-Total-Count')).toBe('0');
  });
});

async function detectFor(other: TestTenant) {
  const { incomingId } = await createExchange(api, sender, other, { registered: false });
  const { blockchainInfo } = await readTransaction(other, incomingId);
  return { wallet: blockchainInfo.destinationWalletId ?? 0 };
}

describe('PATCH /wallets', () => {
  test('answers the wallets in the order of their ids, confirmed, one that is named twice once', async () => {
    const [a, b] = [await detect(), await detect()];
    const registered = await register();
    const answer = await bulk<Wallet[]>('PATCH', [b.wallet, registered.id, a.wallet, b.wallet]);
    expect(answer).toMatchObject({
      status: 200,
      body: [
        { id: b.wallet, status: 'CONFIRMED', source: 'DETECTED', confirmedAt: expect.any(String) as unknown },
        registered,
        { id: a.wallet, status: 'CONFIRMED' },
      ],
    });
    expect((await readWallet(a.wallet)).body).toEqual(answer.body[2]);
  });

  test('shows the personal data at the next read, in the record, the list and the search', async () => {
    const detected = [await detect(), await detect()];
    expect((await tenant.get<Json[]>('/transactions?q=keller')).body).toEqual([]);
    await bulk(
      'PATCH',
      detected.map(({ wallet }) => wallet),
    );
    for (const { record, wallet } of detected) {
      expect(await readTransaction(tenant, record)).toMatchObject({
        originator: { name: 'Anna Keller' },
        subStatus: 'ON_HOLD',
        blockchainInfo: { isDestinationConfirmed: true, destinationWalletId: wallet },
      });
    }
    expect((await tenant.get<Json[]>('/transactions?q=keller')).body).toHaveLength(2);
  });

  test('again changes nothing and sends nothing', async () => {
    const { wallet, record } = await detect();
    const first = await bulk('PATCH', [wallet]);
    const before = await readTransaction(tenant, record);
    const told = api.outbox.length;
    expect((await bulk('PATCH', [wallet])).body).toEqual(first.body);
    expect(await readTransaction(tenant, record)).toEqual(before);
    expect(api.outbox).toHaveLength(told);
  });

  test('of a detected wallet does not make messages route to it; registering it does', async () => {
    const { wallet, address } = await detect();
    await bulk('PATCH', [wallet]);
    const holders = async () =>
      (
        await database.pool.query<{ tenant_id: string }>(
          `select tenant_id from wallets
           where address_normal = $1 and status = 'CONFIRMED' and source <> 'DETECTED'`,
          [address],
        )
      ).rows;
    expect(await holders()).toEqual([]);
    const answer = await tenant.post('/wallets', { address, asset: 'ETH', blockchain: 'Ethereum' });
    expect([answer.status, await holders()]).toEqual([201, [{ tenant_id: tenant.id }]]);
  });
});

describe('deletion', () => {
  test('before the confirmation leaves the data hidden, and registering the wallet shows it after all', async () => {
    const { wallet, record, address } = await detect();
    const sealed = await readTransaction(tenant, record);
    expect((await bulk('DELETE', [wallet])).status).toBe(204);
    expect((await readWallet(wallet)).status).toBe(404);
    expect(await readTransaction(tenant, record)).toEqual(sealed);
    expect(sealed).toMatchObject({ originator: null, beneficiary: null });
    expect(await bulk('PATCH', [wallet])).toMatchObject({ status: 404 });
    const { body } = await tenant.post<Wallet>('/wallets', { address, asset: 'ETH', blockchain: 'Ethereum' });
    expect(await readTransaction(tenant, record)).toMatchObject({
      originator: { name: 'Anna Keller' },
      blockchainInfo: { isDestinationConfirmed: true, destinationWalletId: body.id },
    });
  });

  test('after the confirmation changes nothing that was visible', async () => {
    const { wallet, record } = await detect();
    await bulk('PATCH', [wallet]);
    const visible = await readTransaction(tenant, record);
    expect((await tenant.delete(`/wallets/${wallet}`)).status).toBe(204);
    expect(await readTransaction(tenant, record)).toEqual(visible);
    expect(visible.originator).toMatchObject({ name: 'Anna Keller' });
  });

  test('of one wallet answers 404 the second time', async () => {
    const { id } = await register();
    expect((await tenant.delete(`/wallets/${id}`)).status).toBe(204);
    expect(await tenant.delete(`/wallets/${id}`)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});
