import { inTransaction } from '../../../db/postgres.ts';
import { FIRST_CURSOR, queueUnfinished } from '../../../db/reconcile/queue-unfinished.ts';
import { verifyEvents } from '../../../db/events/verify-events.ts';
import { findOpenRelease, type WalletRelease } from '../../../db/wallets/open-release.ts';
import { beginRelease, RELEASED_AT_ONCE } from '../../../db/wallets/release-transactions.ts';
import { releaseNext, type ReleaseDeps } from '../../../transaction-screening/release-records.ts';
import type { Wallet } from '../../../domain/wallets/schema.ts';
import { startTestApi, type Json, type TestApi } from '../../api-client.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { releaseDeps } from '../../factories/release-deps.ts';
import { untilListsLoaded } from '../../factories/judged.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { configurations, draft, rule } from '../../factories/rules.ts';
import { sealedMessages, type SealedMessages } from '../../factories/sealed-messages.ts';
import { clientOf, createTenant, type TestTenant } from '../../factories/tenant.ts';
import { storedWebhooks } from '../../stored-webhooks.ts';
import {
  createTransaction,
  deliver,
  evmAddress,
  evmHash,
  readTransaction,
} from '../../factories/transaction.ts';

/** In the full run so many that the request leaves them to a workflow; the test does its steps. A multiple of three. */
const MANY = RELEASED_AT_ONCE + 10;
const THIRD = MANY / 3;

const UNAWAITED = 50_000;
/** A race that one side wins nearly always needs several. */
const ROUNDS = 10;

/** Filled once: what every test begins with. */
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
const LISTED_NAME = 'Barnabas Ravenscroft';

beforeAll(async () => {
  database = await testDatabase();
  api = await startTestApi(database, { config: { RATE_LIMIT_WRITES: 0 } });
  sender = await createTenant(api);
  receiver = await createTenant(api, { webhookUrl });
  const messages = await sealedMessages(api, sender, receiver, MANY);
  await api.stop();
  prepared = { database, masterKey: api.config.MASTER_KEY, sender, receiver, messages };
});
afterAll(async () => await prepared.database.drop());

async function openCopy(): Promise<void> {
  database = await testDatabase(prepared.database.name);
  api = await startTestApi(database, { config: { RATE_LIMIT_WRITES: 0, MASTER_KEY: prepared.masterKey } });
  // After the start, which would load it by a thread.
  await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', LISTED_NAME)]);
  // A release waits some seconds for lists that are being loaded, and leaves its records to be screened afterwards.
  await untilListsLoaded(api, prepared.sender.id);
  sender = { ...prepared.sender, ...clientOf(api, prepared.sender.apiKey) };
}

async function closeCopy(): Promise<void> {
  await api.stop();
  await database.drop();
}

/** A copy of what is prepared for each test of the describe block. */
function useCopyPerTest(): void {
  beforeEach(openCopy);
  afterEach(closeCopy);
}

/** One copy for all tests of the describe block, each with a receiver of its own. */
function useCopy(): void {
  beforeAll(openCopy);
  beforeEach(async () => {
    receiver = await createTenant(api, { webhookUrl });
  });
  afterAll(closeCopy);
}

const confirm = async (...ids: number[]) =>
  await api.request('PATCH', '/wallets', { key: receiver.apiKey, body: ids });

/** The log, the oldest entry first. */
async function logOf(tenant: TestTenant, id: string): Promise<Json[]> {
  return (await tenant.get<Json[]>(`/transactions/${id}/events`)).body.toReversed();
}
const typesOf = async (id: string) => (await logOf(receiver, id)).map(({ type }) => type);

/** The types of the entries of each record, in the order of `ids`: a request for each would take most of a test's time. */
async function typesOfEach(ids: string[]): Promise<string[][]> {
  const { rows } = await database.pool.query<{ types: string[] }>(
    `select array_agg(type order by sequence) as types from events
     where subject_id = any($1::uuid[]) group by subject_id order by array_position($1, subject_id)`,
    [ids],
  );
  return rows.map(({ types }) => types);
}

/** Whether each stored webhook of a record hides the personal data, in order; of each record in the order of `ids`. */
async function masksOfEach(ids: string[]): Promise<boolean[][]> {
  const { rows } = await database.pool.query<{ masks: boolean[] }>(
    `select array_agg(masked order by resource_version) as masks from webhook_deliveries
     where resource_id = any($1::uuid[]) group by resource_id order by array_position($1, resource_id)`,
    [ids],
  );
  return rows.map(({ masks }) => masks);
}
const masksOf = async (id: string) => (await masksOfEach([id]))[0];

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
    const { finished, isDone } = await releaseNext(releaseDeps(api), release, limit);
    steps.push(finished);
    if (isDone) return steps;
  }
}

