import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ensureGateways } from '../../db/gateways/ensure-gateways.ts';
import { destinationRoute, lockRoutes } from '../../db/routes/route-lock.ts';
import type { Queryable } from '../../db/postgres.ts';
import { INQUIRY_PATH, travelTokenIn } from '../../domain/travel-address/travel-url.ts';
import type { Wallet } from '../../domain/wallets/schema.ts';
import type { Json } from '../api-client.ts';
import { payloadOf } from '../domain/ivms101/fixtures.ts';
import { eventually } from '../eventually.ts';
import { createTenant, type Client, type TestTenant } from '../factories/tenant.ts';
import {
  goesOn as othersGoOn,
  holdLocks,
  holdVerification,
  waitingForRows as rowsWaitedFor,
  withFile,
} from '../factories/held-locks.ts';
import { activateList, listEntry } from '../factories/sanctions.ts';
import {
  createBody,
  createTransaction,
  deliverUnscreened,
  evmAddress,
  evmHash,
  letPass,
  registerWallet,
} from '../factories/transaction.ts';
import { useApi } from '../use-api.ts';

const POOL = 8;
const { api } = useApi({ config: { DATABASE_POOL: POOL, RATE_LIMIT_TRP: 0 } });

const claim = async (tenant: TestTenant, destination: string, options: Parameters<Client['post']>[2] = {}) =>
  await tenant.post<Json>(
    '/claims',
    {
      asset: 'ETH',
      blockchainInfo: { blockchain: 'Ethereum', transactionHash: evmHash(), destination },
      vaspInfo: { originatorVaspName: 'Nobody Knows It' },
    },
    options,
  );

/** Holds the lock of a destination, until the returned function is called. */
const holdDestination = async (destination: string) =>
  await hold(async (tx) => await lockRoutes(tx, [destinationRoute(destination.toLowerCase())]));

/** Holds the lock of a transaction, until the returned function is called. */
const holdTransaction = async (id: string) =>
  await hold(async (tx) => void (await tx.query('select from transactions where id = $1 for update', [id])));

const hold = async (take: (tx: Queryable) => Promise<void>) => await holdLocks(api, take);

const waitingForLocks = async () =>
  (
    await api.db.pool.query<{ count: number }>(
      `select count(*)::int as count from pg_locks l join pg_database d on d.oid = l.database
       where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`,
    )
  ).rows[0]?.count ?? 0;

test('writes of one tenant that wait for one lock keep no other tenant from reading, and its own write goes first', async () => {
  const [hostile, other] = [await createTenant(api), await createTenant(api)];
  const destination = evmAddress();
  const release = await holdDestination(destination);
  const ended: string[] = [];
  const writes = jest.spyOn(api.deps, 'writeInTurn');
  const claims = Array.from({ length: 3 * POOL }, async () => {
    const { status } = await claim(hostile, destination);
    ended.push('hostile');
    return status;
  });
  expect(await eventually(waitingForLocks, (count) => count >= 6)).toBe(6);
  const readings = await Promise.all(
    Array.from({ length: POOL }, async () => await other.get('/transactions')),
  );
  expect(readings.map(({ status }) => status)).toEqual(Array.from({ length: POOL }, () => 200));
  const written = claim(other, evmAddress()).then(({ status }) => {
    ended.push('other');
    return status;
  });
  await eventually(
    () => writes.mock.calls.length,
    (count) => count === 3 * POOL + 1,
  );
  await release();
  expect(await written).toBe(201);
  expect(new Set(await Promise.all(claims))).toEqual(new Set([201]));
  expect(ended.indexOf('other')).toBeLessThan(ended.length - 1);
});

test('a key under which a write of one tenant waits keeps no creation of another tenant waiting', async () => {
  const [hostile, other] = [await createTenant(api), await createTenant(api)];
  const destination = evmAddress();
  const release = await holdDestination(destination);
  const keys = Array.from({ length: 4 }, () => randomBytes(8).toString('hex'));
  const options = keys.map((key) => ({ headers: { 'Idempotency-Key': key } }));
  const claims = options.map(async (option) => (await claim(hostile, destination, option)).status);
  expect(await eventually(waitingForLocks, (count) => count >= keys.length)).toBe(keys.length);
  const ofSameKeys = options.map(
    async (option) => (await hostile.post('/transactions', createBody(), option)).status,
  );
  const refused = options.map(async (option) => (await hostile.post('/transactions', {}, option)).status);
  const again = async () =>
    await Promise.all(
      options.map(async (option) => (await hostile.post('/transactions', {}, option)).status),
    );
  const created = Array.from(
    { length: POOL },
    async () => (await other.post('/transactions', createBody())).status,
  );
  const inTime = async (answers: Promise<number>[]) =>
    await Promise.race([Promise.all(answers), delay(5_000)]);
  expect(await inTime(created)).toEqual(Array.from({ length: POOL }, () => 201));
  await release();
  expect(await Promise.all(claims)).toEqual(keys.map(() => 201));
  expect(await Promise.all(ofSameKeys)).toEqual(keys.map(() => 422));
  // A refusal under the key of another request is 422 like that of its repeat, and not 400 as long as that one waits.
  expect(await Promise.all(refused)).toEqual(keys.map(() => 422));
  expect(await again()).toEqual(keys.map(() => 422));
});

