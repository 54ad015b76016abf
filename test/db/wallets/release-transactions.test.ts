import { inTransaction } from '../../../db/postgres.ts';
import { verifyEvents } from '../../../db/events/verify-events.ts';
import {
  continueRelease,
  findOpenRelease,
  finishReleaseBatch,
  type WalletRelease,
} from '../../../db/wallets/finish-release.ts';
import { RELEASED_AT_ONCE, releaseByWallets } from '../../../db/wallets/release-transactions.ts';
import type { Wallet } from '../../../domain/wallets/schema.ts';
import { startTestApi, type Json, type TestApi } from '../../api-client.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { sealedMessages, type SealedMessages } from '../../factories/sealed-messages.ts';
import { IS_FULL } from '../../full.ts';
import { clientOf, createTenant, type TestTenant } from '../../factories/tenant.ts';
import {
  createTransaction,
  deliver,
  evmAddress,
  evmHash,
  readTransaction,
} from '../../factories/transaction.ts';

/** So many that log, webhooks and search follow by workflow; here the test does its steps. */
const MANY = RELEASED_AT_ONCE + 10;

const UNAWAITED = IS_FULL ? 50_000 : 10_000;

/** Filled once: what every test of a release of many begins with. */
let prepared: {
  database: TestDatabase;
  masterKey: string;
  sender: TestTenant;
  receiver: TestTenant;
  messages: SealedMessages;
};
let database: TestDatabase;
let api: TestApi;
let sender: TestTenant;
let receiver: TestTenant;

const webhookUrl = 'https://hooks.receiver.example/';

beforeAll(async () => {
  database = await testDatabase();
  api = await startTestApi(database, { config: { RATE_LIMIT_WRITES: 0 } });
  sender = await createTenant(api);
  receiver = await createTenant(api, { webhookUrl });
  const messages = await sealedMessages(api, sender, receiver, MANY);
  await api.stop();
  prepared = { database, masterKey: api.config.MASTER_KEY, sender, receiver, messages };
});
beforeEach(async () => {
  database = await testDatabase(prepared.database.name);
  api = await startTestApi(database, { config: { RATE_LIMIT_WRITES: 0, MASTER_KEY: prepared.masterKey } });
  sender = { ...prepared.sender, ...clientOf(api, prepared.sender.apiKey) };
  receiver = await createTenant(api, { webhookUrl });
});
afterEach(async () => {
  await api.stop();
  await database.drop();
});
afterAll(async () => await prepared.database.drop());

const confirm = async (...ids: number[]) =>
  await api.request('PATCH', '/wallets', { key: receiver.apiKey, body: ids });

/** The log, the oldest entry first. */
async function logOf(tenant: TestTenant, id: string): Promise<Json[]> {
  return (await tenant.get<Json[]>(`/transactions/${id}/events`)).body.toReversed();
}
const typesOf = async (id: string) => (await logOf(receiver, id)).map(({ type }) => type);

/** Whether each stored webhook of the record hides the personal data, in order. */
async function masksOf(id: string): Promise<boolean[]> {
  const { rows } = await database.pool.query<{ masked: boolean }>(
    'select masked from webhook_deliveries where resource_id = $1 order by resource_version',
    [id],
  );
  return rows.map(({ masked }) => masked);
}

async function openRelease(): Promise<WalletRelease> {
  const { rows } = await database.pool.query<{ id: string }>(
    'select id from wallet_releases where tenant_id = $1 and wake_at is not null',
    [receiver.id],
  );
  const release = rows.length === 1 && (await findOpenRelease(database.pool, rows[0]?.id ?? ''));
  if (!release) throw new Error('there is no single open release');
  return release;
}

/** What the workflow does; gives the number of records of each step. */
async function finish(release: WalletRelease, limit = 200): Promise<number[]> {
  const steps: number[] = [];
  for (;;) {
    const { finished, isDone } = await continueRelease(api.db, release, limit, new Date());
    steps.push(finished);
    if (isDone) return steps;
  }
}

/** A release whose records are visible and whose follow-up has not begun. */
async function releaseMany(): Promise<SealedMessages & { release: WalletRelease }> {
  receiver = { ...prepared.receiver, ...clientOf(api, prepared.receiver.apiKey) };
  expect((await confirm(prepared.messages.walletId)).status).toBe(200);
  return { ...prepared.messages, release: await openRelease() };
}

