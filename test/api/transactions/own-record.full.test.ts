import { verifyEvents } from '../../../db/events/verify-events.ts';
import type { EventView } from '../../../domain/events/schema.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import type { Json } from '../../api-client.ts';
import { deliverJudged } from '../../factories/deliver-judged.ts';
import { activateList, listEntry, untilLoaded } from '../../factories/sanctions.ts';
import { createTenant, WEBHOOK_URL, type TestTenant } from '../../factories/tenant.ts';
import {
  createTransaction,
  deliver,
  deliverUnscreened,
  evmAddress,
  evmHash,
  letPass,
  readTransaction,
  registerWallet,
} from '../../factories/transaction.ts';
import { eventually } from '../../eventually.ts';
import { storedWebhooks } from '../../stored-webhooks.ts';
import { useApi } from '../../use-api.ts';

const LISTED_NAME = 'Barnabas Ravenscroft';

const { api, database } = useApi();
let sender: TestTenant;
let receiver: TestTenant;
let place: { blockchain: string; destination: string; transactionHash: string };

beforeAll(async () => {
  await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', LISTED_NAME)]);
  await untilLoaded(api.screener, 'OFAC_SDN');
});
beforeEach(async () => {
  const webhooks = { webhookUrl: WEBHOOK_URL };
  [sender, receiver] = [await createTenant(api, webhooks), await createTenant(api, webhooks)];
  place = { blockchain: 'Ethereum', destination: evmAddress(), transactionHash: evmHash() };
});

const from = (tenant: TestTenant) => ({ vaspInfo: { originatorVaspName: tenant.name } });
const record = async (body: Json = {}) =>
  await createTransaction(receiver, { direction: 'INCOMING', ...body, blockchainInfo: place });
const send = async (body: Json = {}) =>
  await createTransaction(sender, {
    originator: { name: 'Anna Keller' },
    beneficiary: { name: 'Jonas Brandt' },
    ...body,
    blockchainInfo: place,
  });
const read = async (tenant: TestTenant, { id }: { id: string }) => await readTransaction(tenant, id);
const set = async (tenant: TestTenant, { id }: { id: string }, body: Json) =>
  expect((await tenant.patch(`/transactions/${id}`, body)).status).toBe(200);
const typesOf = async (tenant: TestTenant, { id }: { id: string }) =>
  (await tenant.get<EventView[]>(`/transactions/${id}/events`)).body.map(({ type }) => type).toReversed();

const deliveryOf = ({ id }: Transaction) => ({
  tenantId: sender.id,
  id,
  receiverTenantId: receiver.id,
  now: new Date(),
});

const arrive = async ({ id }: { id: string }) => await deliverJudged(api, { id, sender, receiver });

/** Delivers without a verdict; it is screened afterwards. */
const deliverLater = async (sent: Transaction) =>
  await readTransaction(receiver, await deliver(api, sender, receiver, sent.id));

