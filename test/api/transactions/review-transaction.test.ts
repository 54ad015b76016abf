import { confirmSelfHostedTransfer } from '../../../db/lifecycle/confirm-self-hosted.ts';
import { deliverNative } from '../../../db/lifecycle/deliver-native.ts';
import { getTransaction } from '../../../db/transactions/find-transaction.ts';
import type { EventView } from '../../../domain/events/schema.ts';
import type { ReviewFile } from '../../../domain/transactions/deciding/screening.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import type { Json } from '../../api-client.ts';
import { WEBHOOK_URL, type Client, type TestTenant } from '../../factories/tenant.ts';
import {
  createExchange,
  createTransaction,
  evmAddress,
  evmHash,
  findOnList,
  letPass,
  readTransaction,
  registerWallet,
  screen,
} from '../../factories/transaction.ts';
import { storedWebhooks } from '../../stored-webhooks.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api } = useApi();
const sender = useTenant(api, { webhookUrl: WEBHOOK_URL });
const receiver = useTenant(api, { webhookUrl: WEBHOOK_URL });

const NEUTRAL = 'The beneficiary VASP does not accept this transfer.';

const review = async (by: Pick<Client, 'post'>, id: string, decision: 'PROCEED' | 'BLOCK') =>
  await by.post<Transaction>(`/transactions/${id}/review`, { decision, reason: 'looked at by hand' });
const patch = async (by: Pick<Client, 'patch'>, id: string, body: Json) =>
  await by.patch(`/transactions/${id}`, body);
const eventTypesOf = async (by: Pick<Client, 'get'>, id: string) =>
  (await by.get<EventView[]>(`/transactions/${id}/events`)).body.map(({ type }) => type).toReversed();

/** The outcomes that the webhooks of a transaction have told so far. */
const outcomesTold = async (tenant: TestTenant, id: string) =>
  (await storedWebhooks(api, tenant, id)).map(({ clearance }) => clearance.outcome);

/** Adds a hash, replaces it and removes it; the block on `id` stands after each, and no webhook says anything else. */
async function expectStopThroughHashes(
  tenant: TestTenant,
  id: string,
  setHash: (transactionHash: string | null) => Promise<{ status: number }>,
): Promise<void> {
  const told = (await storedWebhooks(api, tenant, id)).length;
  for (const transactionHash of [evmHash(), evmHash(), null]) {
    expect((await setHash(transactionHash)).status).toBe(200);
    expect(await readTransaction(tenant, id)).toMatchObject({
      status: 'CONFIRMED',
      subStatus: 'BLOCKED_BY_REVIEW',
      statusReasonCode: 'COMPLIANCE',
      blockchainInfo: { transactionHash },
      clearance: {
        outcome: 'STOP',
        reasons: ['CONFIRMED', 'BLOCKED_BY_REVIEW', 'SANCTIONS'],
        nextAction: 'NONE',
      },
    });
  }
  expect(new Set((await outcomesTold(tenant, id)).slice(told))).not.toContain('GO');
  expect(new Set((await outcomesTold(tenant, id)).slice(told))).not.toContain('WAIT');
}