const begin = async (walletIds: number[], tenantId = receiver.id) =>
  await inTransaction(
    database.pool,
    async (tx) => await beginRelease(tx, { tenantId, walletIds }, new Date()),
  );

/** What a request leaves behind that has died between its transaction and the release of few. */
async function dyingRequest(walletId: number): Promise<void> {
  await database.pool.query(`update wallets set status = 'CONFIRMED' where id = $1`, [walletId]);
  await begin([walletId]);
}

/** A release that has begun, and of whose records none is visible yet. */
async function releaseMany(): Promise<SealedMessages & { release: WalletRelease }> {
  receiver = { ...prepared.receiver, ...clientOf(api, prepared.receiver.apiKey) };
  const { walletId } = prepared.messages;
  if (MANY > RELEASED_AT_ONCE) expect((await confirm(walletId)).status).toBe(200);
  else await dyingRequest(walletId);
  return { ...prepared.messages, release: await openRelease() };
}

async function expectSoundChains(): Promise<void> {
  expect((await verifyEvents(api.db)).faults).toEqual([]);
}

/** The log of a released record. */
const RELEASED = ['RECEIVED', 'RELEASED', 'SCREENED'];
const killed = () => {
  throw new Error('killed');
};

async function finishWith(overrides: Partial<ReleaseDeps>, release: WalletRelease): Promise<void> {
  const deps = releaseDeps(api, overrides);
  while (!(await releaseNext(deps, release, 200)).isDone);
}

describe('a release of many', () => {
  useCopyPerTest();

  test('is left to a workflow', async () => {
    const told = api.outbox.length;
    const { release } = await releaseMany();
    expect(api.outbox.slice(told).filter(({ tenantId }) => tenantId === receiver.id)).toEqual([
      expect.objectContaining({ workflow: 'walletRelease', subjectId: release.id }),
    ]);
  });

  test('shows each record with its verdict, entry, webhook and search', async () => {
    const { incomingIds, walletId, release } = await releaseMany();
    expect(await readTransaction(receiver, incomingIds[0] ?? '')).toMatchObject({
      originator: null,
      subStatus: 'OWNERSHIP_UNCONFIRMED',
    });
    const step = THIRD + 1;
    expect(await finish(release, step)).toEqual([step, step, MANY - 2 * step]);
    for (const id of incomingIds) {
      expect(await readTransaction(receiver, id)).toMatchObject({
        originator: { name: expect.stringMatching(/^Anna Keller/) as unknown },
        subStatus: 'ON_HOLD',
        blockchainInfo: { isDestinationConfirmed: true, destinationWalletId: walletId },
      });
    }
    expect(await typesOfEach(incomingIds)).toEqual(incomingIds.map(() => RELEASED));
    expect(await masksOf(incomingIds[0] ?? '')).toEqual([true, false]);
    const found = await receiver.get<Json[]>('/transactions?q=keller&_end=1');
    expect(found.headers.get('X-Total-Count')).toBe(String(MANY));
    await expectSoundChains();
  });

  test('is taken up where a lost step ended: nothing twice, nothing forgotten', async () => {
    const { incomingIds, release } = await releaseMany();
    await releaseNext(releaseDeps(api), release, THIRD);
    const lost = releaseNext(releaseDeps(api, { notifyWorkflows: killed }), release, THIRD);
    await expect(lost).rejects.toThrow('killed');
    await finish(release, THIRD);
    expect(await finish(release, THIRD)).toEqual([0]);
    expect(await typesOfEach(incomingIds)).toEqual(incomingIds.map(() => RELEASED));
    expect(await findOpenRelease(database.pool, release.id)).toBeUndefined();
  });

  test('worked on by two at once gives each record one entry and one webhook', async () => {
    const { incomingIds, release } = await releaseMany();
    await Promise.all([finish(release, 7), finish(release, 7), finish(release, 11)]);
    expect(await typesOfEach(incomingIds)).toEqual(incomingIds.map(() => RELEASED));
    expect(await masksOfEach(incomingIds)).toEqual(incomingIds.map(() => [true, false]));
    await expectSoundChains();
  });

  test('a new version of a list while it goes on counts for all that is released after it', async () => {
    const { incomingIds, release } = await releaseMany();
    await releaseNext(releaseDeps(api), release, THIRD);
    let versions = 0;
    // After the verdicts of the next records, and before they are written.
    const prepare: typeof api.deps.subjects.prepare = async (request) => {
      const prepared = await api.deps.subjects.prepare(request);
      versions += 1;
      if (versions === 1) await activateList(database.pool, 'OFAC_SDN', [listEntry('2', 'Jonas Brandt')]);
      return prepared;
    };
    await finishWith({ sanctions: { ...api.deps.subjects, prepare } }, release);
    const records = await Promise.all(incomingIds.map(async (id) => await readTransaction(receiver, id)));
    const held = records.filter(({ clearance }) => clearance.reasons.includes('SANCTIONS'));
    const undecided = records.filter(({ subStatus }) => subStatus === 'SCREENING');
    expect(held.length + undecided.length).toBe(MANY - THIRD);
    const masks = await masksOfEach(incomingIds);
    for (const [index, { id }] of records.entries())
      expect(masks[index]).toHaveLength(undecided.some((one) => one.id === id) ? 1 : 2);
  });

  test('a record that its tenant confirms before its turn is released and screened within that request', async () => {
    const { incomingIds, release } = await releaseMany();
    const last = incomingIds.at(-1) ?? '';
    expect((await receiver.patch(`/transactions/${last}`, { status: 'CONFIRMED' })).status).toBe(200);
    expect(await typesOf(last)).toEqual([...RELEASED, 'STATUS_CHANGED']);
    await finish(release);
    expect(await typesOf(last)).toEqual([...RELEASED, 'STATUS_CHANGED']);
    expect(await masksOf(last)).toHaveLength(3);
  });
});

