import { deliverNative } from '../../../db/lifecycle/deliver-native.ts';
import type { RescreenedPage } from '../../../activities/sanctions/rescreen-open.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import { rescreenSteps } from '../../factories/rescreen-steps.ts';
import { lifecycleSteps } from '../../factories/lifecycle-steps.ts';
import { configurations, draft, rule } from '../../factories/rules.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import {
  createTransaction,
  evmAddress,
  evmHash,
  readTransaction,
  registerWallet,
} from '../../factories/transaction.ts';
import { eventually } from '../../eventually.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

const price = { usd: '1', eur: '1', source: 'test', pricedAt: new Date() };
const { api } = useApi({ pollMs: 50, prices: { ETH: price } });
const tenant = useTenantPerTest(api);
const advance = lifecycleSteps(api);
const NAME = 'Jonas Brandt';

beforeEach(async () => void (await list()));

/** Makes a version active with these names beside another; open transfers are not compared with it yet. */
const list = async (...names: string[]) =>
  await activateList(
    api.db.pool,
    'OFAC_SDN',
    ['Barnabas Ravenscroft', ...names].map((name) => listEntry(name, name)),
  );

const send = async (blockchainInfo: object) =>
  await createTransaction(tenant, {
    originator: { name: 'Anna Keller' },
    beneficiary: { name: NAME },
    blockchainInfo: { blockchain: 'Ethereum', destination: evmAddress(), ...blockchainInfo },
  });

async function autoConfirm(autoConfirmSelfHosted: boolean): Promise<void> {
  expect((await tenant.patch('/tenant/me/settings', { autoConfirmSelfHosted })).status).toBe(200);
}

/** A payout to a self-hosted wallet that waits for a proof. */
async function unconfirmed(steps = advance): Promise<Transaction> {
  await autoConfirm(false);
  const sent = await steps(tenant, await send({ destinationType: 'NON_CUSTODIAL' }));
  expect(sent.subStatus).toBe('OWNERSHIP_UNCONFIRMED');
  return sent;
}

const proceed = async ({ id }: { id: string }, more: { version?: number } = {}) =>
  (await tenant.post(`/transactions/${id}/review`, { decision: 'PROCEED', reason: 'looked at', ...more }))
    .status;

/** Holds whatever is sent. */
async function holdAll(): Promise<void> {
  const { id } = (await configurations(tenant)).OUTGOING;
  const always = { field: 'asset', operator: 'EQ', value: 'ETH' };
  const rules = [rule({ conditions: always, decision: 'REVIEW' })];
  expect((await draft(tenant, id, rules, { defaultDecision: 'PROCEED' })).status).toBe(200);
  expect((await tenant.post(`/rule-engine/${id}/publish`, { comment: 'for a test' })).status).toBe(201);
}

async function rescreen(version: number): Promise<number> {
  const steps = rescreenSteps(api);
  const page: RescreenedPage = await steps.rescreenOpen({ code: 'OFAC_SDN', version, afterId: null });
  return page.found;
}

/** A receiver and an address of its own. */
async function registered() {
  const receiver = await createTenant(api);
  const destination = evmAddress();
  await registerWallet(receiver, destination);
  return { receiver, destination };
}

/** A message that was held by a rule, and that a reviewer has let pass. */
async function released() {
  await holdAll();
  const { receiver, destination } = await registered();
  const sent = await send({ destination });
  expect((await advance(tenant, sent)).clearance.reasons).toContain('RULE');
  expect(await proceed(sent)).toBe(200);
  return { receiver, sent };
}

async function messageTo(receiver: TestTenant, destination: string): Promise<Transaction> {
  const { body } = await receiver.get<Transaction[]>(`/transactions?_destination=${destination}`);
  const [message] = body;
  if (!message) throw new Error('nothing has arrived');
  return message;
}

/** Confirms a message; until the version is loaded that is screening_pending. */
async function confirmed(receiver: TestTenant, { id }: { id: string }): Promise<void> {
  await eventually(
    async () => await receiver.patch(`/transactions/${id}`, { status: 'CONFIRMED' }),
    ({ status }) => status === 200,
  );
}