describe('a reviewer’s BLOCK of what is confirmed already stands whatever hash comes', () => {
  test('on the side that sent the message', async () => {
    const { outgoingId, incomingId } = await createExchange(api, sender, receiver);
    await findOnList(api.db, outgoingId);
    expect((await patch(receiver, incomingId, { status: 'CONFIRMED' })).status).toBe(200);
    expect(await readTransaction(sender, outgoingId)).toMatchObject({
      status: 'CONFIRMED',
      subStatus: 'ON_HOLD',
      clearance: { outcome: 'WAIT', nextAction: 'REVIEW' },
    });
    expect(await review(sender, outgoingId, 'BLOCK')).toMatchObject({
      status: 200,
      body: { status: 'CONFIRMED', subStatus: 'BLOCKED_BY_REVIEW', clearance: { outcome: 'STOP' } },
    });
    expect((await outcomesTold(sender, outgoingId)).at(-1)).toBe('STOP');
    await expectStopThroughHashes(sender, outgoingId, async (transactionHash) =>
      patch(sender, outgoingId, { transactionHash }),
    );
    const listed = await sender.get<Transaction[]>('/transactions?_subStatus=BLOCKED_BY_REVIEW');
    expect(listed.body.map(({ id }) => id)).toEqual([outgoingId]);
  });

  test('on the side that received it, when the other side sends the hash', async () => {
    const place = { destination: evmAddress(), blockchain: 'Ethereum', transactionHash: evmHash() };
    // What a tenant recorded itself it may confirm at once; the message and its screening come later.
    const own = await createTransaction(receiver, { direction: 'INCOMING', blockchainInfo: place });
    expect((await patch(receiver, own.id, { status: 'CONFIRMED' })).status).toBe(200);
    const sent = await createTransaction(sender, { blockchainInfo: place });
    await letPass(api.db, sent.id);
    await deliverNative(api.db, {
      tenantId: sender.id,
      id: sent.id,
      receiverTenantId: receiver.id,
      now: new Date(),
    });
    await screen(api.db, own.id, { isListed: true });
    expect(await readTransaction(receiver, own.id)).toMatchObject({
      status: 'CONFIRMED',
      subStatus: 'ON_HOLD',
      clearance: { outcome: 'WAIT', nextAction: 'REVIEW' },
    });
    expect((await review(receiver, own.id, 'BLOCK')).body.clearance.outcome).toBe('STOP');
    await expectStopThroughHashes(receiver, own.id, async (transactionHash) =>
      patch(sender, sent.id, { transactionHash }),
    );
    await expectStopThroughHashes(receiver, own.id, async (transactionHash) =>
      patch(receiver, own.id, { transactionHash }),
    );
  });
});

describe('what the other side learns of a stop', () => {
  test('a reviewer’s decline is COMPLIANCE with one neutral sentence', async () => {
    const { outgoingId, incomingId } = await createExchange(api, sender, receiver);
    await findOnList(api.db, incomingId);
    await patch(receiver, incomingId, {
      statusReasoning: 'he is on a list',
      statusReasonCode: 'NAME_MISMATCH',
    });
    expect(await review(receiver, incomingId, 'BLOCK')).toMatchObject({
      status: 200,
      body: {
        status: 'DECLINED',
        subStatus: 'BLOCKED_BY_REVIEW',
        statusReasonCode: 'COMPLIANCE',
        clearance: { outcome: 'STOP', reasons: ['DECLINED', 'BLOCKED_BY_REVIEW', 'SANCTIONS'] },
      },
    });
    expect(await readTransaction(sender, outgoingId)).toMatchObject({
      status: 'DECLINED',
      subStatus: null,
      statusReasonCode: 'COMPLIANCE',
      statusReasoning: NEUTRAL,
      clearance: { outcome: 'STOP', reasons: ['DECLINED'] },
    });
  });

  test('so is the decline of a rule', async () => {
    const { outgoingId, incomingId } = await createExchange(api, sender, receiver);
    await patch(sender, outgoingId, { originator: { name: 'Anna Keller-Brandt' } });
    await screen(api.db, incomingId, { rules: { decision: 'BLOCK' } });
    expect(await readTransaction(receiver, incomingId)).toMatchObject({
      status: 'DECLINED',
      subStatus: 'BLOCKED_BY_RULE',
      statusReasonCode: 'COMPLIANCE',
      clearance: { outcome: 'STOP', reasons: ['DECLINED', 'BLOCKED_BY_RULE'], nextAction: 'NONE' },
    });
    expect(await readTransaction(sender, outgoingId)).toMatchObject({
      status: 'DECLINED',
      subStatus: null,
      statusReasonCode: 'COMPLIANCE',
      statusReasoning: NEUTRAL,
    });
  });

  test('a stop after delivery is a withdrawal like any other', async () => {
    const { outgoingId, incomingId } = await createExchange(api, sender, receiver);
    await findOnList(api.db, outgoingId);
    expect((await review(sender, outgoingId, 'BLOCK')).body).toMatchObject({
      status: 'CANCELLED',
      subStatus: 'BLOCKED_BY_REVIEW',
      statusReasonCode: 'COMPLIANCE',
    });
    expect(await readTransaction(receiver, incomingId)).toMatchObject({
      status: 'CANCELLED',
      subStatus: null,
      statusReasonCode: 'CANCELLED_BY_SENDER',
      statusReasoning: null,
      clearance: { outcome: 'STOP', reasons: ['CANCELLED'] },
    });
  });
});

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
  await letPass(api.db, id);
  const record = await getTransaction(api.db, sender.id, id);
  const rules = { autoConfirm, thresholdEur: null, flowsAbove: [], maxProofAgeDays: null };
  await confirmSelfHostedTransfer(api.db, record, rules, new Date());
}