describe('the verdict of a release', () => {
  useCopy();

  const exchange = async (name: string, hash: { transactionHash?: string } = {}) => {
    const destination = evmAddress();
    const sent = await createTransaction(sender, {
      blockchainInfo: { destination, blockchain: 'Ethereum', ...hash },
      originator: { name },
      beneficiary: { name: 'Jonas Brandt' },
    });
    return { destination, sentId: sent.id, id: await deliver(api, sender, receiver, sent.id) };
  };
  const register = async (destination: string) =>
    expect(
      (await receiver.post('/wallets', { address: destination, asset: '*', blockchain: 'Ethereum' })).status,
    ).toBe(201);

  test('stands with the answer to whoever registers the wallet, and in one webhook', async () => {
    const { destination, id } = await exchange(LISTED_NAME);
    expect(await readTransaction(receiver, id)).toMatchObject({
      subStatus: 'OWNERSHIP_UNCONFIRMED',
      clearance: { reasons: ['DELIVERED', 'OWNERSHIP_UNCONFIRMED'] },
    });
    await register(destination);
    const released = await readTransaction(receiver, id);
    expect(released).toMatchObject({
      status: 'DELIVERED',
      subStatus: 'ON_HOLD',
      originator: { name: LISTED_NAME },
    });
    expect(released.clearance.reasons).toContain('SANCTIONS');
    expect(await storedWebhooks(api, receiver, id)).toMatchObject([
      { subStatus: 'OWNERSHIP_UNCONFIRMED', originator: null },
      { subStatus: 'ON_HOLD', originator: { name: LISTED_NAME } },
    ]);
    // A match can be marked as a false positive.
    expect((await receiver.get<Json[]>('/sanctions/history')).body).toHaveLength(1);
    expect(await receiver.patch(`/transactions/${id}`, { status: 'CONFIRMED' })).toMatchObject({
      status: 409,
      body: { code: 'review_required' },
    });
  });

  const blockByRule = async () => {
    const { id: rules } = (await configurations(receiver)).INCOMING;
    const conditions = { field: 'originatorCountry', operator: 'NOT_EXISTS' };
    await draft(receiver, rules, [rule({ conditions, decision: 'BLOCK' })], { defaultDecision: 'REVIEW' });
    await receiver.post(`/rule-engine/${rules}/publish`, { comment: 'for a test' });
  };

  test('of the rules is taken by the tenant’s own record of the same transfer', async () => {
    await blockByRule();
    const hash = { transactionHash: evmHash() };
    const { destination, id } = await exchange('Anna Keller', hash);
    const own = await createTransaction(receiver, {
      direction: 'INCOMING',
      blockchainInfo: { destination, blockchain: 'Ethereum', ...hash },
      vaspInfo: { originatorVaspName: sender.name },
    });
    expect(own.relatedTransactionId).toBe(id);
    await register(destination);
    expect((await readTransaction(receiver, id)).status).toBe('DECLINED');
    expect(await readTransaction(receiver, own.id)).toMatchObject({ status: 'DECLINED' });
  });

  test('of the rules decides on both sides', async () => {
    await blockByRule();
    const { destination, id, sentId } = await exchange('Anna Keller');
    expect((await readTransaction(receiver, id)).status).toBe('DELIVERED');
    expect((await receiver.get<Json[]>(`/transactions/${id}/decisions`)).body).toEqual([]);
    await register(destination);
    expect(await readTransaction(receiver, id)).toMatchObject({
      status: 'DECLINED',
      subStatus: 'BLOCKED_BY_RULE',
      originator: { name: 'Anna Keller' },
    });
    expect(await readTransaction(sender, sentId)).toMatchObject({
      status: 'DECLINED',
      statusReasonCode: 'COMPLIANCE',
    });
    expect(await masksOf(id)).toEqual([true, false]);
    const { rows } = await database.pool.query(
      'select p.outcome from message_pairs p where p.incoming_id = $1',
      [id],
    );
    expect(rows).toEqual([{ outcome: 'DECLINED' }]);
    await expectSoundChains();
  });

  test('that waits for a list leaves the record released, unannounced and not to be confirmed', async () => {
    const settings = { screening: { requiredLists: ['UN_SC'] } };
    expect((await receiver.patch('/tenant/me/settings', settings)).status).toBe(200);
    const { destination, id } = await exchange('Anna Keller');
    await register(destination);
    expect(await readTransaction(receiver, id)).toMatchObject({
      status: 'DELIVERED',
      subStatus: 'SCREENING',
      originator: { name: 'Anna Keller' },
    });
    expect(await masksOf(id)).toEqual([true]);
    expect(api.outbox.at(-1)).toMatchObject({ workflow: 'transactionLifecycle', subjectId: id });
    expect(await receiver.patch(`/transactions/${id}`, { status: 'CONFIRMED' })).toMatchObject({
      status: 409,
      body: { code: 'screening_pending' },
    });
  });
});

