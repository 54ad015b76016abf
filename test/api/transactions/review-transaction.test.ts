import { confirmSelfHostedTransfer } from '../../../db/lifecycle/confirm-self-hosted.ts';
import { getTransaction } from '../../../db/transactions/find-transaction.ts';
import type { EventView } from '../../../domain/events/schema.ts';
import type { ReviewFile } from '../../../domain/transactions/deciding/screening.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import type { Json } from '../../api-client.ts';
import { stopFourEyes, useFourEyes } from '../../factories/people.ts';
import { WEBHOOK_URL, type Client, type TestTenant } from '../../factories/tenant.ts';
import {
  createMessagePair,
  createTransaction,
  evmAddress,
  evmHash,
  findOnList,
  letPass,
  readTransaction,
  registerWallet,
  screen,
  deliverUnscreened,
} from '../../factories/transaction.ts';
import { outcomesTold } from '../../stored-webhooks.ts';
import { useApi, useTenant } from '../../use-api.ts';

// Below the threshold from which a self-hosted wallet needs a proof.
const price = { usd: '1', eur: '1', source: 'test', pricedAt: new Date() };
const { api } = useApi({ prices: { ETH: price, USDC: price } });
const sender = useTenant(api, { webhookUrl: WEBHOOK_URL });
const receiver = useTenant(api, { webhookUrl: WEBHOOK_URL });

const review = async (by: Pick<Client, 'post'>, id: string, decision: 'PROCEED' | 'BLOCK') =>
  await by.post<Transaction>(`/transactions/${id}/review`, { decision, reason: 'looked at by hand' });
const patch = async (by: Pick<Client, 'patch'>, id: string, body: Json) =>
  await by.patch(`/transactions/${id}`, body);
const eventTypesOf = async (by: Pick<Client, 'get'>, id: string) =>
  (await by.get<EventView[]>(`/transactions/${id}/events`)).body.map(({ type }) => type).toReversed();

/** As the lifecycle leaves a transfer with a self-hosted wallet whose owner has to prove that it is theirs. */
async function unproven(blockchainInfo: Json, direction = 'OUTGOING'): Promise<string> {
  const { id } = await createTransaction(sender, {
    direction,
    blockchainInfo: { blockchain: 'Ethereum', ...blockchainInfo },
  });
  await confirmByRules(id, false);
  expect(await readTransaction(sender, id)).toMatchObject({
    status: 'PENDING',
    subStatus: 'OWNERSHIP_UNCONFIRMED',
    clearance: { outcome: 'WAIT', nextAction: 'PROVE_OWNERSHIP', deadlineAt: null },
  });
  return id;
}

async function confirmByRules(id: string, autoConfirm: boolean): Promise<void> {
  expect((await sender.patch('/tenant/me/settings', { autoConfirmSelfHosted: autoConfirm })).status).toBe(
    200,
  );
  await letPass(api.db, id);
  const record = await getTransaction(api.db, sender.id, id);
  await confirmSelfHostedTransfer(api.db, record, new Date());
}

const payout = async () => await unproven({ destinationType: 'NON_CUSTODIAL' });
const deposit = async () => await unproven({ originType: 'NON_CUSTODIAL', origin: evmAddress() }, 'INCOMING');

describe('a transfer that waits for a proof', () => {
  test.each([
    ['a payout', payout, 'PROCEED', 'CONFIRMED', 'AWAITING_TRANSACTION_HASH'],
    ['a payout', payout, 'BLOCK', 'CANCELLED', 'BLOCKED_BY_REVIEW'],
    ['a deposit', deposit, 'PROCEED', 'CONFIRMED', 'AWAITING_TRANSACTION_HASH'],
    ['a deposit', deposit, 'BLOCK', 'DECLINED', 'BLOCKED_BY_REVIEW'],
  ] as const)('is decided by a review: %s, %#', async (_, make, decision, status, subStatus) => {
    const id = await make();
    api.outbox.length = 0;
    expect(await review(sender, id, decision)).toMatchObject({
      status: 200,
      body: {
        status,
        subStatus,
        statusReasonCode: decision === 'BLOCK' ? 'COMPLIANCE' : null,
        clearance: { outcome: decision === 'BLOCK' ? 'STOP' : 'GO' },
      },
    });
    expect(api.outbox.map(({ workflow }) => workflow)).toContain('transactionLifecycle');
    expect((await eventTypesOf(sender, id)).at(-1)).toBe('REVIEWED');
    expect(await review(sender, id, decision)).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition', allowed: [] },
    });
  });

  test('takes two people with four eyes, and PATCH does not go round that', async () => {
    const [first, second] = await useFourEyes(api, sender, { review: true });
    const id = await deposit();
    expect(await patch(sender, id, { status: 'CONFIRMED' })).toMatchObject({
      status: 409,
      body: { code: 'review_required' },
    });
    expect(await review(first, id, 'PROCEED')).toMatchObject({ status: 200, body: { status: 'PENDING' } });
    expect(await review(first, id, 'PROCEED')).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(await review(second, id, 'PROCEED')).toMatchObject({ status: 200, body: { status: 'CONFIRMED' } });
    await stopFourEyes(api, sender);
  });
});

