import { noRequests } from '../../fakes/no-requests.ts';
import { settleScreening } from '../../../db/lifecycle/settle-screening.ts';
import { readBasis } from '../../../db/lifecycle/judgement-basis.ts';
import { queueUnfinished, FIRST_CURSOR } from '../../../db/reconcile/queue-unfinished.ts';
import { changeTransaction } from '../../../db/transactions/change-transaction.ts';
import { findOpenTransaction } from '../../../db/transactions/find-transaction.ts';
import { transactionActivities } from '../../../activities/transactions/transaction-activities.ts';
import { announceWithoutVerdict } from '../../../domain/transactions/announcement.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import type { Json } from '../../api-client.ts';
import { releaseDeps } from '../../factories/release-deps.ts';
import { createTenant, WEBHOOK_URL, type TestTenant } from '../../factories/tenant.ts';
import {
  clearScreening,
  createTransaction,
  deliverUnscreened,
  evmAddress,
  evmHash,
  letPass,
  readTransaction,
  registerWallet,
} from '../../factories/transaction.ts';
import { storedWebhooks } from '../../stored-webhooks.ts';
import { verdictOf } from '../../domain/transactions/model/verdicts.ts';
import { useApi } from '../../use-api.ts';

const { api } = useApi();
let sender: TestTenant;
let receiver: TestTenant;

beforeEach(async () => {
  const webhooks = { webhookUrl: WEBHOOK_URL };
  [sender, receiver] = [await createTenant(api, webhooks), await createTenant(api, webhooks)];
});

/** A message that has arrived while its receiver's lists did not answer. */
async function arrive() {
  const destination = evmAddress();
  await registerWallet(receiver, destination);
  const sent = await createTransaction(sender, {
    originator: { name: 'Anna Keller' },
    beneficiary: { name: 'Jonas Brandt' },
    blockchainInfo: { destination, blockchain: 'Ethereum' },
  });
  await letPass(api.db, sent.id);
  const now = new Date();
  const delivery = { tenantId: sender.id, id: sent.id, receiverTenantId: receiver.id, now };
  const delivered = await deliverUnscreened(api.db, delivery);
  if (!delivered) throw new Error('it was not delivered');
  return { sentId: sent.id, id: delivered.incoming.id, now };
}

const told = async (id: string) =>
  (await storedWebhooks(api, receiver, id)).map(({ status, subStatus }) => [status, subStatus]);
const logOf = async (id: string) =>
  (await receiver.get<Json[]>(`/transactions/${id}/events`)).body.map(({ type }) => type).toReversed();

/** What its workflow does when it wakes so many seconds after the arrival. */
async function wakeAt(id: string, arrivedAt: Date, seconds: number): Promise<void> {
  const now = () => new Date(arrivedAt.getTime() + seconds * 1_000);
  await activities({ now }).advanceTransaction({ id });
}

function activities(overrides: Parameters<typeof releaseDeps>[1] = {}) {
  const deps = {
    ...releaseDeps(api, overrides),
    networks: {} as never,
    http: noRequests,
    priceOf: () => undefined,
    startedAt: new Date(),
  };
  return transactionActivities(deps);
}

async function judge(id: string, outcome: 'PROCEED' | 'MATCH' | 'WAIT' | 'DEFAULT'): Promise<void> {
  const open = await findOpenTransaction(api.db, receiver.id, id);
  if (!open) throw new Error('it is gone');
  const now = new Date();
  await settleScreening(api.db, {
    open,
    screening: clearScreening(open.record, now),
    verdict: verdictOf(outcome, open.record, now),
    decision: null,
    guardCount: null,
    matches: [],
    basis: await readBasis(api.db.pool, open.record),
    stands: false,
    now,
  });
}

test('a list request shows it at once, and no webhook is sent', async () => {
  const { id } = await arrive();
  const { body } = await receiver.get<Transaction[]>('/transactions');
  expect(body).toMatchObject([{ id, status: 'DELIVERED', subStatus: 'SCREENING' }]);
  expect(await told(id)).toEqual([]);
});

test.each([
  ['PROCEED', ['CONFIRMED', 'AWAITING_TRANSACTION_HASH']],
  ['MATCH', ['DELIVERED', 'ON_HOLD']],
  ['WAIT', ['DELIVERED', 'WAITING']],
  ['DEFAULT', ['DELIVERED', 'ON_HOLD']],
] as const)('the verdict %s within 30 seconds is in its only webhook', async (outcome, expected) => {
  const { id, now } = await arrive();
  await wakeAt(id, now, 29);
  await judge(id, outcome);
  await wakeAt(id, now, 31);
  expect(await told(id)).toEqual([expected]);
});