describe('a change between the confirmation of the wallet and the release', () => {
  // Before the copy is gone.
  afterEach(async () => await expectSoundChains());
  useCopyPerTest();
  let messages: SealedMessages & { release: WalletRelease };
  beforeEach(async () => {
    messages = await releaseMany();
  });

  const first = () => messages.incomingIds[0] ?? '';
  const sent = () => messages.outgoingIds[0] ?? '';

  test('a decline is kept, and the data shown afterwards', async () => {
    expect((await receiver.patch(`/transactions/${first()}`, { status: 'DECLINED' })).status).toBe(200);
    await finish(messages.release);
    expect(await typesOf(first())).toEqual(['RECEIVED', 'STATUS_CHANGED', 'RELEASED']);
    expect((await readTransaction(receiver, first())).originator).not.toBeNull();
    expect(await masksOf(first())).toEqual([true, true, false]);
  });

  test('a withdrawal of the counterparty is kept, and the data shown afterwards', async () => {
    await sender.patch(`/transactions/${sent()}`, { status: 'CANCELLED' });
    await finish(messages.release);
    expect(await typesOf(first())).toEqual(['RECEIVED', 'STATUS_CHANGED', 'RELEASED']);
    expect(await readTransaction(receiver, first())).toMatchObject({ status: 'CANCELLED' });
    expect(await masksOf(first())).toEqual([true, true, false]);
  });

  test('new data of the counterparty is screened with the release, and its hash stands at its own entry', async () => {
    await sender.patch(`/transactions/${sent()}`, { originator: { name: LISTED_NAME } });
    await finish(messages.release);
    const log = await logOf(receiver, first());
    expect(log.slice(1)).toMatchObject([
      { type: 'DATA_UPDATED', payloadHash: expect.any(String) as unknown, data: { fields: ['parties'] } },
      { type: 'RELEASED', payloadHash: null },
      { type: 'SCREENED' },
      { type: 'HELD' },
    ]);
    expect(await readTransaction(receiver, first())).toMatchObject({ originator: { name: LISTED_NAME } });
  });

  test('new data between the verdict and its release makes another verdict', async () => {
    let verdicts = 0;
    const prepare: typeof api.deps.subjects.prepare = async (request) => {
      verdicts += 1;
      if (verdicts === 1)
        await sender.patch(`/transactions/${sent()}`, { originator: { name: LISTED_NAME } });
      return await api.deps.subjects.prepare(request);
    };
    await finishWith({ sanctions: { ...api.deps.subjects, prepare } }, messages.release);
    const released = await readTransaction(receiver, first());
    expect(released.originator).toMatchObject({ name: LISTED_NAME });
    expect(released.clearance.reasons).toContain('SANCTIONS');
    expect(await masksOf(first())).toEqual([true, true, false]);
  });

  test('a deleted record is not released, and no webhook shows its data', async () => {
    await receiver.delete(`/transactions/${first()}`);
    await finish(messages.release);
    const { rows } = await database.pool.query<{ type: string }>(
      'select type from events where subject_id = $1 order by sequence',
      [first()],
    );
    expect(rows.map(({ type }) => type)).toEqual(['RECEIVED', 'DELETED']);
    expect(await masksOf(first())).toEqual([true]);
    expect(await findOpenRelease(database.pool, messages.release.id)).toBeUndefined();
  });

  test('deleting the wallet, or taking its confirmation back, changes nothing', async () => {
    await receiver.patch(`/wallets/${messages.walletId}`, { status: 'UNCONFIRMED' });
    await receiver.delete(`/wallets/${messages.walletId}`);
    await finish(messages.release);
    expect(await typesOfEach(messages.incomingIds)).toEqual(messages.incomingIds.map(() => RELEASED));
    for (const id of messages.incomingIds) {
      expect((await readTransaction(receiver, id)).originator).not.toBeNull();
    }
  });

  test('however decisions, hashes and the release meet, each log has one release, and nothing is lost', async () => {
    const changes = messages.incomingIds.map(async (id, index) => {
      if (index % 3 === 0) await receiver.patch(`/transactions/${id}`, { status: 'DECLINED' });
      if (index % 3 === 1)
        await sender.patch(`/transactions/${messages.outgoingIds[index]}`, { transactionHash: evmHash() });
    });
    await Promise.all([...changes, finish(messages.release, 5)]);
    const others = [['STATUS_CHANGED'], ['HASH_ADDED'], []];
    for (const [index, types] of (await typesOfEach(messages.incomingIds)).entries()) {
      const expected = ['RECEIVED', 'RELEASED', ...(others[index % 3] ?? [])];
      expect(types.filter((type) => type !== 'SCREENED').toSorted()).toEqual(expected.toSorted());
      // What was declined before its release is not screened any more.
      if (index % 3 !== 0) expect(types).toContain('SCREENED');
    }
  });
});

