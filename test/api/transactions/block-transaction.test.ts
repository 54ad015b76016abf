import type { Transaction } from '../../../domain/transactions/schema.ts';
import type { Json } from '../../api-client.ts';
import { WEBHOOK_URL, type Client, type TestTenant } from '../../factories/tenant.ts';
import {
  createMessagePair,
  createTransaction,
  evmAddress,
  evmHash,
  findOnList,
  letPass,
  readTransaction,
  screen,
  deliverUnscreened,
} from '../../factories/transaction.ts';
import { outcomesTold } from '../../stored-webhooks.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api } = useApi();
const sender = useTenant(api, { webhookUrl: WEBHOOK_URL });
const receiver = useTenant(api, { webhookUrl: WEBHOOK_URL });

const NEUTRAL = 'The beneficiary VASP does not accept this transfer.';

const block = async (by: Pick<Client, 'post'>, id: string) =>
  await by.post<Transaction>(`/transactions/${id}/review`, {
    decision: 'BLOCK',
    reason: 'looked at by hand',
  });
const patch = async (by: Pick<Client, 'patch'>, id: string, body: Json) =>
  await by.patch(`/transactions/${id}`, body);

/**
 * Adds, replaces and removes the hash: the blocked record stays STOP after each, and so do its webhooks. It keeps its
 * own hash `kept` where what was sent stands beside it.
 */
async function expectStopThroughHashes(
  tenant: TestTenant,
  id: string,
  setHash: (transactionHash: string | null) => Promise<{ status: number }>,
  kept?: string,
): Promise<void> {
  const told = (await outcomesTold(api, tenant, id)).length;
  for (const transactionHash of [evmHash(), evmHash(), null]) {
    expect((await setHash(transactionHash)).status).toBe(200);
    expect(await readTransaction(tenant, id)).toMatchObject({
      status: 'CONFIRMED',
      subStatus: 'BLOCKED_BY_REVIEW',
      statusReasonCode: 'COMPLIANCE',
      blockchainInfo: { transactionHash: kept ?? transactionHash },
      clearance: {
        outcome: 'STOP',
        reasons: ['CONFIRMED', 'BLOCKED_BY_REVIEW', 'SANCTIONS'],
        nextAction: 'NONE',
      },
    });
  }
  const outcomes = (await outcomesTold(api, tenant, id)).slice(told);
  expect(outcomes.filter((outcome) => outcome !== 'STOP')).toEqual([]);
}

describe('a reviewer’s BLOCK of a CONFIRMED transaction survives a later hash', () => {
  test('on the originator’s record', async () => {
    const { outgoingId, incomingId } = await createMessagePair(api, sender, receiver);
    await findOnList(api.db, outgoingId);
    expect((await patch(receiver, incomingId, { status: 'CONFIRMED' })).status).toBe(200);
    expect(await readTransaction(sender, outgoingId)).toMatchObject({
      status: 'CONFIRMED',
      subStatus: 'ON_HOLD',
      clearance: { outcome: 'WAIT', nextAction: 'REVIEW' },
    });
    expect(await block(sender, outgoingId)).toMatchObject({
      status: 200,
      body: { status: 'CONFIRMED', subStatus: 'BLOCKED_BY_REVIEW', clearance: { outcome: 'STOP' } },
    });
    expect((await outcomesTold(api, sender, outgoingId)).at(-1)).toBe('STOP');
    await expectStopThroughHashes(sender, outgoingId, async (transactionHash) =>
      patch(sender, outgoingId, { transactionHash }),
    );
    const listed = await sender.get<Transaction[]>('/transactions?_subStatus=BLOCKED_BY_REVIEW');
    expect(listed.body.map(({ id }) => id)).toEqual([outgoingId]);
  });

  test('on the beneficiary’s record, whoever sends the hash', async () => {
    const place = { destination: evmAddress(), blockchain: 'Ethereum', transactionHash: evmHash() };
    // What a tenant recorded itself it may confirm at once; the message and its screening come later.
    const own = await createTransaction(receiver, {
      direction: 'INCOMING',
      blockchainInfo: place,
      vaspInfo: { originatorVaspName: sender.name },
    });
    expect((await patch(receiver, own.id, { status: 'CONFIRMED' })).status).toBe(200);
    const sent = await createTransaction(sender, { blockchainInfo: place });
    await letPass(api.db, sent.id);
    await deliverUnscreened(api.db, {
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
    expect((await block(receiver, own.id)).body.clearance.outcome).toBe('STOP');
    const bySender = async (transactionHash: string | null) =>
      await patch(sender, sent.id, { transactionHash });
    await expectStopThroughHashes(receiver, own.id, bySender, place.transactionHash);
    await expectStopThroughHashes(receiver, own.id, async (transactionHash) =>
      patch(receiver, own.id, { transactionHash }),
    );
  });
});

describe('the counterparty of a block', () => {
  test('learns COMPLIANCE and a neutral sentence when a reviewer declines', async () => {
    const { outgoingId, incomingId } = await createMessagePair(api, sender, receiver);
    await findOnList(api.db, incomingId);
    await patch(receiver, incomingId, {
      statusReasoning: 'he is on a list',
      statusReasonCode: 'NAME_MISMATCH',
    });
    expect(await block(receiver, incomingId)).toMatchObject({
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

  test('learns the same when a rule declines', async () => {
    const { outgoingId, incomingId } = await createMessagePair(api, sender, receiver);
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

  test('learns CANCELLED_BY_SENDER when a reviewer stops a delivered message', async () => {
    const { outgoingId, incomingId } = await createMessagePair(api, sender, receiver);
    await findOnList(api.db, outgoingId);
    expect((await block(sender, outgoingId)).body).toMatchObject({
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