describe('a message of the VASP that the own record names', () => {
  test('completes it, and stands beside it with its differences', async () => {
    const own = await record({ ...from(sender), amount: '1.4', beneficiary: { name: 'Jonas Brandt' } });
    const sent = await send({ originator: { name: 'Anna Keller', country: 'CH' } });
    expect(await arrive(sent)).toMatchObject({
      id: own.id,
      status: 'DELIVERED',
      amountDecimal: '1.4',
      originator: { name: 'Anna Keller', country: 'CH' },
      received: { amountDecimal: '1.5', differences: ['/amount'], takenBackAt: null },
      relatedTransactionId: null,
    });
    expect(await read(sender, sent)).toMatchObject({ status: 'DELIVERED', received: null });
    const { rows } = await database.pool.query<{ row: string }>(
      'select encode(personal, $2) as row from transactions where id = $1',
      [own.id, 'escape'],
    );
    expect(rows[0]?.row).not.toContain('Anna');
  });

  test.each(['upper case', 'an alias'])('whose name is written in %s', async (how) => {
    const alias = `Alias ${sender.id}`;
    if (how === 'an alias') {
      await database.pool.query(
        `insert into entity_names (entity_id, kind, folded) select entity_id, 'ALIAS', lower($2) from tenants where id = $1`,
        [sender.id, alias],
      );
    }
    const name = how === 'an alias' ? alias : sender.name.toUpperCase();
    const own = await record({ vaspInfo: { originatorVaspName: name } });
    expect((await arrive(await send())).id).toBe(own.id);
  });

  test('a second message for the same record gets a record of its own', async () => {
    const own = await record(from(sender));
    const first = await send();
    const second = await send();
    expect((await arrive(first)).id).toBe(own.id);
    expect((await arrive(second)).id).not.toBe(own.id);
    await set(receiver, own, { status: 'DECLINED' });
    expect([(await read(sender, first)).status, (await read(sender, second)).status]).toEqual([
      'DECLINED',
      'DELIVERED',
    ]);
  });

  test('that another tenant pretends to be completes nothing, and is not even related', async () => {
    const other = await createTenant(api);
    const own = await record(from(other));
    const arrived = await arrive(await send());
    expect(arrived.id).not.toBe(own.id);
    expect(arrived.relatedTransactionId).toBeNull();
    expect(await read(receiver, own)).toEqual(own);
  });

  test('without a registered destination the own record is not sealed, and nothing is detected', async () => {
    const own = await record(from(sender));
    expect(await arrive(await send())).toMatchObject({ id: own.id, originator: { name: 'Anna Keller' } });
    expect((await receiver.get<Json[]>('/wallets')).body).toEqual([]);
  });

  test('completes records of one hash by the equal amount, whatever case the ticker has', async () => {
    const [, exact] = [
      await record({ ...from(sender), amount: '2' }),
      await record({ ...from(sender), asset: 'eth' }),
    ];
    expect((await arrive(await send())).id).toBe(exact.id);
  });

  test('another asset in the same chain transaction is another transfer', async () => {
    const own = await record({ ...from(sender), asset: 'USDC' });
    expect((await arrive(await send())).id).not.toBe(own.id);
  });
});

describe('an own record that was confirmed before', () => {
  const confirmed = async (body: Json = {}) => {
    const own = await record({ ...from(sender), ...body });
    await set(receiver, own, { status: 'CONFIRMED', statusReasoning: 'checked by hand' });
    return own;
  };

  test('answers as the message arrives, without the text', async () => {
    const own = await confirmed();
    const sent = await send();
    expect(await arrive(sent)).toMatchObject({
      id: own.id,
      status: 'CONFIRMED',
      clearance: { outcome: 'GO' },
    });
    const answered = await read(sender, sent);
    expect(answered).toMatchObject({
      status: 'CONFIRMED',
      statusReasoning: null,
      clearance: { outcome: 'GO' },
    });
    const told = await storedWebhooks(api, sender, sent.id);
    expect(told.map(({ status }) => status)).toEqual(['CONFIRMED']);
  });

  test('answers once its screening has been made up for', async () => {
    await confirmed();
    const sent = await send();
    await letPass(api.db, sent.id);
    const delivered = await deliverUnscreened(api.db, deliveryOf(sent));
    const incoming = delivered?.incoming.id ?? '';
    expect((await readTransaction(receiver, incoming)).clearance.outcome).toBe('WAIT');
    expect((await read(sender, sent)).status).toBe('DELIVERED');
    await letPass(api.db, incoming);
    expect((await read(sender, sent)).status).toBe('CONFIRMED');
  });

  test.each([
    ['PROCEED', 'CONFIRMED', 'GO'],
    ['BLOCK', 'DECLINED', 'STOP'],
  ])(
    'held by a name in the message it waits for a review; %s answers %s',
    async (decision, status, outcome) => {
      const own = await confirmed({ originator: { name: 'Anna Keller' } });
      const sent = await send({ originator: { name: LISTED_NAME } });
      expect(await arrive(sent)).toMatchObject({
        id: own.id,
        status: 'CONFIRMED',
        subStatus: 'ON_HOLD',
        originator: { name: 'Anna Keller' },
        received: { originator: { name: LISTED_NAME }, differences: ['/originator/name'] },
      });
      expect((await read(sender, sent)).status).toBe('DELIVERED');
      const review = await receiver.post(`/transactions/${own.id}/review`, { decision, reason: 'r' });
      expect(review).toMatchObject({ status: 200, body: { status: 'CONFIRMED', clearance: { outcome } } });
      expect(await read(sender, sent)).toMatchObject({ status, clearance: { outcome } });
      expect((await receiver.post(`/transactions/${own.id}/review`, { decision, reason: 'r' })).status).toBe(
        409,
      );
    },
  );

  test('DECLINED answers at once with its code', async () => {
    const own = await record(from(sender));
    await set(receiver, own, {
      status: 'DECLINED',
      statusReasonCode: 'UNKNOWN_ADDRESS',
      statusReasoning: 'secret',
    });
    const sent = await send();
    await arrive(sent);
    expect(await read(sender, sent)).toMatchObject({
      status: 'DECLINED',
      statusReasonCode: 'UNKNOWN_ADDRESS',
      statusReasoning: null,
    });
  });
});