test('a review of a version that has changed since is refused, and the file says which version was read', async () => {
  const id = await payout();
  const { version } = await readTransaction(sender, id);
  expect((await patch(sender, id, { statusReasoning: 'asked again' })).status).toBe(200);
  const body = { decision: 'PROCEED', reason: 'looked at by hand' };
  const stale = await sender.post(`/transactions/${id}/review`, { ...body, version });
  expect(stale).toMatchObject({ status: 409, body: { code: 'conflict' } });
  const current = await readTransaction(sender, id);
  expect(current).toMatchObject({ status: 'PENDING', version: version + 1 });
  const answer = await sender.post(`/transactions/${id}/review`, { ...body, version: version + 1 });
  expect(answer).toMatchObject({ status: 200, body: { status: 'CONFIRMED' } });
  const file = await sender.get<ReviewFile>(`/transactions/${id}/screening`);
  expect(file.body.reviews).toMatchObject([{ decision: 'PROCEED', version: version + 1 }]);
});

test('with four eyes the second reviewer names the version that the first one has read', async () => {
  const [first, second] = await useFourEyes(api, sender, { review: true });
  const id = await payout();
  const decide = async (by: Pick<Client, 'post'>, version: number) =>
    await by.post<Transaction>(`/transactions/${id}/review`, {
      decision: 'PROCEED',
      reason: 'seen',
      version,
    });
  const { version } = await readTransaction(sender, id);
  expect(await decide(first, version)).toMatchObject({ status: 200, body: { status: 'PENDING', version } });
  // What is changed after the proposal is not agreed to with it.
  expect((await patch(sender, id, { originator: { name: 'Erika Keller' } })).status).toBe(200);
  expect(await decide(second, version)).toMatchObject({ status: 409, body: { code: 'conflict' } });
  await letPass(api.db, id);
  const { version: read } = (await second.get<ReviewFile>(`/transactions/${id}/screening`)).body;
  expect(await decide(second, read)).toMatchObject({ status: 200, body: { status: 'PENDING' } });
  expect(await decide(first, read)).toMatchObject({ status: 200, body: { status: 'CONFIRMED' } });
  const file = await sender.get<ReviewFile>(`/transactions/${id}/screening`);
  expect(file.body.reviews).toMatchObject([
    { isProposal: true, version: read },
    { isProposal: false, version: read },
  ]);
  await stopFourEyes(api, sender);
});

test.each([0, 1.5, '1', 2_147_483_648, null])('a review with version %p is 400', async (version) => {
  const id = await payout();
  const body = { decision: 'PROCEED', reason: 'looked at by hand', version };
  expect((await sender.post(`/transactions/${id}/review`, body)).status).toBe(400);
});

test('a self-hosted transfer without a hash has nextAction ADD_HASH after its confirmation', async () => {
  const { id } = await createTransaction(sender, {
    blockchainInfo: { blockchain: 'Ethereum', destinationType: 'NON_CUSTODIAL' },
  });
  await confirmByRules(id, true);
  expect(await readTransaction(sender, id)).toMatchObject({
    status: 'CONFIRMED',
    subStatus: 'AWAITING_TRANSACTION_HASH',
    clearance: { outcome: 'GO', nextAction: 'ADD_HASH' },
  });
  expect((await patch(sender, id, { transactionHash: evmHash() })).status).toBe(200);
  expect(await readTransaction(sender, id)).toMatchObject({
    subStatus: null,
    clearance: { outcome: 'GO', nextAction: 'NONE' },
  });
});

