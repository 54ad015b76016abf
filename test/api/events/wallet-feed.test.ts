import { randomBytes } from 'node:crypto';
import { newId } from '../../../db/new-id.ts';
import { beginImport } from '../../../db/wallet-imports/begin-import.ts';
import { writeWallets } from '../../../db/wallet-imports/write-wallets.ts';
import type { ChangeFeed } from '../../../domain/events/feed.ts';
import { newWallet, type Wallet } from '../../../domain/wallets/schema.ts';
import { readFeed } from '../../factories/change-feed.ts';
import { createTenant } from '../../factories/tenant.ts';
import {
  createMessagePair,
  createTransaction,
  evmAddress,
  readTransaction,
} from '../../factories/transaction.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

const { api } = useApi();
const tenant = useTenantPerTest(api);

const readAll = async (count: number): Promise<ChangeFeed['events']> =>
  (await readFeed(tenant, ({ length }) => length >= count)).events;
const seen = (events: ChangeFeed['events']) =>
  events.map(({ kind, id, version, type }) => [kind, id, version, type]);

async function register(address = evmAddress()): Promise<Wallet> {
  const answer = await tenant.post<Wallet>('/wallets', { address, asset: '*', blockchain: 'Ethereum' });
  if (answer.status !== 201) throw new Error(`not registered: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

const deleteAll = async (body: readonly number[]) =>
  await api.request('DELETE', '/wallets', { key: tenant.apiKey, body });

async function detect(): Promise<number> {
  const { incomingId } = await createMessagePair(api, await createTenant(api), tenant, { registered: false });
  const { blockchainInfo } = await readTransaction(tenant, incomingId);
  return blockchainInfo.destinationWalletId ?? 0;
}

async function importFile(addresses: readonly string[]): Promise<string> {
  const place = { tenantId: tenant.id, id: newId(new Date()) };
  await beginImport(api.db.pool, { ...place, sha256: randomBytes(32), chunks: 0, begunAt: new Date() });
  const wallets = addresses.map((address) => newWallet({ address, asset: '*', blockchain: 'Ethereum' }));
  await writeWallets(api.db, place, { wallets, total: wallets.length }, new Date());
  return place.id;
}

test('every change of a wallet is in the feed, with its version, between those of transactions', async () => {
  const { id, version } = await register();
  expect(version).toBe(1);
  const transaction = await createTransaction(tenant);
  for (const status of ['UNCONFIRMED', 'UNCONFIRMED', 'CONFIRMED', 'CONFIRMED'])
    await tenant.patch(`/wallets/${id}`, { status });
  await tenant.patch(`/wallets/${id}`, { status: 'UNCONFIRMED', metadata: 'x' });
  await tenant.patch('/wallets', [id]);
  expect((await tenant.get(`/wallets/${id}`)).body).toMatchObject({ version: 6 });
  await tenant.delete(`/wallets/${id}`);
  const of = String(id);
  const events = await readAll(8);
  expect(seen(events)).toEqual([
    ['wallet', of, 1, 'REGISTERED'],
    ['transaction', transaction.id, 1, 'CREATED'],
    ['wallet', of, 2, 'UNCONFIRMED'],
    ['wallet', of, 3, 'CONFIRMED'],
    ['wallet', of, 4, 'UNCONFIRMED'],
    ['wallet', of, 5, 'DATA_UPDATED'],
    ['wallet', of, 6, 'CONFIRMED'],
    ['wallet', of, 7, 'DELETED'],
  ]);
  for (const [index, { cursor }] of events.entries()) {
    const rest = await tenant.get<ChangeFeed>(`/events?_after=${cursor}`);
    expect(rest.body.events).toEqual(events.slice(index + 1));
  }
});

test('a detected wallet is in the feed once, and again when it is registered', async () => {
  const id = await detect();
  const { body } = await tenant.get<Wallet>(`/wallets/${id}`);
  expect(body).toMatchObject({ source: 'DETECTED', version: 1 });
  const again = await tenant.post<Wallet>('/wallets', {
    address: body.address,
    asset: body.asset,
    blockchain: body.blockchain,
  });
  expect(again).toMatchObject({ status: 201, body: { id, version: 2 } });
  const wallets = (await readAll(3)).filter(({ kind }) => kind === 'wallet');
  expect(seen(wallets)).toEqual([
    ['wallet', String(id), 1, 'DETECTED'],
    ['wallet', String(id), 2, 'REGISTERED'],
  ]);
});

test('a second message to a detected address puts nothing into the feed', async () => {
  const sender = await createTenant(api);
  const destination = evmAddress();
  for (const _ of [1, 2])
    await createMessagePair(api, sender, tenant, {
      registered: false,
      body: { blockchainInfo: { destination } },
    });
  const events = await readAll(3);
  expect(events.filter(({ kind }) => kind === 'wallet').map(({ type }) => type)).toEqual(['DETECTED']);
});

test('a CSV file is one entry, whatever it registers and confirms; none if it changes nothing', async () => {
  const known = await register();
  await tenant.patch(`/wallets/${known.id}`, { status: 'UNCONFIRMED' });
  const addresses = [known.address, evmAddress(), evmAddress()];
  const importId = await importFile(addresses);
  await importFile(addresses);
  expect((await tenant.get(`/wallets/${known.id}`)).body).toMatchObject({ source: 'CSV', version: 3 });
  const last = await register();
  expect(seen(await readAll(4))).toEqual([
    ['wallet', String(known.id), 1, 'REGISTERED'],
    ['wallet', String(known.id), 2, 'UNCONFIRMED'],
    ['wallet', importId, 1, 'IMPORTED'],
    ['wallet', String(last.id), 1, 'REGISTERED'],
  ]);
});

test('what was refused is not in the feed, and another tenant sees nothing', async () => {
  const { id, address } = await register();
  expect((await tenant.post('/wallets', { address, asset: '*', blockchain: 'Ethereum' })).status).toBe(409);
  expect((await deleteAll([id, 999_999])).status).toBe(404);
  expect((await tenant.patch('/wallets', [id, 999_999])).status).toBe(404);
  const other = await createTenant(api);
  expect((await other.delete(`/wallets/${id}`)).status).toBe(404);
  await deleteAll([id]);
  const events = await readAll(2);
  expect(seen(events)).toEqual([
    ['wallet', String(id), 1, 'REGISTERED'],
    ['wallet', String(id), 2, 'DELETED'],
  ]);
  expect((await other.get<ChangeFeed>('/events')).body.events).toEqual([]);
  expect((await other.get(`/events?_after=${events[0]?.cursor}`)).status).toBe(400);
});