const waitingForRows = async () => await rowsWaitedFor(api);

test('changes of one record that wait for each other keep no other tenant from reading and writing', async () => {
  const [hostile, other] = [await createTenant(api), await createTenant(api)];
  const { id } = await createTransaction(hostile);
  const release = await holdTransaction(id);
  const changes = Array.from(
    { length: 3 * POOL },
    async (_, n) => (await hostile.patch(`/transactions/${id}`, { metadata: `n ${n}` })).status,
  );
  await eventually(waitingForRows, (count) => count >= 6);
  const others = Array.from({ length: POOL }, async () => (await other.get('/transactions')).status);
  const created = (await other.post('/transactions', createBody())).status;
  expect([await Promise.all(others), created]).toEqual([Array.from({ length: POOL }, () => 200), 201]);
  await release();
  expect(new Set(await Promise.all(changes))).toEqual(new Set([200]));
});

const goesOn = async (other: TestTenant, release: () => Promise<void>) =>
  await othersGoOn(other, POOL, release);

test('downloads of one file that wait for its record keep no other tenant from reading and writing', async () => {
  const [hostile, other] = [await createTenant(api), await createTenant(api)];
  const { id, linkPath } = await withFile(api, hostile);
  const { pathname } = new URL(String((await hostile.get<Json>(linkPath)).body['url']));
  const release = await holdVerification(api, id);
  const downloads = Array.from({ length: 3 * POOL }, async () => (await fetch(api.url + pathname)).status);
  await eventually(waitingForRows, (count) => count >= 6);
  await goesOn(other, release);
  expect(new Set(await Promise.all(downloads))).toEqual(new Set([200]));
});

test('links to a file and changes that wait together keep no other tenant from reading and writing', async () => {
  const [hostile, other] = [await createTenant(api), await createTenant(api)];
  const [{ id, linkPath }, changed] = [await withFile(api, hostile), await createTransaction(hostile)];
  const [releaseFile, releaseChange] = [await holdVerification(api, id), await holdTransaction(changed.id)];
  const changes = Array.from(
    { length: POOL },
    async (_, n) => (await hostile.patch(`/transactions/${changed.id}`, { metadata: `n ${n}` })).status,
  );
  await eventually(waitingForRows, (count) => count >= 6);
  const links = Array.from({ length: POOL }, async () => (await hostile.get(linkPath)).status);
  await delay(200);
  await goesOn(other, async () => void (await Promise.all([releaseFile(), releaseChange()])));
  expect(new Set(await Promise.all([...changes, ...links]))).toEqual(new Set([200]));
});

test('confirmations that screen one record at once keep no other tenant from reading and writing', async () => {
  await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', 'Barnabas Ravenscrofft')]);
  const [sender, hostile] = [await createTenant(api), await createTenant(api)];
  const other = await createTenant(api);
  const destination = evmAddress();
  await registerWallet(hostile, destination);
  const parties = { originator: { name: 'Anna Keller' }, beneficiary: { name: 'Jonas Brandt' } };
  const sent = await createTransaction(sender, { ...parties, blockchainInfo: { destination } });
  await letPass(api.db, sent.id);
  const delivery = { tenantId: sender.id, id: sent.id, receiverTenantId: hostile.id, now: new Date() };
  const id = (await deliverUnscreened(api.db, delivery))?.incoming.id ?? '';
  const release = await holdTransaction(id);
  const confirmations = Array.from(
    { length: 3 * POOL },
    async () => (await hostile.patch(`/transactions/${id}`, { status: 'CONFIRMED' })).status,
  );
  await eventually(waitingForRows, (count) => count >= 6);
  await goesOn(other, release);
  expect(await Promise.all(confirmations)).toContain(200);
});

test('repeats of an inquiry by TRP that wait for its delivery keep no tenant from reading and writing', async () => {
  await ensureGateways(api.db, new Date());
  await activateList(api.db.pool, 'OFAC_SDN', []);
  const [receiver, other] = [await createTenant(api), await createTenant(api)];
  const destination = evmAddress();
  const wallet = { address: destination, asset: 'ETH', blockchain: 'Ethereum' };
  const { id } = (await receiver.post<Wallet>('/wallets', wallet)).body;
  const { travelAddress } = (await receiver.get<{ travelAddress: string }>(`/wallets/${id}/travel-address`))
    .body;
  const path = `${INQUIRY_PATH}${travelTokenIn(travelAddress)}?t=i`;
  const body = {
    asset: { slip0044: 60 },
    amount: 1.5,
    callback: 'https://alpine.example/resolutions/1',
    IVMS101: payloadOf('21-analytics-2020.json'),
  };
  const headers = { 'api-version': '3.2.1', 'request-identifier': 'the-same' };
  const inquire = async () => (await api.request('POST', path, { body, headers })).status;
  const release = await holdDestination(destination);
  const first = inquire();
  await eventually(waitingForLocks, (count) => count >= 1);
  const repeats = Array.from({ length: 3 * POOL }, inquire);
  await eventually(waitingForRows, (count) => count >= 5);
  await goesOn(other, release);
  expect(new Set(await Promise.all([first, ...repeats]))).toEqual(new Set([200]));
});