async function expectSoundChains(ids: string[]): Promise<void> {
  for (const id of ids) expect((await verifyEvents(database.pool, id)).faults).toEqual([]);
}

describe('a release of many', () => {
  test('shows every record at once; one entry starts what follows, and that brings each its entry, webhook and search', async () => {
    const told = api.outbox.length;
    const { incomingIds, walletId, release } = await releaseMany();
    expect(api.outbox.slice(told).filter(({ tenantId }) => tenantId === receiver.id)).toEqual([
      expect.objectContaining({ workflow: 'walletRelease', subjectId: release.id }),
    ]);
    for (const id of incomingIds) {
      expect(await readTransaction(receiver, id)).toMatchObject({
        originator: { name: expect.stringMatching(/^Anna Keller/) as unknown },
        subStatus: 'ON_HOLD',
        blockchainInfo: { isDestinationConfirmed: true, destinationWalletId: walletId },
      });
    }
    expect(await finish(release, 25)).toEqual([25, 25, MANY - 50]);
    for (const id of incomingIds) expect(await typesOf(id)).toEqual(['RECEIVED', 'SCREENED', 'RELEASED']);
    expect(await masksOf(incomingIds[0] ?? '')).toEqual([true, false]);
    const found = await receiver.get<Json[]>('/transactions?q=keller&_end=1');
    expect(found.headers.get('X-Total-Count')).toBe(String(MANY));
    await expectSoundChains(incomingIds);
  });

  test('the entry is dated when the data became visible', async () => {
    const { incomingIds, release } = await releaseMany();
    const { updatedAt } = await readTransaction(receiver, incomingIds[0] ?? '');
    await finish(release);
    expect((await logOf(receiver, incomingIds[0] ?? '')).at(-1)).toMatchObject({
      type: 'RELEASED',
      createdAt: updatedAt,
    });
  });

  test('is taken up where a lost step ended: nothing twice, nothing forgotten', async () => {
    const { incomingIds, release } = await releaseMany();
    await continueRelease(api.db, release, 20, new Date());
    const lost = inTransaction(database.pool, async (tx) => {
      await finishReleaseBatch(api.db, tx, { release, limit: 20, now: new Date() });
      throw new Error('killed');
    });
    await expect(lost).rejects.toThrow('killed');
    await finish(release, 20);
    expect(await finish(release, 20)).toEqual([0]);
    for (const id of incomingIds) expect(await typesOf(id)).toEqual(['RECEIVED', 'SCREENED', 'RELEASED']);
    expect(await findOpenRelease(database.pool, release.id)).toBeUndefined();
  });

  test('worked on by two at once gives each record one entry and one webhook', async () => {
    const { incomingIds, release } = await releaseMany();
    await Promise.all([finish(release, 7), finish(release, 7), finish(release, 11)]);
    for (const id of incomingIds) {
      expect([await typesOf(id), await masksOf(id)]).toEqual([
        ['RECEIVED', 'SCREENED', 'RELEASED'],
        [true, false],
      ]);
    }
    await expectSoundChains(incomingIds);
  });
});