describe('CANCELLED by the sender', () => {
  test('takes the message back, and another one completes the record', async () => {
    const own = await record(from(sender));
    const first = await send();
    await arrive(first);
    await set(sender, first, { status: 'CANCELLED' });
    expect(await read(receiver, own)).toMatchObject({
      status: 'PENDING',
      originator: null,
      travelRuleMessageSource: 'MANUAL',
      received: { originator: { name: 'Anna Keller' }, takenBackAt: expect.any(String) as unknown },
    });
    expect((await typesOf(receiver, own)).at(-1)).toBe('TAKEN_BACK');
    const second = await send();
    expect(await arrive(second)).toMatchObject({ id: own.id, received: { takenBackAt: null } });
    await set(receiver, own, { status: 'CONFIRMED' });
    expect((await read(sender, second)).status).toBe('CONFIRMED');
    expect((await read(sender, first)).status).toBe('CANCELLED');
    // What the sender of the first message still does to its record has no longer to do with this one.
    await set(sender, first, { transactionHash: evmHash() });
    expect((await sender.delete(`/transactions/${first.id}`)).status).toBe(204);
    expect((await typesOf(receiver, own)).at(-1)).toBe('STATUS_CHANGED');
  });

  test('leaves a sanctions hold', async () => {
    const own = await record(from(sender));
    const sent = await send({ originator: { name: LISTED_NAME } });
    await arrive(sent);
    await set(sender, sent, { status: 'CANCELLED' });
    const kept = await read(receiver, own);
    expect(kept).toMatchObject({ status: 'PENDING', subStatus: 'ON_HOLD' });
    expect(kept.clearance.reasons).toContain('SANCTIONS');
  });

  test('a deletion takes nothing back', async () => {
    const own = await record(from(sender));
    const sent = await send();
    await arrive(sent);
    expect((await sender.delete(`/transactions/${sent.id}`)).status).toBe(204);
    expect(await read(receiver, own)).toMatchObject({
      status: 'DELIVERED',
      originator: { name: 'Anna Keller' },
    });
    await set(receiver, own, { status: 'CONFIRMED' });
  });
});