const payout = async () => await unproven({ destinationType: 'NON_CUSTODIAL' });
const deposit = async () => await unproven({ originType: 'NON_CUSTODIAL', origin: evmAddress() }, 'INCOMING');

describe('a transfer that waits for a proof', () => {
  test.each([
    ['a payout', payout, 'PROCEED', 'CONFIRMED', 'AWAITING_TRANSACTION_HASH'],
    ['a payout', payout, 'BLOCK', 'CANCELLED', 'BLOCKED_BY_REVIEW'],
    ['a deposit', deposit, 'PROCEED', 'CONFIRMED', 'AWAITING_TRANSACTION_HASH'],
    ['a deposit', deposit, 'BLOCK', 'DECLINED', 'BLOCKED_BY_REVIEW'],
  ] as const)('is ended by a review: %s, %s', async (_, make, decision, status, subStatus) => {
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
    expect((await sender.patch('/tenant/me/settings', { fourEyes: { review: true } })).status).toBe(200);
    try {
      const id = await deposit();
      expect(await patch(sender, id, { status: 'CONFIRMED' })).toMatchObject({
        status: 409,
        body: { code: 'review_required' },
      });
      expect(await review(sender, id, 'PROCEED')).toMatchObject({ status: 200, body: { status: 'PENDING' } });
      expect(await review(sender, id, 'PROCEED')).toMatchObject({ status: 409, body: { code: 'conflict' } });
      const second = await sender.as('ADMIN');
      expect(await review(second, id, 'PROCEED')).toMatchObject({
        status: 200,
        body: { status: 'CONFIRMED' },
      });
    } finally {
      await sender.patch('/tenant/me/settings', { fourEyes: { review: null } });
    }
  });
});