describe('a change between the confirmation of the wallet and what follows', () => {
  let messages: SealedMessages & { release: WalletRelease };
  beforeEach(async () => {
    messages = await releaseMany();
  });
  afterEach(async () => await expectSoundChains(messages.incomingIds));

  const first = () => messages.incomingIds[0] ?? '';
  const sent = () => messages.outgoingIds[0] ?? '';

  test('a decision comes after the release in the log, and one webhook shows both', async () => {
    expect((await receiver.patch(`/transactions/${first()}`, { status: 'CONFIRMED' })).status).toBe(200);
    await finish(messages.release);
    expect(await typesOf(first())).toEqual(['RECEIVED', 'SCREENED', 'RELEASED', 'STATUS_CHANGED']);
    expect(await masksOf(first())).toEqual([true, false]);
  });

  test('a withdrawal of the counterparty comes after the release', async () => {
    await sender.patch(`/transactions/${sent()}`, { status: 'CANCELLED' });
    await finish(messages.release);
    expect(await typesOf(first())).toEqual(['RECEIVED', 'SCREENED', 'RELEASED', 'STATUS_CHANGED']);
    expect(await masksOf(first())).toEqual([true, false]);
  });

  test('new data of the counterparty comes after the release, and its hash stands at its own entry', async () => {
    await sender.patch(`/transactions/${sent()}`, { originator: { name: 'Anna Muster' } });
    await finish(messages.release);
    const log = await logOf(receiver, first());
    expect(log.slice(2)).toMatchObject([
      { type: 'RELEASED', payloadHash: null },
      { type: 'DATA_UPDATED', payloadHash: expect.any(String) as unknown },
    ]);
  });

  test('a deletion comes after the release, and no webhook shows the data of the deleted record', async () => {
    await receiver.delete(`/transactions/${first()}`);
    await finish(messages.release);
    const { rows } = await database.pool.query<{ type: string }>(
      'select type from events where subject_id = $1 order by sequence',
      [first()],
    );
    expect(rows.map(({ type }) => type)).toEqual(['RECEIVED', 'SCREENED', 'RELEASED', 'DELETED']);
    expect(await masksOf(first())).toEqual([true]);
  });

  test('deleting the wallet, or taking its confirmation back, changes nothing', async () => {
    await receiver.patch(`/wallets/${messages.walletId}`, { status: 'UNCONFIRMED' });
    await receiver.delete(`/wallets/${messages.walletId}`);
    await finish(messages.release);
    for (const id of messages.incomingIds) {
      expect(await typesOf(id)).toEqual(['RECEIVED', 'SCREENED', 'RELEASED']);
      expect((await readTransaction(receiver, id)).originator).not.toBeNull();
    }
  });

  test('however decisions, withdrawals and the follow-up meet, each log has one release, and at its place', async () => {
    const changes = messages.incomingIds.map(async (id, index) => {
      if (index % 3 === 0) await receiver.patch(`/transactions/${id}`, { status: 'DECLINED' });
      if (index % 3 === 1)
        await sender.patch(`/transactions/${messages.outgoingIds[index]}`, { transactionHash: evmHash() });
    });
    await Promise.all([...changes, finish(messages.release, 5)]);
    const later = [['STATUS_CHANGED'], ['HASH_ADDED'], []];
    for (const [index, id] of messages.incomingIds.entries()) {
      expect(await typesOf(id)).toEqual(['RECEIVED', 'SCREENED', 'RELEASED', ...(later[index % 3] ?? [])]);
    }
  });
});

describe('which wallets release', () => {
  const release = async (walletIds: number[], tenantId = receiver.id) =>
    await inTransaction(
      database.pool,
      async (tx) => await releaseByWallets(api.db, tx, { tenantId, walletIds }, new Date()),
    );

  test('an UNCONFIRMED one, an unknown one and one of another tenant release nothing', async () => {
    const { walletId, incomingIds } = await sealedMessages(api, sender, receiver, 1);
    const before = await readTransaction(receiver, incomingIds[0] ?? '');
    const other = await createTenant(api);
    const foreign = await other.post<Wallet>('/wallets', {
      address: before.blockchainInfo.destination,
      asset: 'ETH',
      blockchain: 'Ethereum',
    });
    expect(await release([walletId, 999_999_999, foreign.body.id])).toEqual([]);
    expect(await release([foreign.body.id], other.id)).toEqual([]);
    expect(await readTransaction(receiver, incomingIds[0] ?? '')).toEqual(before);
  });

  test(`${UNAWAITED} that nobody waits for cost little, and the one that somebody waits for is found among them`, async () => {
    const { walletId, incomingIds } = await sealedMessages(api, sender, receiver, 1);
    await database.pool.query(
      `insert into wallets (tenant_id, address, address_normal, asset, blockchain, blockchain_key, status, source,
         created_at, updated_at)
       select $1, 'n' || n, 'n' || n, 'ETH', 'x', 'x', 'CONFIRMED', 'CSV', now(), now() from generate_series(1, $2::int) n`,
      [receiver.id, UNAWAITED],
    );
    await database.pool.query(`update wallets set status = 'CONFIRMED' where id = $1`, [walletId]);
    const { rows } = await database.pool.query<{ id: string }>(
      'select id from wallets where tenant_id = $1',
      [receiver.id],
    );
    const startedAt = performance.now();
    expect(await release(rows.map(({ id }) => Number(id)))).toHaveLength(1);
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    expect((await readTransaction(receiver, incomingIds[0] ?? '')).originator).not.toBeNull();
  });

  test('two wallets that both fit release a record once, by the one that was detected for it', async () => {
    const { walletId, destination, incomingIds } = await sealedMessages(api, sender, receiver, 1);
    await database.pool.query(
      `insert into wallets (tenant_id, address, address_normal, asset, blockchain, blockchain_key, status, source,
         created_at, updated_at) values ($1, $2, $2, '*', 'Ethereum', 'Ethereum', 'UNCONFIRMED', 'MANUAL', now(), now())`,
      [receiver.id, destination],
    );
    const all = (await receiver.get<Wallet[]>('/wallets')).body.map(({ id }) => id);
    expect(all).toHaveLength(2);
    await confirm(...all);
    const { blockchainInfo } = await readTransaction(receiver, incomingIds[0] ?? '');
    expect(blockchainInfo.destinationWalletId).toBe(walletId);
    expect(await typesOf(incomingIds[0] ?? '')).toEqual(['RECEIVED', 'SCREENED', 'RELEASED']);
  });
});