test.each([
  ['PROCEED', 'CONFIRMED', 'AWAITING_TRANSACTION_HASH'],
  ['BLOCK', 'DECLINED', 'BLOCKED_BY_REVIEW'],
] as const)(
  'an INCOMING record made by its tenant has nextAction REVIEW and accepts %s',
  async (decision, status, subStatus) => {
    const { id, clearance } = await createTransaction(receiver, { direction: 'INCOMING' });
    expect(clearance).toMatchObject({ outcome: 'WAIT', nextAction: 'REVIEW' });
    expect(await review(receiver, id, decision)).toMatchObject({ status: 200, body: { status, subStatus } });
  },
);

describe('a received message that is not screened yet', () => {
  async function arrived(): Promise<{ sentId: string; id: string }> {
    const destination = evmAddress();
    await registerWallet(receiver, destination);
    const sent = await createTransaction(sender, { blockchainInfo: { destination } });
    await letPass(api.db, sent.id);
    const delivery = { tenantId: sender.id, id: sent.id, receiverTenantId: receiver.id, now: new Date() };
    const delivered = await deliverUnscreened(api.db, delivery);
    if (!delivered) throw new Error('it was not delivered');
    return { sentId: sent.id, id: delivered.incoming.id };
  }

  test('409 screening_pending for PATCH CONFIRMED and for PROCEED; 200 after the screening', async () => {
    for (const confirm of [
      async (id: string) => await patch(receiver, id, { status: 'CONFIRMED' }),
      async (id: string) => await review(receiver, id, 'PROCEED'),
    ]) {
      const { id } = await arrived();
      const refused = await confirm(id);
      expect(refused).toMatchObject({ status: 409, body: { code: 'screening_pending' } });
      expect(refused.headers.get('retry-after')).toBe('5');
      await letPass(api.db, id);
      expect((await confirm(id)).status).toBe(200);
      expect((await readTransaction(receiver, id)).status).toBe('CONFIRMED');
    }
  });

  test('can be declined by PATCH and by BLOCK', async () => {
    const first = await arrived();
    expect((await patch(receiver, first.id, { status: 'DECLINED' })).status).toBe(200);
    const second = await arrived();
    expect((await review(receiver, second.id, 'BLOCK')).status).toBe(200);
    for (const { sentId } of [first, second]) {
      expect((await readTransaction(sender, sentId)).status).toBe('DECLINED');
    }
  });

  test('lists in `allowed` only what would be accepted now', async () => {
    const { id } = await arrived();
    const allowedNow = async () => (await patch(receiver, id, { status: 'CANCELLED' })).body;
    expect(await allowedNow()).toMatchObject({ code: 'invalid_transition', allowed: ['DECLINED'] });
    await letPass(api.db, id);
    expect(await allowedNow()).toMatchObject({ allowed: ['CONFIRMED', 'DECLINED'] });
    await findOnList(api.db, id);
    expect(await allowedNow()).toMatchObject({ allowed: [] });
  });
});

describe('a WAIT rule', () => {
  const waitUntil = new Date('2040-01-01T00:00:00.000Z');

  test('sets clearance.deadlineAt to the end of the wait, OUTGOING and INCOMING', async () => {
    const sent = await createTransaction(sender);
    await screen(api.db, sent.id, { rules: { decision: 'WAIT', waitUntil } });
    const { outgoingId, incomingId } = await createMessagePair(api, sender, receiver);
    await patch(sender, outgoingId, { originator: { name: 'Anna Keller-Brandt' } });
    await screen(api.db, incomingId, { rules: { decision: 'WAIT', waitUntil } });
    for (const record of [
      await readTransaction(sender, sent.id),
      await readTransaction(receiver, incomingId),
    ]) {
      expect(record).toMatchObject({
        subStatus: 'WAITING',
        clearance: { outcome: 'WAIT', nextAction: 'NONE', deadlineAt: '2040-01-01T00:00:00.000Z' },
      });
    }
  });
});