test('a self-hosted transfer that is confirmed without a hash asks its tenant for it', async () => {
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
  'a record that its tenant made says REVIEW and takes one: %s',
  async (decision, status, subStatus) => {
    const { id, clearance } = await createTransaction(receiver, { direction: 'INCOMING' });
    expect(clearance).toMatchObject({ outcome: 'WAIT', nextAction: 'REVIEW' });
    expect(await review(receiver, id, decision)).toMatchObject({ status: 200, body: { status, subStatus } });
  },
);

describe('what is to be screened', () => {
  async function arrived(): Promise<{ sentId: string; id: string }> {
    const destination = evmAddress();
    await registerWallet(receiver, destination);
    const sent = await createTransaction(sender, { blockchainInfo: { destination } });
    await letPass(api.db, sent.id);
    const delivery = { tenantId: sender.id, id: sent.id, receiverTenantId: receiver.id, now: new Date() };
    const delivered = await deliverNative(api.db, delivery);
    if (!delivered) throw new Error('it was not delivered');
    return { sentId: sent.id, id: delivered.incoming.id };
  }

  test('is confirmed neither by PATCH nor by a review before it is, and after it by either', async () => {
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

  test('is declined at once', async () => {
    const first = await arrived();
    expect((await patch(receiver, first.id, { status: 'DECLINED' })).status).toBe(200);
    const second = await arrived();
    expect((await review(receiver, second.id, 'BLOCK')).status).toBe(200);
    for (const { sentId } of [first, second]) {
      expect((await readTransaction(sender, sentId)).status).toBe('DECLINED');
    }
  });

  test('allowed names what would succeed now', async () => {
    const { id } = await arrived();
    const allowedNow = async () => (await patch(receiver, id, { status: 'CANCELLED' })).body;
    expect(await allowedNow()).toMatchObject({ code: 'invalid_transition', allowed: ['DECLINED'] });
    await letPass(api.db, id);
    expect(await allowedNow()).toMatchObject({ allowed: ['CONFIRMED', 'DECLINED'] });
    await findOnList(api.db, id);
    expect(await allowedNow()).toMatchObject({ allowed: [] });
  });
});

describe('a rule that lets a transfer wait', () => {
  const waitUntil = new Date('2040-01-01T00:00:00.000Z');

  test('gives the end of the wait as the deadline, on either side', async () => {
    const sent = await createTransaction(sender);
    await screen(api.db, sent.id, { rules: { decision: 'WAIT', waitUntil } });
    const { outgoingId, incomingId } = await createExchange(api, sender, receiver);
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

describe('a hold ends with the record that it stands on', () => {
  const holdOf = async (tenant: TestTenant, id: string) =>
    (await tenant.get<ReviewFile>(`/transactions/${id}/screening`)).body.hold;

  test('when the counterparty declines what is held here', async () => {
    const { outgoingId, incomingId } = await createExchange(api, sender, receiver);
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

  test('when the counterparty withdraws what is held here', async () => {
    const { outgoingId, incomingId } = await createExchange(api, sender, receiver);
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

  test('takes what a rule cancelled before it was sent', async () => {
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

  test('takes nothing that a reviewer stopped, and nothing that was received', async () => {
    const confirmed = await createExchange(api, sender, receiver);
    await findOnList(api.db, confirmed.outgoingId);
    await patch(receiver, confirmed.incomingId, { status: 'CONFIRMED' });
    await review(sender, confirmed.outgoingId, 'BLOCK');
    const stopped = await payout();
    await review(sender, stopped, 'BLOCK');
    for (const id of [confirmed.outgoingId, stopped])
      expect(await resubmit(sender, id)).toMatchObject(refused);

    const declined = await createExchange(api, sender, receiver);
    await patch(sender, declined.outgoingId, { originator: { name: 'Anna Keller-Brandt' } });
    await screen(api.db, declined.incomingId, { rules: { decision: 'BLOCK' } });
    const ended = await createExchange(api, sender, receiver);
    await review(receiver, ended.incomingId, 'BLOCK');
    for (const id of [declined.incomingId, ended.incomingId, confirmed.incomingId]) {
      expect(await resubmit(receiver, id)).toMatchObject(refused);
    }
  });
});

test('a decision that changes whether the coins may move is told to its own tenant, a note is not', async () => {
  for (const [status, outcome] of [
    ['CONFIRMED', 'GO'],
    ['DECLINED', 'STOP'],
  ]) {
    const { incomingId } = await createExchange(api, sender, receiver);
    const before = await outcomesTold(receiver, incomingId);
    await patch(receiver, incomingId, { metadata: 'asked twice' });
    expect(await outcomesTold(receiver, incomingId)).toEqual(before);
    await patch(receiver, incomingId, { status });
    expect(await outcomesTold(receiver, incomingId)).toEqual([...before, outcome]);
    await patch(receiver, incomingId, { status });
    expect(await outcomesTold(receiver, incomingId)).toEqual([...before, outcome]);
  }
});