test('a record that a message completed learns that its wallet was confirmed', async () => {
  const { walletId, destination } = await sealedMessages(api, sender, receiver, 1);
  const place = { destination, transactionHash: evmHash() };
  const own = await createTransaction(receiver, { direction: 'INCOMING', blockchainInfo: place });
  const sent = await createTransaction(sender, { blockchainInfo: place });
  expect(await deliver(api, sender, receiver, sent.id)).toBe(own.id);
  expect((await readTransaction(receiver, own.id)).blockchainInfo.isDestinationConfirmed).toBe(false);
  await confirm(walletId);
  expect((await readTransaction(receiver, own.id)).blockchainInfo).toMatchObject({
    isDestinationConfirmed: true,
    destinationWalletId: walletId,
  });
  expect(await typesOf(own.id)).toEqual(['CREATED', 'RECEIVED', 'SCREENED', 'RELEASED']);
});

describe('a message that arrives while its wallet is being confirmed', () => {
  test.each([
    ['one wallet', 0],
    ['a hundred wallets', 100],
  ])('is never left hidden: %s', async (_, others) => {
    const { rows } = await database.pool.query<{ id: string }>(
      `insert into wallets (tenant_id, address, address_normal, asset, blockchain, blockchain_key, status, source,
         created_at, updated_at)
       select $1, 'o' || n, 'o' || n, 'ETH', 'x', 'x', 'UNCONFIRMED', 'MANUAL', now(), now()
       from generate_series(1, $2::int) n returning id`,
      [receiver.id, others],
    );
    for (let round = 0; round < 10; round += 1) {
      const { walletId, destination } = await sealedMessages(api, sender, receiver, 1);
      const sent = await createTransaction(sender, {
        blockchainInfo: { destination },
        originator: { name: 'Anna Keller' },
      });
      const [id, answer] = await Promise.all([
        deliver(api, sender, receiver, sent.id),
        confirm(walletId, ...rows.map((row) => Number(row.id))),
      ]);
      expect(answer.status).toBe(200);
      expect((await readTransaction(receiver, id)).originator).toMatchObject({ name: 'Anna Keller' });
    }
  });

  test('many callers who confirm and delete the same wallets neither block each other nor fail', async () => {
    const ids: number[] = [];
    for (let count = 0; count < 6; count += 1) {
      const body = { address: evmAddress(), asset: 'ETH', blockchain: 'Ethereum' };
      ids.push((await receiver.post<Wallet>('/wallets', body)).body.id);
    }
    const backwards = ids.toReversed();
    const calls = [ids, backwards, ids, backwards].map(async (list) => await confirm(...list));
    const deletion = api.request('DELETE', '/wallets', { key: receiver.apiKey, body: backwards });
    const answers = await Promise.all([...calls, deletion]);
    for (const { status } of answers) expect([200, 204, 404]).toContain(status);
    expect((await receiver.get<Wallet[]>('/wallets')).body).toEqual([]);
  });
});