/** Longer ago than the clocks of application and database may differ. */
async function longAgo({ id }: { id: string }): Promise<void> {
  await api.db.pool.query(
    `update message_pairs set decided_at = decided_at - interval '1 hour' where outgoing_id = $1`,
    [id],
  );
}

const HELD = { subStatus: 'ON_HOLD', clearance: { reasons: expect.arrayContaining(['SANCTIONS']) } };

/** Until the version is loaded it is screening_pending; with it the transfer is held, and its findings are to be read. */
async function isRefusedAndHeld(transfer: Transaction): Promise<void> {
  // A request that gave up may hold it later: the next one must not let that hold pass.
  const { version } = await readTransaction(tenant, transfer.id);
  const held = await eventually(
    async () => {
      expect(await proceed(transfer, { version })).toBe(409);
      return await readTransaction(tenant, transfer.id);
    },
    ({ clearance }) => clearance.reasons.includes('SANCTIONS'),
  );
  expect(held).toMatchObject({ status: 'PENDING', ...HELD });
}

describe('a new version of a list that open transfers were not compared with yet counts', () => {
  test('for the review of a payout to a self-hosted wallet', async () => {
    const sent = await unconfirmed();
    await list(NAME);
    await isRefusedAndHeld(sent);
  });

  test('although a later version, which adds somebody else, was compared first', async () => {
    const sent = await unconfirmed();
    await list(NAME);
    const later = await list(NAME, 'Somebody Else');
    expect(await rescreen(later)).toBe(0);
    await isRefusedAndHeld(sent);
  });

  test('where the application has screened by a clock that is ahead', async () => {
    const ahead = lifecycleSteps(api, { now: () => new Date(Date.now() + 3_000) });
    const sent = await unconfirmed(ahead);
    await list(NAME);
    await isRefusedAndHeld(sent);
  });

  test('before the tenant’s setting or a proof confirms a self-hosted wallet', async () => {
    await holdAll();
    await autoConfirm(true);
    const sent = await send({ destinationType: 'NON_CUSTODIAL' });
    expect((await advance(tenant, sent)).clearance.reasons).toContain('RULE');
    expect(await proceed(sent)).toBe(200);
    await list(NAME);
    expect(await advance(tenant, sent)).toMatchObject({ status: 'PENDING', ...HELD });
  });

  test('before a message is delivered that a reviewer has let pass', async () => {
    const { sent, receiver } = await released();
    await list(receiver.name);
    expect(await advance(tenant, sent)).toMatchObject({ status: 'PENDING', ...HELD });
    expect((await receiver.get<Transaction[]>('/transactions')).body).toEqual([]);
  });

  test('for the VASP that such a message would go to, which is stored with its delivery', async () => {
    const { sent, receiver } = await released();
    expect(await rescreen(await list(receiver.name))).toBe(1);
    expect(await advance(tenant, sent)).toMatchObject({ status: 'PENDING', ...HELD });
  });

  test('where it becomes active while such a message is being delivered', async () => {
    const { sent, receiver } = await released();
    const delivery = { tenantId: tenant.id, id: sent.id, receiverTenantId: receiver.id, now: new Date() };
    const activate = async () => {
      await list(NAME);
      return null;
    };
    expect(await deliverNative(api.db, delivery, activate)).toBe('SCREEN_AGAIN');
    expect(await advance(tenant, sent)).toMatchObject({ status: 'PENDING', ...HELD });
  });

  test('not for a transfer that is to be sent without a screening, while a required list is away', async () => {
    const { receiver, destination } = await registered();
    await tenant.patch('/tenant/me/settings', { screening: { requiredLists: ['NOT_THERE'] } });
    const sent = await send({ destination });
    await api.db.pool.query(
      `update transactions set hold = 'UNSCREENED', is_screening_delayed = true, screening_state = 'CLEARED', wake_at = null where id = $1`,
      [sent.id],
    );
    await list(receiver.name);
    expect(await proceed(sent)).toBe(200);
    expect((await advance(tenant, sent)).status).toBe('DELIVERED');
  });

  test('for a transfer that is confirmed and held as UNSCREENED: it is not to be sent any more', async () => {
    const { receiver, destination } = await registered();
    const sent = await send({ destination });
    expect((await advance(tenant, sent)).status).toBe('DELIVERED');
    await confirmed(receiver, await messageTo(receiver, destination));
    await api.db.pool.query(`update transactions set hold = 'UNSCREENED' where id = $1`, [sent.id]);
    await longAgo(sent);
    await list('Anna Keller');
    expect(await proceed(sent)).toBe(409);
  });

  test('for a payout that was let pass without a screening, and that a proof confirms later', async () => {
    const sent = await unconfirmed();
    await api.db.pool.query(`update transactions set hold = 'UNSCREENED' where id = $1`, [sent.id]);
    expect(await proceed(sent)).toBe(200);
    await autoConfirm(true);
    await list(NAME);
    expect(await advance(tenant, sent)).toMatchObject({ status: 'PENDING', ...HELD });
  });

  test('for a transfer that is confirmed and held: a reviewer may still release it', async () => {
    const { receiver, destination } = await registered();
    const sent = await send({ destination });
    expect((await advance(tenant, sent)).status).toBe('DELIVERED');
    await rescreen(await list(NAME));
    expect(await advance(tenant, sent)).toMatchObject({ status: 'DELIVERED', ...HELD });
    const message = await messageTo(receiver, destination);
    await advance(receiver, message);
    const release = { decision: 'PROCEED', reason: 'somebody else' };
    expect((await receiver.post(`/transactions/${message.id}/review`, release)).status).toBe(200);
    await longAgo(sent);
    expect(await rescreen(await list(NAME, receiver.name))).toBe(1);
    expect(await advance(tenant, sent)).toMatchObject({ status: 'CONFIRMED', ...HELD });
  });

  test('for the receiver’s own record, which takes the decision on its message', async () => {
    const { receiver, destination } = await registered();
    const blockchainInfo = { blockchain: 'Ethereum', destination, transactionHash: evmHash() };
    expect((await advance(tenant, await send(blockchainInfo))).status).toBe('DELIVERED');
    const message = await messageTo(receiver, destination);
    const own = await createTransaction(receiver, {
      direction: 'INCOMING',
      originator: { name: 'Zacharias Lindqvist' },
      vaspInfo: { originatorVaspName: tenant.name },
      blockchainInfo,
    });
    expect((await advance(receiver, own)).relatedTransactionId).toBe(message.id);
    await list('Zacharias Lindqvist');
    await confirmed(receiver, message);
    expect((await readTransaction(receiver, message.id)).clearance.outcome).toBe('GO');
    const taken = await readTransaction(receiver, own.id);
    expect(taken).toMatchObject({ status: 'CONFIRMED', clearance: { outcome: 'WAIT' } });
    expect(await advance(receiver, own)).toMatchObject({ status: 'CONFIRMED', ...HELD });
  });

  test('for a message that its receiver confirms meanwhile, and for none that was confirmed before', async () => {
    const receiver = await createTenant(api);
    const [early, late] = [evmAddress(), evmAddress()];
    for (const address of [early, late]) await registerWallet(receiver, address);
    const first = await send({ destination: early });
    expect((await advance(tenant, first)).status).toBe('DELIVERED');
    await confirmed(receiver, await messageTo(receiver, early));
    await longAgo(first);
    const second = await send({ destination: late });
    expect((await advance(tenant, second)).status).toBe('DELIVERED');
    const version = await list(receiver.name);
    await confirmed(receiver, await messageTo(receiver, late));
    expect(await rescreen(version)).toBe(1);
    expect((await readTransaction(tenant, second.id)).clearance.outcome).toBe('WAIT');
    expect(await advance(tenant, second)).toMatchObject({ status: 'CONFIRMED', ...HELD });
    expect((await readTransaction(tenant, first.id)).clearance.outcome).toBe('GO');
  });
});
