import type { Wallet } from '../../../domain/wallets/schema.ts';
import { startTestApi, type Json, type TestApi } from '../../api-client.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import {
  createExchange,
  createTransaction,
  deliver,
  evmAddress,
  readTransaction,
} from '../../factories/transaction.ts';

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
  tenant = await createTenant(api);
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

const patch = async (id: number | string, body: unknown) =>
  await tenant.patch<Wallet & Json>(`/wallets/${id}`, body);
const register = async (address = evmAddress()) =>
  (await tenant.post<Wallet>('/wallets', { address, asset: 'ETH', blockchain: 'Ethereum', metadata: 'cold' }))
    .body;

/** A message to the address arrives; the tenant's record of it. */
async function receive(destination: string) {
  const parties = { originator: { name: 'Anna Keller' }, beneficiary: { name: 'Jonas Brandt' } };
  const sent = await createTransaction(sender, { ...parties, blockchainInfo: { destination } });
  return await readTransaction(tenant, await deliver(api, sender, tenant, sent.id));
}

describe('200', () => {
  test('UNCONFIRMED takes the confirmation back, CONFIRMED gives it again', async () => {
    const wallet = await register();
    const taken = await patch(wallet.id, { status: 'UNCONFIRMED' });
    expect(taken).toMatchObject({
      status: 200,
      body: { ...wallet, status: 'UNCONFIRMED', confirmedAt: null, updatedAt: expect.any(String) as unknown },
    });
    const given = await patch(wallet.id, { status: 'CONFIRMED' });
    expect(given).toMatchObject({
      status: 200,
      body: { status: 'CONFIRMED', source: 'MANUAL', confirmedAt: expect.any(String) as unknown },
    });
    expect((await tenant.get(`/wallets/${wallet.id}`)).body).toEqual(given.body);
  });

  test('the same status again changes nothing, not even the time', async () => {
    const wallet = await register();
    expect((await patch(wallet.id, { status: 'CONFIRMED' })).body).toEqual(wallet);
  });

  test('what arrived before keeps its data, what arrives after is hidden until the wallet is confirmed again', async () => {
    const wallet = await register();
    const earlier = await receive(wallet.address);
    await patch(wallet.id, { status: 'UNCONFIRMED' });
    expect(await readTransaction(tenant, earlier.id)).toEqual(earlier);
    const later = await receive(wallet.address);
    expect([earlier.blockchainInfo.isDestinationConfirmed, earlier.originator?.name]).toEqual([
      true,
      'Anna Keller',
    ]);
    expect([later.blockchainInfo.isDestinationConfirmed, later.originator]).toEqual([false, null]);
    await patch(wallet.id, { status: 'CONFIRMED' });
    expect(await readTransaction(tenant, later.id)).toMatchObject({
      originator: { name: 'Anna Keller' },
      blockchainInfo: { isDestinationConfirmed: true, destinationWalletId: wallet.id },
    });
    expect(await readTransaction(tenant, earlier.id)).toEqual(earlier);
  });

  test('a registered wallet routes only while it is confirmed', async () => {
    const wallet = await register();
    await patch(wallet.id, { status: 'UNCONFIRMED' });
    const sent = await createTransaction(sender, { blockchainInfo: { destination: wallet.address } });
    await database.pool.query(
      `update transactions set sub_status = 'VASP_NOT_FOUND', wake_at = now() + interval '1 day' where id = $1`,
      [sent.id],
    );
    const told = api.outbox.length;
    await patch(wallet.id, { status: 'CONFIRMED' });
    expect(api.outbox.slice(told)).toMatchObject([{ workflow: 'transactionLifecycle', subjectId: sent.id }]);
  });

  test('metadata can be set and cleared, with the status or alone', async () => {
    const { id } = await register();
    expect((await patch(id, { metadata: 'warm' })).body).toMatchObject({
      metadata: 'warm',
      status: 'CONFIRMED',
    });
    expect((await patch(id, { metadata: null, status: 'UNCONFIRMED' })).body).toMatchObject({
      metadata: null,
      status: 'UNCONFIRMED',
    });
  });
});

test.each([
  ['nothing', {}, '/status'],
  ['an unknown status', { status: 'DELETED' }, '/status'],
  ['a status of null', { status: null }, '/status'],
  ['a field that is fixed', { status: 'CONFIRMED', address: '0x1' }, '/address'],
  ['empty metadata', { metadata: '' }, '/metadata'],
  ['an array', [1], ''],
])('400: %s', async (_, body, pointer) => {
  const { id } = await register();
  expect(await patch(id, body)).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
  expect((await tenant.get(`/wallets/${id}`)).body).toMatchObject({ status: 'CONFIRMED', metadata: 'cold' });
});

test.each([0, -1, 'x', 1.5, 999_999_999, '9'.repeat(30)])('404: the wallet %s', async (id) => {
  for (const body of [{ status: 'CONFIRMED' }, { status: 'UNCONFIRMED' }, { metadata: 'x' }]) {
    expect(await patch(id, body)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  }
});

test('403: an observer changes nothing', async () => {
  const { id } = await register();
  const observer = await tenant.as('OBSERVER');
  expect((await observer.patch(`/wallets/${id}`, { status: 'UNCONFIRMED' })).status).toBe(403);
  expect((await observer.delete(`/wallets/${id}`)).status).toBe(403);
  expect((await observer.get<Wallet[]>('/wallets')).body).toMatchObject([{ id, status: 'CONFIRMED' }]);
});

test('a record that was not delivered to the wallet is not touched by it', async () => {
  const other = await createExchange(api, sender, tenant, { registered: false });
  const sealed = await readTransaction(tenant, other.incomingId);
  const wallet = await register();
  await patch(wallet.id, { status: 'UNCONFIRMED' });
  await patch(wallet.id, { status: 'CONFIRMED' });
  expect(await readTransaction(tenant, other.incomingId)).toEqual(sealed);
});