describe('an own record that names no sender', () => {
  const related = async (isRegistered = true) => {
    if (isRegistered) await registerWallet(receiver, place.destination);
    const own = await record();
    const sent = await send();
    const message = await arrive(sent);
    return { own, sent, message };
  };

  test('is only related, on both records', async () => {
    const { own, message } = await related();
    expect(message).toMatchObject({ relatedTransactionId: own.id, received: null });
    expect(await read(receiver, own)).toMatchObject({
      status: 'PENDING',
      originator: null,
      received: null,
      relatedTransactionId: message.id,
    });
    expect(await typesOf(receiver, own)).toContain('RELATED');
    expect(await typesOf(receiver, message)).toContain('RELATED');
  });

  test('is filled when its tenant names the sender, and takes the decision on the message', async () => {
    const { own, sent, message } = await related();
    await set(receiver, own, { vaspInfo: { originatorVaspName: sender.name } });
    expect(await read(receiver, own)).toMatchObject({
      status: 'PENDING',
      originator: { name: 'Anna Keller' },
      received: { originator: { name: 'Anna Keller' } },
    });
    await set(receiver, message, { status: 'CONFIRMED' });
    const statuses = [await read(receiver, own), await read(receiver, message), await read(sender, sent)];
    expect(statuses.map(({ status }) => status)).toEqual(['CONFIRMED', 'CONFIRMED', 'CONFIRMED']);
  });

  test('shows nothing of a message whose data is hidden', async () => {
    const { own } = await related(false);
    await set(receiver, own, { vaspInfo: { originatorVaspName: sender.name } });
    expect(await read(receiver, own)).toMatchObject({ originator: null, received: null });
  });

  test('is no longer related when its tenant names somebody else', async () => {
    const { own, message } = await related();
    await set(receiver, own, { vaspInfo: { originatorVaspName: 'Somebody Else' } });
    expect(await read(receiver, own)).toMatchObject({ relatedTransactionId: null });
    expect(await read(receiver, message)).toMatchObject({ relatedTransactionId: null });
    await set(receiver, message, { status: 'DECLINED' });
    expect((await read(receiver, own)).status).toBe('PENDING');
  });

  test('is written into once by each VASP that sends, until its tenant changes a record', async () => {
    const { own, sent, message } = await related();
    await set(sender, sent, { transactionHash: evmHash() });
    const parted = await receiver.get<Transaction>(`/transactions/${own.id}`);
    expect(parted.body).toMatchObject({ relatedTransactionId: null });
    await set(sender, sent, { transactionHash: place.transactionHash });
    await set(sender, sent, { transactionHash: evmHash() });
    const another = await arrive(await send());
    expect(another).toMatchObject({ status: 'DELIVERED', relatedTransactionId: null });
    expect((await receiver.get<Transaction>(`/transactions/${own.id}`)).body).toEqual(parted.body);
    await set(sender, sent, { transactionHash: place.transactionHash });
    await set(receiver, message, { transactionHash: place.transactionHash });
    expect(await read(receiver, own)).toMatchObject({ relatedTransactionId: message.id });
  });

  test('is related with the message of another VASP all the same', async () => {
    const { own, sent } = await related();
    await set(sender, sent, { transactionHash: evmHash() });
    sender = await createTenant(api);
    const other = await arrive(await send());
    expect(other).toMatchObject({ relatedTransactionId: own.id });
    expect(await read(receiver, own)).toMatchObject({ relatedTransactionId: other.id });
  });

  test('that was confirmed before tells a stranger nothing', async () => {
    const own = await record();
    await set(receiver, own, { status: 'CONFIRMED' });
    const sent = await send();
    expect((await arrive(sent)).id).not.toBe(own.id);
    expect((await read(sender, sent)).status).toBe('DELIVERED');
  });
});

describe('a hash that comes later', () => {
  const unhashed = () => {
    const { transactionHash: _hash, ...rest } = place;
    return { blockchainInfo: rest };
  };
  const sendFirst = async () => {
    await registerWallet(receiver, place.destination);
    const sent = await createTransaction(sender, { originator: { name: 'Anna Keller' }, ...unhashed() });
    return { sent, message: await deliverLater(sent) };
  };

  test.each(['the sender', 'the receiver'])(
    'by %s relates the two records and merges nothing',
    async (who) => {
      const own = await record(from(sender));
      const { sent, message } = await sendFirst();
      const hash = { transactionHash: place.transactionHash };
      await (who === 'the sender' ? set(sender, sent, hash) : set(receiver, message, hash));
      expect(await read(receiver, own)).toMatchObject({
        status: 'PENDING',
        originator: null,
        received: null,
        relatedTransactionId: message.id,
      });
      expect(await read(receiver, message)).toMatchObject({
        status: 'DELIVERED',
        relatedTransactionId: own.id,
        received: null,
      });
      await set(receiver, message, { status: 'DECLINED', statusReasoning: 'no such customer' });
      expect(await read(receiver, own)).toMatchObject({
        status: 'DECLINED',
        statusReasoning: 'no such customer',
      });
    },
  );

  test('in the own record relates it, and a decision that was made before is not taken', async () => {
    const { sent, message } = await sendFirst();
    await set(sender, sent, { transactionHash: place.transactionHash });
    await set(receiver, message, { status: 'CONFIRMED' });
    const own = await createTransaction(receiver, { direction: 'INCOMING', ...from(sender), ...unhashed() });
    await set(receiver, own, { transactionHash: place.transactionHash });
    expect(await read(receiver, own)).toMatchObject({ status: 'PENDING', relatedTransactionId: message.id });
    const events = (await typesOf(receiver, own)).length;
    await set(receiver, own, { transactionHash: place.transactionHash });
    expect((await typesOf(receiver, own)).length).toBe(events);
  });

  test('decides nothing again that the tenant has decided', async () => {
    const own = await record(from(sender));
    await set(receiver, own, { status: 'CONFIRMED' });
    const { sent, message } = await sendFirst();
    await set(sender, sent, { transactionHash: place.transactionHash });
    await set(receiver, message, { status: 'DECLINED' });
    expect((await read(receiver, own)).status).toBe('CONFIRMED');
  });
});

