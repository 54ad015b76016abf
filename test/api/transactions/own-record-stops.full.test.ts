import type { EventView } from '../../../domain/events/schema.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import type { Json } from '../../api-client.ts';
import { deliverJudged } from '../../factories/deliver-judged.ts';
import { configurations, draft, rule } from '../../factories/rules.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTenant, WEBHOOK_URL, type TestTenant } from '../../factories/tenant.ts';
import {
  createTransaction,
  evmAddress,
  evmHash,
  findOnList,
  letPass,
  readTransaction,
  registerWallet,
} from '../../factories/transaction.ts';
import { outcomesTold } from '../../stored-webhooks.ts';
import { useApi } from '../../use-api.ts';

const LISTED = 'Barnabas Ravenscroft';
const BLOCK = { decision: 'BLOCK', reason: 'He is listed.' };
const PROCEED = { decision: 'PROCEED', reason: 'Another person of that name.' };

const { api } = useApi();
let sender: TestTenant;
let receiver: TestTenant;
let place: { blockchain: string; destination: string; transactionHash: string };

beforeAll(async () => {
  await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', LISTED)]);
});
beforeEach(async () => {
  const webhooks = { webhookUrl: WEBHOOK_URL };
  [sender, receiver] = [await createTenant(api, webhooks), await createTenant(api, webhooks)];
  place = { blockchain: 'Ethereum', destination: evmAddress(), transactionHash: evmHash() };
  await registerWallet(receiver, place.destination);
});

const record = async (blockchainInfo: Json = {}, body: Json = {}) =>
  await createTransaction(receiver, {
    direction: 'INCOMING',
    originator: undefined,
    beneficiary: undefined,
    ...body,
    blockchainInfo: { ...place, ...blockchainInfo },
  });
const send = async (name: string) => {
  const parties = { originator: { name }, beneficiary: { name: 'Jonas Brandt' } };
  const { id } = await createTransaction(sender, { ...parties, blockchainInfo: place });
  return { id, incoming: await deliverJudged(api, { id, sender, receiver }) };
};
const receive = async (name: string) => (await send(name)).incoming;
const read = async ({ id }: { id: string }) => await readTransaction(receiver, id);
const review = async ({ id }: { id: string }, body: Json) =>
  await receiver.post(`/transactions/${id}/review`, body);
const patch = async ({ id }: { id: string }, body: Json) => await receiver.patch(`/transactions/${id}`, body);
const confirm = async (own: { id: string }) => await patch(own, { status: 'CONFIRMED' });
/** The clearance once the screening of a confirmed record has found nothing. */
const cleared = async (own: { id: string }) => {
  await letPass(api.db, own.id);
  return (await read(own)).clearance;
};
const declineByRule = async () => {
  const { id } = (await configurations(receiver)).INCOMING;
  const conditions = { field: 'amount', operator: 'GT', value: '0' };
  expect((await draft(receiver, id, [rule({ decision: 'BLOCK', conditions })])).status).toBe(200);
  expect((await receiver.post(`/rule-engine/${id}/publish`, { comment: 'for a test' })).status).toBe(201);
};