test('after 30 seconds one webhook says SCREENING, however often that is done, and another has the verdict', async () => {
  const { id, now } = await arrive();
  // Two workers at once, and a repeat of an activity whose answer was lost.
  await Promise.all([wakeAt(id, now, 30), wakeAt(id, now, 31)]);
  await wakeAt(id, now, 32);
  expect(await told(id)).toEqual([['DELIVERED', 'SCREENING']]);
  expect(await logOf(id)).toEqual(['RECEIVED', 'SCREENING_DELAYED']);
  await judge(id, 'MATCH');
  expect(await told(id)).toEqual([
    ['DELIVERED', 'SCREENING'],
    ['DELIVERED', 'ON_HOLD'],
  ]);
});

test('a crash in the step that announces it leaves it to the next one', async () => {
  const { id, now } = await arrive();
  const at = new Date(now.getTime() + 30_000);
  const killed = changeTransaction(api.db, {
    tenantId: receiver.id,
    id,
    now: at,
    decide: (own) => announceWithoutVerdict(own, at),
    also: async () => await Promise.reject(new Error('killed')),
  });
  await expect(killed).rejects.toThrow('killed');
  expect(await told(id)).toEqual([]);
  await wakeAt(id, now, 30);
  expect(await told(id)).toHaveLength(1);
});

test('a withdrawal before is its only webhook', async () => {
  const { id, sentId, now } = await arrive();
  expect((await sender.patch(`/transactions/${sentId}`, { status: 'CANCELLED' })).status).toBe(200);
  await wakeAt(id, now, 31);
  expect(await told(id)).toEqual([['CANCELLED', null]]);
});

test('a withdrawal that meets the verdict or the end of the 30 seconds is told once, and last', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { id, sentId, now } = await arrive();
    await Promise.all([
      sender.patch(`/transactions/${sentId}`, { status: 'CANCELLED' }),
      round % 2 === 0 ? judge(id, 'MATCH') : wakeAt(id, now, 30),
    ]);
    const all = await told(id);
    expect(all.at(-1)).toEqual(['CANCELLED', null]);
    expect(all.filter(([status]) => status === 'CANCELLED')).toHaveLength(1);
    expect(all.length).toBeLessThanOrEqual(2);
  }
});

test('new data of the sender, and the deletion of its record, wait for the first webhook', async () => {
  const { id, sentId } = await arrive();
  const transactionHash = evmHash();
  await sender.patch(`/transactions/${sentId}`, { transactionHash });
  await sender.delete(`/transactions/${sentId}`);
  expect(await told(id)).toEqual([]);
  await judge(id, 'DEFAULT');
  expect(await storedWebhooks(api, receiver, id)).toMatchObject([{ blockchainInfo: { transactionHash } }]);
});

test('its own tenant may decline it before, which is its only webhook, or delete it, which sends none', async () => {
  const [declined, deleted] = [await arrive(), await arrive()];
  await receiver.patch(`/transactions/${declined.id}`, { status: 'DECLINED' });
  await receiver.delete(`/transactions/${deleted.id}`);
  expect([await told(declined.id), await told(deleted.id)]).toEqual([[['DECLINED', null]], []]);
});

test('nobody confirms it before it was screened', async () => {
  const { id } = await arrive();
  const answer = await receiver.patch(`/transactions/${id}`, { status: 'CONFIRMED' });
  expect(answer).toMatchObject({ status: 409, body: { code: 'screening_pending' } });
  expect((await readTransaction(receiver, id)).subStatus).toBe('SCREENING');
});

test('tries of its screening do not put its announcement off, and the sweep finds it', async () => {
  const { id, now } = await arrive();
  const at = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
  const { plan } = await activities({ now: () => at(25) }).advanceTransaction({ id, checks: null });
  expect(plan).toMatchObject({ step: 'WAIT', waitingFor: 'SCREENING', untilMs: at(30).getTime() });
  await api.db.pool.query(`update transactions set wake_at = wake_at - interval '3 minutes' where id = $1`, [
    id,
  ]);
  await api.db.pool.query('delete from outbox');
  const range = { overdue: true, cursor: FIRST_CURSOR };
  expect(await queueUnfinished(api.db.pool, 'transaction', range, 10)).toMatchObject({
    queued: 1,
    last: { id },
  });
});

test('providers that take long do not put it off either', async () => {
  const { id, now } = await arrive();
  await api.db.pool.query('update transactions set origin = destination, blockchain_key = $2 where id = $1', [
    id,
    'Ethereum',
  ]);
  let answer: () => void = () => undefined;
  const silent = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const observeWallet: typeof api.deps.observeWallet = async (...given) => {
    await silent;
    return await api.deps.observeWallet(...given);
  };
  const walletIntelligence = { db: api.db, observeWallet };
  const late = () => new Date(Math.max(Date.now(), now.getTime() + 30_000));
  const asked = activities({ walletIntelligence, now: late }).askProviders({ id });
  while ((await told(id)).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  answer();
  expect(await asked).not.toBeNull();
  expect(await told(id)).toEqual([['DELIVERED', 'SCREENING']]);
});