describe('a POST for a transfer that was already received', () => {
  const WARNING = { code: 'DUPLICATE_TRANSFER', pointer: '/blockchainInfo/transactionHash' };

  test('is 201 with a warning, and related', async () => {
    const message = await arrive(await send());
    const headers = { 'idempotency-key': `key-${message.id}` };
    const body = {
      asset: 'ETH',
      amount: '1.5',
      direction: 'INCOMING',
      blockchainInfo: { ...place, destinationType: 'CUSTODIAL' },
    };
    const made = await receiver.post<Transaction>('/transactions', body, { headers });
    expect(made).toMatchObject({
      status: 201,
      body: { warnings: [WARNING], relatedTransactionId: message.id },
    });
    expect(await receiver.post<Transaction>('/transactions', body, { headers })).toMatchObject({
      body: made.body,
    });
    expect(await read(receiver, made.body)).toMatchObject({ warnings: [], relatedTransactionId: message.id });
    expect(await read(receiver, message)).toMatchObject({ relatedTransactionId: made.body.id, warnings: [] });
  });

  test('that loses its database connection while both records are related stores neither half', async () => {
    const message = await arrive(await send());
    const headers = { 'idempotency-key': `key-${message.id}` };
    const body = {
      asset: 'ETH',
      amount: '1.5',
      direction: 'INCOMING',
      blockchainInfo: { ...place, destinationType: 'CUSTODIAL' },
    };
    const blocker = await database.pool.connect();
    try {
      await blocker.query('begin; lock table webhook_deliveries in share mode');
      const cut = receiver.post('/transactions', body, { headers });
      const terminateWaiting = `select pg_terminate_backend(pid) from pg_locks
        where relation = 'webhook_deliveries'::regclass and not granted
          and database = (select oid from pg_database where datname = current_database())`;
      const terminated = await eventually(
        async () => (await blocker.query(terminateWaiting)).rowCount ?? 0,
        (count) => count > 0,
      );
      expect([terminated, (await cut).status]).toEqual([1, 503]);
    } finally {
      await blocker.query('rollback');
      blocker.release();
    }
    expect((await receiver.get<Transaction[]>('/transactions')).body.map(({ id }) => id)).toEqual([
      message.id,
    ]);

    const made = await receiver.post<Transaction>('/transactions', body, { headers });
    expect(made).toMatchObject({ status: 201, body: { relatedTransactionId: message.id } });
    expect(await read(receiver, message)).toMatchObject({ relatedTransactionId: made.body.id });
  });

  test('for a completed own record it warns as well; for another hash, VASP or tenant it does not', async () => {
    await record(from(sender));
    await arrive(await send());
    expect((await record(from(sender))).warnings).toMatchObject([WARNING]);
    expect((await record({ vaspInfo: { originatorVaspName: 'Somebody Else' } })).warnings).toEqual([]);
    const elsewhere = { ...place, transactionHash: evmHash() };
    const other = await createTransaction(receiver, { direction: 'INCOMING', blockchainInfo: elsewhere });
    expect(other.warnings).toEqual([]);
    const stranger = await createTenant(api);
    const theirs = await createTransaction(stranger, { direction: 'INCOMING', blockchainInfo: place });
    expect(theirs).toMatchObject({ warnings: [], relatedTransactionId: null });
  });
});