describe('while a message of the transfer is held, an own record', () => {
  let message: Transaction;
  beforeEach(async () => {
    message = await receive(LISTED);
    expect(message.clearance.reasons).toContain('SANCTIONS');
  });

  test.each<[string, () => [Json, Json?]]>([
    ['of its sender', () => [{}, { vaspInfo: { originatorVaspName: sender.name } }]],
    ['of nobody', () => [{}]],
    ['of another VASP', () => [{}, { vaspInfo: { originatorVaspName: 'Somebody Else' } }]],
    ['of a self-hosted wallet', () => [{ originType: 'NON_CUSTODIAL', origin: evmAddress() }]],
    ['of no chain', () => [{ blockchain: undefined }]],
  ])('%s is not confirmed', async (_, given) => {
    const own = await record(...given());
    expect(own.clearance).toMatchObject({ outcome: 'WAIT', nextAction: 'NONE' });
    expect(own.clearance.reasons).toContain('RELATED_HELD');
    expect(await confirm(own)).toMatchObject({ status: 409, body: { code: 'review_required' } });
    expect(await review(own, PROCEED)).toMatchObject({ status: 409, body: { code: 'review_required' } });
    expect((await read(own)).clearance.outcome).toBe('WAIT');
  });

  test('that gets the hash later is stopped then', async () => {
    const own = await record({ transactionHash: undefined });
    expect(own.clearance.nextAction).toBe('REVIEW');
    expect((await patch(own, { transactionHash: place.transactionHash })).status).toBe(200);
    expect(await confirm(own)).toMatchObject({ status: 409, body: { code: 'review_required' } });
  });

  test('that was confirmed before it got the hash is GO no longer', async () => {
    const own = await record({ transactionHash: undefined });
    expect((await confirm(own)).status).toBe(200);
    expect((await cleared(own)).outcome).toBe('GO');
    expect((await patch(own, { transactionHash: place.transactionHash })).status).toBe(200);
    expect((await read(own)).clearance).toMatchObject({ outcome: 'WAIT', nextAction: 'NONE' });
  });

  test('that is confirmed in the request that brings the hash is not GO', async () => {
    const own = await record({ transactionHash: undefined });
    await patch(own, { transactionHash: place.transactionHash, status: 'CONFIRMED' });
    expect((await read(own)).clearance.outcome).toBe('WAIT');
  });

  test('may be declined, and is found by its clearance', async () => {
    const own = await record();
    const waiting = await receiver.get<Transaction[]>('/transactions?_clearance=WAIT&_nextAction=NONE');
    expect(waiting.body.map(({ id }) => id)).toEqual([own.id]);
    expect((await patch(own, { status: 'DECLINED' })).status).toBe(200);
  });

  test('is free once a review has let the message pass', async () => {
    const own = await record();
    expect((await review(message, PROCEED)).status).toBe(200);
    expect((await read(own)).clearance.reasons).not.toContain('RELATED_HELD');
    expect((await confirm(own)).status).toBe(200);
    expect((await cleared(own)).outcome).toBe('GO');
  });

  test('stops for good when a review blocks the message', async () => {
    const own = await record();
    expect((await review(message, BLOCK)).status).toBe(200);
    expect((await read(own)).clearance).toMatchObject({ outcome: 'STOP', nextAction: 'NONE' });
    expect(await confirm(own)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    const log = await receiver.get<EventView[]>(`/transactions/${own.id}/events`);
    expect(log.body[0]).toMatchObject({ type: 'RELATED_BLOCKED', data: { transactionId: message.id } });
  });

  test('is not free because the message is deleted', async () => {
    expect((await receiver.delete(`/transactions/${message.id}`)).status).toBe(204);
    const own = await record();
    expect((await confirm(own)).status).toBe(409);
  });
});

describe('an own record', () => {
  test('made after a reviewer has blocked the message is STOP', async () => {
    const message = await receive(LISTED);
    expect((await review(message, BLOCK)).status).toBe(200);
    const own = await record();
    expect(own.clearance).toMatchObject({ outcome: 'STOP', nextAction: 'NONE' });
    expect(own.clearance.reasons).toContain('RELATED_BLOCKED');
    expect(await confirm(own)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(await review(own, PROCEED)).toMatchObject({ status: 409, body: { code: 'conflict' } });
  });

  test('of another VASP is not stopped for good by what a stranger has sent', async () => {
    const stranger = await createTenant(api);
    const ofStranger = { vaspInfo: { originatorVaspName: stranger.name } };
    const [own, unknown] = [
      await record({}, ofStranger),
      await record({}, { vaspInfo: { originatorVaspName: 'Somebody Else' } }),
    ];
    const message = await receive(LISTED);
    for (const each of [own, unknown]) expect((await read(each)).clearance.reasons).toContain('RELATED_HELD');
    expect((await review(message, BLOCK)).status).toBe(200);
    for (const each of [own, unknown]) {
      expect((await read(each)).clearance.reasons).not.toContain('RELATED_BLOCKED');
      expect((await confirm(each)).status).toBe(200);
    }
    expect((await record()).clearance.reasons).toContain('RELATED_BLOCKED');
  });

  test('of another VASP waits for no further message of a stranger once one was blocked', async () => {
    const stranger = await createTenant(api);
    const own = await record({}, { vaspInfo: { originatorVaspName: stranger.name } });
    expect((await confirm(own)).status).toBe(200);
    await cleared(own);
    const [first, second] = [await receive(LISTED), await receive(LISTED)];
    expect((await read(own)).clearance.reasons).toContain('RELATED_HELD');
    expect((await review(first, BLOCK)).status).toBe(200);
    expect((await read(own)).clearance.outcome).toBe('GO');
    const third = await receive(LISTED);
    expect((await read(own)).clearance.outcome).toBe('GO');
    // Of the VASP that a record names, and for one that names nobody, each of them counts.
    expect((await record()).clearance.reasons).toContain('RELATED_BLOCKED');
    for (const { id } of [second, third])
      expect((await read({ id })).clearance.reasons).toContain('SANCTIONS');
  });

  const elsewhere = { vaspInfo: { originatorVaspName: 'Somebody Else' } };
  test.each<[string, Json]>([
    ['nobody', {}],
    ['a VASP nobody knows', elsewhere],
  ])('that names %s waits once for a VASP that withdraws what was held of it', async (_, body) => {
    const own = await record({}, body);
    expect((await confirm(own)).status).toBe(200);
    await cleared(own);
    const outcomes: string[] = [];
    for (let times = 0; times < 3; times += 1) {
      const { id } = await send(LISTED);
      outcomes.push((await read(own)).clearance.outcome);
      expect((await sender.patch(`/transactions/${id}`, { status: 'CANCELLED' })).status).toBe(200);
      outcomes.push((await read(own)).clearance.outcome);
    }
    expect(outcomes).toEqual(['WAIT', 'GO', 'GO', 'GO', 'GO', 'GO']);
    // What a reviewer blocks of it counts as before.
    const { incoming } = await send(LISTED);
    expect((await review(incoming, BLOCK)).status).toBe(200);
    const isNamed = 'vaspInfo' in body;
    expect((await read(own)).clearance.outcome).toBe(isNamed ? 'GO' : 'STOP');
  });

  test('waits once for a message that its sender moves to another hash and back', async () => {
    const own = await record();
    expect((await confirm(own)).status).toBe(200);
    await cleared(own);
    const { id } = await send(LISTED);
    const outcomes = [(await read(own)).clearance.outcome];
    for (const transactionHash of [evmHash(), place.transactionHash, evmHash()]) {
      expect((await sender.patch(`/transactions/${id}`, { transactionHash })).status).toBe(200);
      outcomes.push((await read(own)).clearance.outcome);
    }
    expect(outcomes).toEqual(['WAIT', 'GO', 'GO', 'GO']);
  });

  test.each([
    ['', {}],
    [', whatever that has changed before', { beneficiary: { name: 'Jonas A. Brandt' } }],
  ])(
    'waits again for a message that its own tenant, and not the sender, took away from it%s',
    async (_, change) => {
      const own = await record();
      const { id } = await send(LISTED);
      expect((await sender.patch(`/transactions/${id}`, change)).status).toBe(200);
      expect((await read(own)).clearance.reasons).toContain('RELATED_HELD');
      expect((await patch(own, { transactionHash: evmHash() })).status).toBe(200);
      expect((await read(own)).clearance.reasons).not.toContain('RELATED_HELD');
      expect((await patch(own, { transactionHash: place.transactionHash })).status).toBe(200);
      expect((await read(own)).clearance.reasons).toContain('RELATED_HELD');
    },
  );

  test('waits again for a message that is held again after a review', async () => {
    const own = await record();
    const { incoming } = await send('Anna Keller');
    for (let times = 0; times < 2; times += 1) {
      await findOnList(api.db, incoming.id);
      expect((await read(own)).clearance.reasons).toContain('RELATED_HELD');
      expect((await review(incoming, PROCEED)).status).toBe(200);
      expect((await read(own)).clearance.reasons).not.toContain('RELATED_HELD');
    }
  });

  test('that names the VASP of a blocked message later is stopped then', async () => {
    const own = await record({}, { vaspInfo: { originatorVaspName: 'Somebody Else' } });
    const message = await receive(LISTED);
    expect((await review(message, BLOCK)).status).toBe(200);
    expect((await patch(own, { vaspInfo: { originatorVaspName: sender.name } })).status).toBe(200);
    expect(await confirm(own)).toMatchObject({ status: 409, body: { code: 'conflict' } });
  });

  test('of a self-hosted wallet is held, and not stopped, for what was blocked of a VASP', async () => {
    const own = await record({ originType: 'NON_CUSTODIAL', origin: evmAddress() });
    expect((await review(await receive(LISTED), BLOCK)).status).toBe(200);
    const held = await read(own);
    expect(held.clearance).toMatchObject({ outcome: 'WAIT', nextAction: 'REVIEW' });
    expect(held.clearance.reasons).toContain('COUNTERPARTY');
    await letPass(api.db, own.id);
    expect((await review(own, PROCEED)).status).toBe(200);
    // Another one of its own that is blocked stops it: that is the tenant's own word.
    const other = await record();
    expect((await review(other, BLOCK)).status).toBe(200);
    expect((await read(own)).clearance.outcome).toBe('STOP');
  });

  test('that is stopped and names another VASP afterwards is held, not free', async () => {
    const message = await receive(LISTED);
    expect((await review(message, BLOCK)).status).toBe(200);
    const own = await record();
    expect(own.clearance.outcome).toBe('STOP');
    expect((await patch(own, { vaspInfo: { originatorVaspName: 'Somebody Else' } })).status).toBe(200);
    const renamed = await read(own);
    expect(renamed.clearance).toMatchObject({ outcome: 'WAIT', nextAction: 'REVIEW' });
    expect(renamed.clearance.reasons).toContain('COUNTERPARTY');
    const log = await receiver.get<EventView[]>(`/transactions/${own.id}/events`);
    expect(log.body.find(({ type }) => type === 'HELD')?.data).toMatchObject({ transactionId: message.id });
    await letPass(api.db, own.id);
    expect((await review(own, PROCEED)).status).toBe(200);
    expect((await read(own)).status).toBe('CONFIRMED');
  });

  test('made after a rule has declined the message is STOP', async () => {
    await declineByRule();
    const message = await receive('Anna Keller');
    expect(message.clearance.reasons).toContain('BLOCKED_BY_RULE');
    const own = await record({}, { vaspInfo: { originatorVaspName: sender.name } });
    expect(own.clearance.outcome).toBe('STOP');
    expect((await confirm(own)).status).toBe(409);
  });

  test.each([
    ['nobody', {}],
    ['another VASP', { vaspInfo: { originatorVaspName: 'Somebody Else' } }],
  ])('of %s that was confirmed before the message came waits once that is held', async (_, body) => {
    const own = await record({}, body);
    expect((await confirm(own)).status).toBe(200);
    expect((await cleared(own)).outcome).toBe('GO');
    const message = await receive(LISTED);
    expect((await read(own)).clearance).toMatchObject({ outcome: 'WAIT', nextAction: 'NONE' });
    expect((await outcomesTold(api, receiver, own.id)).at(-1)).toBe('WAIT');
    expect((await review(message, PROCEED)).status).toBe(200);
    expect((await read(own)).clearance.outcome).toBe('GO');
  });

  test('stays as it is beside a message that nothing speaks against', async () => {
    const message = await receive('Anna Keller');
    const own = await record();
    expect(own.clearance.reasons).not.toContain('RELATED_HELD');
    expect((await patch(message, { status: 'DECLINED' })).status).toBe(200);
    expect((await confirm(own)).status).toBe(200);
    expect((await cleared(own)).outcome).toBe('GO');
  });

  test('of another transfer is not stopped', async () => {
    await receive(LISTED);
    const own = await record({ transactionHash: evmHash() });
    expect((await confirm(own)).status).toBe(200);
    expect((await cleared(own)).outcome).toBe('GO');
  });

  test('is stopped by another own record that is blocked', async () => {
    const first = await record();
    expect((await review(first, BLOCK)).status).toBe(200);
    expect((await record()).clearance.outcome).toBe('STOP');
  });
});