describe('which wallets release', () => {
  useCopy();

  const NOTHING = { release: null, outbox: [] };

  test('an UNCONFIRMED one, an unknown one and one of another tenant release nothing', async () => {
    const { walletId, incomingIds } = await sealedMessages(api, sender, receiver, 1);
    const before = await readTransaction(receiver, incomingIds[0] ?? '');
    const other = await createTenant(api);
    const foreign = await other.post<Wallet>('/wallets', {
      address: before.blockchainInfo.destination,
      asset: 'ETH',
      blockchain: 'Ethereum',
    });
    expect(await begin([walletId, 999_999_999, foreign.body.id])).toEqual(NOTHING);
    expect(await begin([foreign.body.id], other.id)).toEqual(NOTHING);
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
    const { release: begun } = await begin(rows.map(({ id }) => Number(id)));
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    if (!begun) throw new Error('nothing is released');
    expect(await finish(begun)).toEqual([1]);
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
    expect(await typesOf(incomingIds[0] ?? '')).toEqual(RELEASED);
  });
});

describe('one after the other', () => {
  useCopy();

  test('a release of few whose request died is found by the sweep', async () => {
    const { walletId, incomingIds } = await sealedMessages(api, sender, receiver, 2);
    await dyingRequest(walletId);
    const release = await openRelease();
    await database.pool.query(
      `update wallet_releases set wake_at = now() - interval '2 minutes' where id = $1`,
      [release.id],
    );
    const range = { overdue: true, cursor: FIRST_CURSOR };
    expect(await queueUnfinished(database.pool, 'wallet_release', range, 10)).toMatchObject({
      queued: 1,
      last: { id: release.id },
    });
    expect(await finish(release)).toEqual([2]);
    for (const id of incomingIds) expect(await typesOf(id)).toEqual(RELEASED);
  });

  test('a record that a message completed learns that its wallet was confirmed', async () => {
    const { walletId, destination } = await sealedMessages(api, sender, receiver, 1);
    const place = { destination, transactionHash: evmHash() };
    const own = await createTransaction(receiver, {
      direction: 'INCOMING',
      blockchainInfo: place,
      vaspInfo: { originatorVaspName: sender.name },
    });
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
});

describe('a message that arrives while its wallet is being confirmed', () => {
  useCopy();

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
    for (let round = 0; round < ROUNDS; round += 1) {
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