describe('a hold ends', () => {
  const holdOf = async (tenant: TestTenant, id: string) =>
    (await tenant.get<ReviewFile>(`/transactions/${id}/screening`)).body.hold;

  test('when the counterparty declines the transaction', async () => {
    const { outgoingId, incomingId } = await createMessagePair(api, sender, receiver);
    await findOnList(api.db, outgoingId);
    expect(await holdOf(sender, outgoingId)).toBe('SANCTIONS');
    expect((await patch(receiver, incomingId, { status: 'DECLINED' })).status).toBe(200);
    expect(await readTransaction(sender, outgoingId)).toMatchObject({
      status: 'DECLINED',
      subStatus: null,
      clearance: { outcome: 'STOP', reasons: ['DECLINED'], nextAction: 'NONE' },
    });
    expect(await holdOf(sender, outgoingId)).toBeNull();
  });

  test('when the counterparty cancels the transaction', async () => {
    const { outgoingId, incomingId } = await createMessagePair(api, sender, receiver);
    await findOnList(api.db, incomingId);
    expect((await patch(sender, outgoingId, { status: 'CANCELLED' })).status).toBe(200);
    expect(await readTransaction(receiver, incomingId)).toMatchObject({
      status: 'CANCELLED',
      subStatus: null,
      clearance: { outcome: 'STOP', reasons: ['CANCELLED'], nextAction: 'NONE' },
    });
    expect(await holdOf(receiver, incomingId)).toBeNull();
  });
});

describe('POST /transactions/{id}/resubmit', () => {
  const resubmit = async (tenant: TestTenant, id: string) =>
    await tenant.post<Transaction>(`/transactions/${id}/resubmit`, {});
  const refused = { status: 409, body: { code: 'invalid_transition' } };

  test('201 for an OUTGOING transaction that a rule cancelled', async () => {
    const sent = await createTransaction(sender);
    await screen(api.db, sent.id, { rules: { decision: 'BLOCK' } });
    expect(await readTransaction(sender, sent.id)).toMatchObject({
      status: 'CANCELLED',
      subStatus: 'BLOCKED_BY_RULE',
    });
    expect(await resubmit(sender, sent.id)).toMatchObject({
      status: 201,
      body: { status: 'PENDING', subStatus: 'ROUTING', resubmissionOf: sent.id },
    });
  });

  test('409 for a transaction that a reviewer blocked, and for an INCOMING one', async () => {
    const confirmed = await createMessagePair(api, sender, receiver);
    await findOnList(api.db, confirmed.outgoingId);
    await patch(receiver, confirmed.incomingId, { status: 'CONFIRMED' });
    await review(sender, confirmed.outgoingId, 'BLOCK');
    const stopped = await payout();
    await review(sender, stopped, 'BLOCK');
    for (const id of [confirmed.outgoingId, stopped])
      expect(await resubmit(sender, id)).toMatchObject(refused);

    const declined = await createMessagePair(api, sender, receiver);
    await patch(sender, declined.outgoingId, { originator: { name: 'Anna Keller-Brandt' } });
    await screen(api.db, declined.incomingId, { rules: { decision: 'BLOCK' } });
    const ended = await createMessagePair(api, sender, receiver);
    await review(receiver, ended.incomingId, 'BLOCK');
    for (const id of [declined.incomingId, ended.incomingId, confirmed.incomingId]) {
      expect(await resubmit(receiver, id)).toMatchObject(refused);
    }
  });
});

test('a tenant’s own decision sends it a webhook with the new outcome; a note sends none', async () => {
  for (const [status, outcome] of [
    ['CONFIRMED', 'GO'],
    ['DECLINED', 'STOP'],
  ]) {
    const { incomingId } = await createMessagePair(api, sender, receiver);
    const before = await outcomesTold(api, receiver, incomingId);
    await patch(receiver, incomingId, { metadata: 'asked twice' });
    expect(await outcomesTold(api, receiver, incomingId)).toEqual(before);
    await patch(receiver, incomingId, { status });
    expect(await outcomesTold(api, receiver, incomingId)).toEqual([...before, outcome]);
    await patch(receiver, incomingId, { status });
    expect(await outcomesTold(api, receiver, incomingId)).toEqual([...before, outcome]);
  }
});
