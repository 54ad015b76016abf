import { randomBytes } from 'node:crypto';
import { markUnroutedOrFind } from '../../../db/lifecycle/mark-unrouted.ts';
import { counterpartyOf } from '../../../db/lifecycle/resolve-counterparty.ts';
import { getTransaction } from '../../../db/transactions/find-transaction.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import type { Wallet } from '../../../domain/wallets/schema.ts';
import { startTestApi, type Json, type TestApi } from '../../api-client.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { activateList, listEntry, untilLoaded } from '../../factories/sanctions.ts';
import { letPass, deliverUnscreened } from '../../factories/transaction.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';

let database: TestDatabase;
let api: TestApi;
let sender: TestTenant;
let receiver: TestTenant;
/** Nobody but the test of the moment knows it. */
let destination: string;
/** The wallet that a message to it asks for. */
let hit: { address: string; asset: string; blockchain: string };

beforeAll(async () => {
  database = await testDatabase();
  api = await startTestApi(database, { pollMs: 50 });
  // Whatever is released is screened.
  await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', 'Somebody Else')]);
  await untilLoaded(api.screener, 'OFAC_SDN');
});
beforeEach(async () => {
  sender = await createTenant(api);
  destination = newAddress();
  hit = { address: destination, asset: 'ETH', blockchain: 'Ethereum' };
  receiver = await createTenant(api, { webhookUrl: 'https://hooks.receiver.example/' });
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

function newAddress(): string {
  return `0x${randomBytes(20).toString('hex')}`;
}

interface Place {
  destination?: string;
  destinationTag?: string;
  blockchain?: string;
}

async function send(place: Place = {}, more: Json = {}): Promise<string> {
  const { body } = await sender.post<Transaction>('/transactions', {
    asset: 'ETH',
    amount: '1.5',
    blockchainInfo: { destination, destinationType: 'CUSTODIAL', ...place },
    vaspInfo: { beneficiaryVaspName: receiver.name },
    originator: { name: 'Anna Muster' },
    ...more,
  });
  return body.id;
}

/** Sends a message and carries it to the receiver; answers the receiver's record. */
async function deliver(place: Place = {}, more: Json = {}): Promise<Transaction> {
  const id = await send(place, more);
  await letPass(api.db, id);
  await deliverUnscreened(api.db, {
    tenantId: sender.id,
    id,
    receiverTenantId: receiver.id,
    now: new Date(),
  });
  const { rows } = await database.pool.query<{ incoming_id: string }>(
    'select incoming_id from message_pairs where outgoing_id = $1',
    [id],
  );
  return await received(rows[0]?.incoming_id ?? '');
}

async function received(id: string): Promise<Transaction> {
  return (await receiver.get<Transaction>(`/transactions/${id}`)).body;
}

const register = async (tenant: TestTenant, body: unknown) => await tenant.post<Wallet>('/wallets', body);

async function webhooksOf(id: string): Promise<unknown[]> {
  const { rows } = await database.pool.query<{ masked: boolean }>(
    'select masked from webhook_deliveries where resource_id = $1 order by resource_version',
    [id],
  );
  return rows.map(({ masked }) => masked);
}

describe('release of what waited for the wallet', () => {
  test('registering the destination shows the personal data and sends the webhook again', async () => {
    const sealed = await deliver();
    expect(sealed).toMatchObject({
      originator: null,
      subStatus: 'OWNERSHIP_UNCONFIRMED',
      blockchainInfo: { isDestinationConfirmed: false },
    });
    const before = api.outbox.length;
    const { body: wallet } = await register(receiver, hit);
    // The wallet that was detected for the message is the one that is registered now.
    expect(wallet.id).toBe(sealed.blockchainInfo.destinationWalletId);
    expect(wallet).toMatchObject({ status: 'CONFIRMED', source: 'MANUAL' });
    expect(await received(sealed.id)).toMatchObject({
      originator: { name: 'Anna Muster' },
      status: 'DELIVERED',
      subStatus: 'ON_HOLD',
      blockchainInfo: { isDestinationConfirmed: true, destinationWalletId: wallet.id },
      version: sealed.version + 1,
    });
    expect(await webhooksOf(sealed.id)).toEqual([true, false]);
    expect(api.outbox.slice(before)).toMatchObject([{ workflow: 'webhookDelivery', tenantId: receiver.id }]);
    const { body: events } = await receiver.get<Json[]>(`/transactions/${sealed.id}/events`);
    expect(events.map(({ type }) => type)).toEqual(['SCREENED', 'RELEASED', 'RECEIVED']);
    expect((await receiver.get<Json[]>('/transactions?q=anna')).body).toHaveLength(1);
  });

  test.each<[string, Place, Json, Json]>([
    ['all assets of the chain', { blockchain: 'Ethereum' }, { asset: 'USDC' }, { asset: '*' }],
    ['its asset in another case', {}, {}, { asset: 'eth' }],
    ['another name of the chain', {}, {}, { blockchain: 'eip155:1' }],
    ['no tag, which matches any', { destinationTag: '7' }, {}, {}],
    ['its tag', { destinationTag: '7' }, {}, { tag: '7' }],
    ['any chain when the message names none', {}, { asset: 'USDC' }, { asset: 'USDC', blockchain: 'Base' }],
  ])('a wallet fits by %s', async (_, place, more, difference) => {
    const sealed = await deliver(place, more);
    const { status, body } = await register(receiver, { ...hit, ...difference });
    expect(status).toBe(201);
    expect(await received(sealed.id)).toMatchObject({
      originator: { name: 'Anna Muster' },
      blockchainInfo: { destinationWalletId: body.id },
    });
  });

  test.each<[string, Place, Json]>([
    ['another asset', {}, { asset: 'USDC' }],
    ['another chain', {}, { blockchain: 'Base' }],
    ['another address', {}, { address: newAddress() }],
    ['another tag', { destinationTag: '7' }, { tag: '8' }],
    ['a tag that the message lacks', {}, { tag: '7' }],
  ])('a wallet of %s releases nothing', async (_, place, difference) => {
    const sealed = await deliver(place);
    expect((await register(receiver, { ...hit, ...difference })).status).toBe(201);
    expect(await received(sealed.id)).toEqual(sealed);
    expect(await webhooksOf(sealed.id)).toEqual([true]);
  });

  test('the wallet of another tenant releases nothing', async () => {
    const sealed = await deliver();
    await register(await createTenant(api), hit);
    await register(sender, hit);
    expect(await received(sealed.id)).toEqual(sealed);
  });

  test('all that wait are released, each once, by many registrations at once', async () => {
    const sealed = [await deliver(), await deliver(), await deliver({}, { asset: 'USDC' })];
    const wallets = [hit, { ...hit, asset: '*' }, { ...hit, asset: 'USDC' }];
    await Promise.all([...wallets, ...wallets].map(async (wallet) => await register(receiver, wallet)));
    for (const { id } of sealed) {
      expect(await received(id)).toMatchObject({ originator: { name: 'Anna Muster' }, version: 2 });
      expect(await webhooksOf(id)).toEqual([true, false]);
    }
  });

  test('a declined message is shown too and stays declined; a deleted one stays deleted', async () => {
    const [declined, deleted] = [await deliver(), await deliver()];
    await receiver.patch(`/transactions/${declined.id}`, { status: 'DECLINED' });
    await receiver.delete(`/transactions/${deleted.id}`);
    await register(receiver, hit);
    expect(await received(declined.id)).toMatchObject({
      status: 'DECLINED',
      originator: { name: 'Anna Muster' },
    });
    expect((await receiver.get(`/transactions/${deleted.id}`)).status).toBe(404);
    const { rows } = await database.pool.query('select 1 from transactions where id = $1 and sealed', [
      deleted.id,
    ]);
    expect(rows).toHaveLength(1);
  });

  test('a refused registration releases nothing', async () => {
    const sealed = await deliver();
    expect((await register(receiver, { ...hit, note: 'x' })).status).toBe(400);
    expect(await received(sealed.id)).toEqual(sealed);
  });
});

describe('routing', () => {
  async function leaveUnrouted(): Promise<string> {
    const id = await send({}, { vaspInfo: {} });
    await letPass(api.db, id);
    await markUnroutedOrFind(api.db, await getTransaction(api.db, sender.id, id), new Date());
    return id;
  }

  test('a message for an address that nobody held is woken by its registration and finds the holder', async () => {
    const id = await leaveUnrouted();
    const before = api.outbox.length;
    await register(receiver, hit);
    expect(api.outbox.slice(before)).toMatchObject([
      { workflow: 'transactionLifecycle', tenantId: sender.id, subjectId: id },
    ]);
    const record = await getTransaction(api.db, sender.id, id);
    expect(record.wakeAt?.getTime()).toBeLessThanOrEqual(Date.now());
    expect((await counterpartyOf(api.db.pool, record, api.db)).receiver).toEqual({
      network: 'NATIVE',
      tenantId: receiver.id,
    });
  });

  test('a registration that is refused as a duplicate, and a replay, wake nothing', async () => {
    const headers = { 'Idempotency-Key': 'once' };
    await receiver.post('/wallets', { ...hit, tag: '7' }, { headers });
    const id = await leaveUnrouted();
    const before = api.outbox.length;
    await receiver.post('/wallets', { ...hit, tag: '7' }, { headers });
    await register(receiver, { ...hit, tag: '7' });
    expect(api.outbox.slice(before)).toEqual([]);
    await register(receiver, hit);
    expect(api.outbox.slice(before)).toMatchObject([{ subjectId: id }]);
  });

  test('however registration and "nobody found" meet, the message is never left behind', async () => {
    for (let round = 0; round < 20; round += 1) {
      const address = newAddress();
      // It names no VASP: one of another name than the holder's would not be routed to it, whoever comes first.
      const id = await send({ destination: address }, { vaspInfo: {} });
      await letPass(api.db, id);
      const record = await getTransaction(api.db, sender.id, id);
      const [marked, registered] = await Promise.all([
        markUnroutedOrFind(api.db, record, new Date()),
        register(receiver, { ...hit, address }),
      ]);
      expect(registered.status).toBe(201);
      const isFound = marked !== 'NAMES_CHANGE' && marked.counterparty !== null;
      const { wakeAt } = await getTransaction(api.db, sender.id, id);
      const isDue = wakeAt !== null && wakeAt.getTime() <= Date.now();
      expect({ round, found: isFound || isDue }).toEqual({ round, found: true });
    }
  });
});