describe('at the same moment', () => {
  const ROUNDS = 20;
  const faults = async (own: Transaction, sent: Transaction): Promise<string | null> => {
    const [mine, theirs] = [await read(receiver, own), await read(sender, sent)];
    const { rows } = await database.pool.query<{ count: number }>(
      'select count(*)::int as count from message_pairs where outgoing_id = $1',
      [sent.id],
    );
    const isCompleted = mine.travelRuleMessageSource === 'NATIVE';
    const agree = !isCompleted || mine.status === theirs.status;
    return agree && rows[0]?.count === 1 ? null : `${mine.status} ${theirs.status} ${rows[0]?.count}`;
  };

  test.each<[string, Json]>([
    ['confirms it', { status: 'CONFIRMED' }],
    ['declines it', { status: 'DECLINED' }],
    ['changes its hash', { transactionHash: evmHash() }],
    ['names the sender', { vaspInfo: { originatorVaspName: 'Somebody Else' } }],
  ])('a message arrives and the tenant %s', async (_, body) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      place = { ...place, destination: evmAddress(), transactionHash: evmHash() };
      const own = await record(from(sender));
      const sent = await send();
      const [, patched] = await Promise.all([arrive(sent), receiver.patch(`/transactions/${own.id}`, body)]);
      expect([200, 409]).toContain(patched.status);
      expect(await faults(own, sent)).toBeNull();
    }
  });

  test('the sender withdraws and the receiver decides: one of them wins', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      place = { ...place, destination: evmAddress(), transactionHash: evmHash() };
      const own = await record(from(sender));
      const sent = await send();
      await arrive(sent);
      const [withdrawn, decided] = await Promise.all([
        sender.patch(`/transactions/${sent.id}`, { status: 'CANCELLED' }),
        receiver.patch(`/transactions/${own.id}`, { status: 'CONFIRMED' }),
      ]);
      const [mine, theirs] = [await read(receiver, own), await read(sender, sent)];
      // A record that was given back may be decided by its tenant, whatever became of the message.
      if (withdrawn.status === 200) expect(theirs.status).toBe('CANCELLED');
      else expect([decided.status, mine.status, theirs.status]).toEqual([200, 'CONFIRMED', 'CONFIRMED']);
    }
  });

  test('a record is made and the message for it arrives: they find each other', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      place = { ...place, destination: evmAddress(), transactionHash: evmHash() };
      const sent = await send();
      const [arrived, own] = await Promise.all([arrive(sent), record(from(sender))]);
      const isRelated = (await read(receiver, own)).relatedTransactionId === arrived.id;
      expect(arrived.id === own.id || isRelated).toBe(true);
    }
  });

  test('a message is delivered and its sender adds the hash: it completes the record or is related with it', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      place = { ...place, destination: evmAddress(), transactionHash: evmHash() };
      const { transactionHash, ...blockchainInfo } = place;
      await registerWallet(receiver, place.destination);
      const own = await record(from(sender));
      const sent = await createTransaction(sender, { blockchainInfo });
      // Its screening is over: only delivery and patch meet.
      await letPass(api.db, sent.id);
      const [delivered, patched] = await Promise.all([
        deliverUnscreened(api.db, deliveryOf(sent)),
        sender.patch(`/transactions/${sent.id}`, { transactionHash }),
      ]);
      expect(patched.status).toBe(200);
      const arrivedId = delivered?.incoming.id;
      const isRelated = (await read(receiver, own)).relatedTransactionId === arrivedId;
      expect(arrivedId === own.id || isRelated).toBe(true);
    }
  });

  test('both sides add the hash, and the message is decided', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      place = { ...place, destination: evmAddress(), transactionHash: evmHash() };
      const { transactionHash, ...blockchainInfo } = place;
      await registerWallet(receiver, place.destination);
      const sent = await createTransaction(sender, { blockchainInfo });
      const message = await deliverLater(sent);
      const own = await createTransaction(receiver, {
        direction: 'INCOMING',
        ...from(sender),
        blockchainInfo,
      });
      const answers = await Promise.all([
        sender.patch(`/transactions/${sent.id}`, { transactionHash }),
        receiver.patch(`/transactions/${own.id}`, { transactionHash }),
        receiver.patch(`/transactions/${message.id}`, { status: 'CONFIRMED' }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      // Only a decision that was made once both were related counts for both.
      const { status, relatedTransactionId } = await read(receiver, own);
      expect(relatedTransactionId).toBe(message.id);
      const events = await typesOf(receiver, message);
      const wasRelatedFirst = events.indexOf('RELATED') < events.lastIndexOf('STATUS_CHANGED');
      expect(status).toBe(wasRelatedFirst ? 'CONFIRMED' : 'PENDING');
    }
  });
});

test('after all of this the event log of every record verifies', async () => {
  expect((await verifyEvents(api.db)).faults).toEqual([]);
});
