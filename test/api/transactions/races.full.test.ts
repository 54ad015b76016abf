import { verifyEvents } from '../../../db/events/verify-events.ts';
import { registerWallet as insertWallet } from '../../../db/wallets/register-wallet.ts';
import { newWallet } from '../../../domain/wallets/schema.ts';
import { startTestApi, type Json, type TestApi } from '../../api-client.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { eventually } from '../../eventually.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import {
  createMessagePair,
  createTransaction,
  deliver,
  evmAddress,
  evmHash,
  registerWallet,
} from '../../factories/transaction.ts';

let database: TestDatabase;
let api: TestApi;
let sender: TestTenant;
let receiver: TestTenant;
/** Registered by the receiver: what is sent there is not sealed. */
const destination = evmAddress();

beforeAll(async () => {
  database = await testDatabase();
  api = await startTestApi(database, {
    config: { WEBHOOK_ALLOWED_HOSTS: ['127.0.0.1'], RATE_LIMIT_WRITES: 0 },
  });
  const webhookUrl = 'http://127.0.0.1:9/hook';
  [sender, receiver] = [await createTenant(api, { webhookUrl }), await createTenant(api, { webhookUrl })];
  await registerWallet(receiver, destination);
  // Whatever is released is screened.
  await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', 'Somebody Else')]);
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

interface MessagePair {
  outgoingId: string;
  incomingId: string;
}
interface Action {
  name: string;
  /** The status that this call sets, if it is a decision. */
  decides?: string;
  call: (exchange: MessagePair) => Promise<{ status: number }>;
}

const patch =
  (by: () => TestTenant, side: keyof MessagePair, body: () => Json) => async (exchange: MessagePair) =>
    await by().patch(`/transactions/${exchange[side]}`, body());
const remove = (by: () => TestTenant, side: keyof MessagePair) => async (exchange: MessagePair) =>
  await by().delete(`/transactions/${exchange[side]}`);
const decide = (by: () => TestTenant, side: keyof MessagePair, status: string): Action => ({
  name: status,
  decides: status,
  call: patch(by, side, () => ({ status })),
});

const ACTIONS: Action[] = [
  decide(() => sender, 'outgoingId', 'CANCELLED'),
  {
    name: 'hash',
    call: patch(
      () => sender,
      'outgoingId',
      () => ({ transactionHash: evmHash() }),
    ),
  },
  { name: 'sender deletes', call: remove(() => sender, 'outgoingId') },
  decide(() => receiver, 'incomingId', 'CONFIRMED'),
  decide(() => receiver, 'incomingId', 'DECLINED'),
  { name: 'receiver deletes', call: remove(() => receiver, 'incomingId') },
];
const COMBINATIONS = 2 ** ACTIONS.length;
/** Every combination; again and again, begun by each of its calls, in the full run. */
const ROUNDS = 1_000;
/** More would only wait for a connection to the database, and be told to come again after 3 s. */
const AT_A_TIME = 4;

/** Each time that a combination comes it is begun by another of its calls. */
function actionsOf(round: number): Action[] {
  const chosen = ACTIONS.filter((_, bit) => ((round % COMBINATIONS) >> bit) % 2 === 1);
  const turn = chosen.length === 0 ? 0 : Math.floor(round / COMBINATIONS) % chosen.length;
  return [...chosen.slice(turn), ...chosen.slice(0, turn)];
}

interface Played extends MessagePair {
  results: { name: string; decides: string | undefined; status: number }[];
}

async function play(round: number): Promise<Played> {
  const exchange = await createMessagePair(api, sender, receiver, {
    registered: false,
    body: { blockchainInfo: { destination, transactionHash: evmHash() } },
  });
  const results = await Promise.all(
    actionsOf(round).map(async ({ name, decides, call }) => ({
      name,
      decides,
      status: (await call(exchange)).status,
    })),
  );
  return { ...exchange, results };
}

async function playAll(): Promise<Played[]> {
  const played: Played[] = [];
  for (let round = 0; round < ROUNDS; round += AT_A_TIME) {
    const rounds = Array.from({ length: Math.min(AT_A_TIME, ROUNDS - round) }, (_, index) => round + index);
    played.push(...(await Promise.all(rounds.map(play))));
  }
  return played;
}

interface Stored {
  outgoing_id: string;
  outcome: string | null;
  out_status: string;
  in_status: string;
  out_deleted: boolean;
  in_deleted: boolean;
  same_hash: boolean;
}

async function storedPairs(): Promise<Map<string, Stored>> {
  const { rows } = await database.pool.query<Stored>(
    `select e.outgoing_id, e.outcome, o.status as out_status, i.status as in_status,
       o.deleted_at is not null as out_deleted, i.deleted_at is not null as in_deleted,
       o.hash_normal = i.hash_normal as same_hash
     from message_pairs e join transactions o on o.id = e.outgoing_id join transactions i on i.id = e.incoming_id`,
  );
  return new Map(rows.map((row) => [row.outgoing_id, row]));
}

/** What is wrong with the outcome of a round; nothing if both sides agree on the one decision that won. */
function faultsOf({ results, outgoingId }: Played, stored: Stored | undefined): string[] {
  if (!stored) return ['no exchange'];
  const decisions = results.filter((result) => result.decides);
  const won = decisions.filter((result) => result.status === 200);
  const winner = won[0]?.decides ?? null;
  const deletions = results.filter((result) => result.name.endsWith('deletes'));
  const statuses = new Set([winner ?? 'DELIVERED']);
  const checks: [string, boolean][] = [
    [
      'every call is answered 200, 204, 404 or 409',
      results.every(({ status }) => [200, 204, 404, 409].includes(status)),
    ],
    ['deletions succeed', deletions.every(({ status }) => status === 204)],
    ['at most one decision wins', won.length <= 1],
    [
      'somebody won against whoever lost',
      won.length === 1 || decisions.every(({ status }) => status === 404),
    ],
    [
      'only who deleted its own record hears 404',
      deletions.length > 0 || results.every(({ status }) => status !== 404),
    ],
    ['the exchange has the outcome', stored.outcome === winner],
    [
      'the sender has it',
      statuses.has(stored.out_status) || (stored.out_deleted && stored.out_status === 'DELIVERED'),
    ],
    [
      'the receiver has it',
      statuses.has(stored.in_status) || (stored.in_deleted && stored.in_status === 'DELIVERED'),
    ],
    ['both have the same hash', stored.same_hash || stored.in_deleted],
  ];
  const told = JSON.stringify(results);
  return checks
    .filter(([, isFine]) => !isFine)
    .map(([what]) => `${what}: ${told} ${JSON.stringify(stored)} ${outgoingId}`);
}

/** Rows that break a rule of the log or the webhooks; `select id, ...` of the offenders. */
const RULES: Record<string, string> = {
  'versions have no gaps: each has an event': `
    select t.id from transactions t
    where t.version <> (select count(distinct version) from events e where e.subject_id = t.id)
       or t.version <> (select max(version) from events e where e.subject_id = t.id)`,
  'time never runs backwards in a log': `
    select id from (select subject_id as id, created_at < lag(created_at) over (partition by subject_id order by sequence)
      as is_earlier from events) e where is_earlier`,
  'updatedAt is the time of the last entry that changed what the tenant sees': `
    select t.id from transactions t
    where t.updated_at <> (select created_at from events e where e.subject_id = t.id
                             and (e.type <> 'SCREENED' or t.direction = 'INCOMING')
                           order by sequence desc limit 1)`,
  'at most one decision is logged, and the log ends in the status of the record': `
    select t.id from transactions t
    where (select count(*) from events e where e.subject_id = t.id and e.type = 'STATUS_CHANGED') > 1
       or t.status <> (select new_status from events e where e.subject_id = t.id and new_status is not null
                       order by sequence desc limit 1)`,
  'every webhook belongs to one version': `
    select resource_id as id from webhook_deliveries group by resource_id, resource_version having count(*) > 1`,
  'what comes from the other side, and every change of the status, has its webhook': `
    select e.subject_id as id from events e join transactions t on t.id = e.subject_id
    where (e.actor = 'COUNTERPARTY' or e.type in ('DELIVERED', 'STATUS_CHANGED'))
      -- An arrival is announced with its verdict.
      and not exists (select 1 from webhook_deliveries d where d.resource_id = t.id
        and d.resource_version = case e.type when 'RECEIVED' then 2 else e.version end)`,
  'no webhook is sent for anything else': `
    select d.resource_id as id from webhook_deliveries d join transactions t on t.id = d.resource_id
    where not exists (select 1 from events e where e.subject_id = t.id and e.version = d.resource_version
      and (e.actor = 'COUNTERPARTY' or e.type in ('DELIVERED', 'STATUS_CHANGED')
        -- The screening of a message that arrived without it.
        or e.type = 'SCREENED' and t.direction = 'INCOMING'))`,
  'every webhook has its outbox row': `
    select d.resource_id as id from webhook_deliveries d
    where not exists (select 1 from outbox o where o.subject_id = d.id and o.workflow = 'webhookDelivery')`,
};

test(`${ROUNDS} rounds of both sides deciding, changing and deleting at once: one decision wins and both sides agree`, async () => {
  const played = await playAll();
  const stored = await storedPairs();
  const faults = played.flatMap((round) => faultsOf(round, stored.get(round.outgoingId)));
  expect(faults).toEqual([]);
  for (const [rule, sql] of Object.entries(RULES)) {
    expect({ rule, offenders: (await database.pool.query(sql)).rows }).toEqual({ rule, offenders: [] });
  }
  expect((await verifyEvents(api.db)).faults).toEqual([]);
  // Otherwise the calls did not meet, and nothing was proven.
  const outcomes = new Set([...stored.values()].map((row) => row.outcome));
  expect(outcomes).toEqual(new Set(['CONFIRMED', 'DECLINED', 'CANCELLED', null]));
});

describe('two clients of one tenant decide at once', () => {
  test.each([
    ['CONFIRMED', 'DECLINED', [200, 409]],
    ['CONFIRMED', 'CONFIRMED', [200, 200]],
    ['DECLINED', 'DECLINED', [200, 200]],
  ])('%s and %s: %j, and one decision is logged', async (one, other, expected) => {
    const clients = [receiver, await receiver.as('COMPLIANCE')];
    for (let round = 0; round < 20; round += 1) {
      const { outgoingId, incomingId } = await createMessagePair(api, sender, receiver);
      const turn = round % 2 === 0 ? [one, other] : [other, one];
      const answers = await Promise.all(
        turn.map(
          async (status, index) => await clients[index]?.patch(`/transactions/${incomingId}`, { status }),
        ),
      );
      expect(answers.map((answer) => answer?.status).sort()).toEqual(expected);
      const { rows } = await database.pool.query<{ id: string; made: string; status: string }>(
        `select e.subject_id as id, e.new_status as made, t.status from events e join transactions t on t.id = e.subject_id
         where e.subject_id = any($1::uuid[]) and e.type = 'STATUS_CHANGED'`,
        [[outgoingId, incomingId]],
      );
      expect(rows).toHaveLength(2);
      const winner = turn[answers.findIndex((answer) => answer?.status === 200)];
      if (one !== other)
        expect(rows.map((row) => [row.made, row.status])).toEqual([
          [winner, winner],
          [winner, winner],
        ]);
    }
  });

  test('with different reasons: the reasons of one are kept on both sides, the other hears 409', async () => {
    const { outgoingId, incomingId } = await createMessagePair(api, sender, receiver);
    const reasons = Array.from({ length: 8 }, (_, index) => `reason ${index}`);
    const answers = await Promise.all(
      reasons.map(
        async (statusReasoning) =>
          await receiver.patch(`/transactions/${incomingId}`, { status: 'DECLINED', statusReasoning }),
      ),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([
      200,
      ...Array.from({ length: 7 }, () => 409),
    ]);
    const kept = reasons[answers.findIndex((answer) => answer.status === 200)];
    const sides = [
      await sender.get(`/transactions/${outgoingId}`),
      await receiver.get(`/transactions/${incomingId}`),
    ];
    expect(sides.map((side) => side.body['statusReasoning'])).toEqual([kept, kept]);
  });
});

test('of CONFIRMED and DECLINED at once on a record without counterparty exactly one wins', async () => {
  for (let round = 0; round < 20; round += 1) {
    const { id } = await createTransaction(receiver, { direction: 'INCOMING' });
    const statuses = await Promise.all(
      ['CONFIRMED', 'DECLINED'].map(
        async (status) => (await receiver.patch(`/transactions/${id}`, { status })).status,
      ),
    );
    expect(statuses.sort()).toEqual([200, 409]);
  }
});

describe('a wallet that is registered at the moment of a delivery leaves nothing sealed', () => {
  /** Statements of this database that wait for somebody's lock. */
  async function waiting(): Promise<number> {
    const { rows } = await database.pool.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows.length;
  }

  /** Lets `second` run until it is over or waits, then `finish` the first, and waits for both. */
  async function overlap<T>(
    second: Promise<T>,
    waitingBefore: number,
    finish: () => Promise<unknown>,
  ): Promise<T> {
    let isOver = false;
    const settled = second.finally(() => (isOver = true));
    await eventually(async () => isOver || (await waiting()) > waitingBefore, Boolean);
    await finish();
    return await settled;
  }

  const subStatusOf = async (incomingId: string) =>
    (await receiver.get(`/transactions/${incomingId}`)).body['subStatus'];

  test.each(['*', 'ETH'])('registered for asset %s just before', async (asset) => {
    const address = evmAddress();
    const { id } = await createTransaction(sender, { blockchainInfo: { destination: address } });
    const tx = await api.db.pool.connect();
    await tx.query('begin');
    const wallet = newWallet({ address, asset, blockchain: 'Ethereum' });
    await insertWallet(api.db, tx, { tenantId: receiver.id, wallet, now: new Date() });
    const incomingId = await overlap(
      deliver(api, sender, receiver, id),
      0,
      async () => await tx.query('commit'),
    );
    tx.release();
    expect(await subStatusOf(incomingId)).toBe('ON_HOLD');
  });

  test.each(['*', 'ETH'])('registered for asset %s just after', async (asset) => {
    const address = evmAddress();
    const { id } = await createTransaction(sender, { blockchainInfo: { destination: address } });
    const door = await database.pool.connect();
    await door.query('begin');
    await door.query('lock table message_pairs in share mode');
    // Has written both records and waits for the last row of its transaction.
    const delivered = deliver(api, sender, receiver, id);
    await eventually(waiting, (count) => count === 1);
    const registered = receiver.post('/wallets', { address, asset, blockchain: 'Ethereum' });
    await overlap(registered, 1, async () => await door.query('commit'));
    door.release();
    expect(await subStatusOf(await delivered)).toBe('ON_HOLD');
  });
});
