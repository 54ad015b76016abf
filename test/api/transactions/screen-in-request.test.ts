import type { Transaction } from '../../../domain/transactions/schema.ts';
import type { Json } from '../../api-client.ts';
import { configurations, draft, rule } from '../../factories/rules.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import {
  createTransaction,
  deliverUnscreened,
  evmAddress,
  letPass,
  readTransaction,
  registerWallet,
  rowCounts,
} from '../../factories/transaction.ts';
import { useApi } from '../../use-api.ts';

const LISTED_NAME = 'Barnabas Ravenscroft';
const ALWAYS = { field: 'asset', operator: 'EQ', value: 'ETH' };

const { api } = useApi();
let sender: TestTenant;
let receiver: TestTenant;

beforeAll(async () => {
  await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', LISTED_NAME)]);
});
beforeEach(async () => {
  [sender, receiver] = [await createTenant(api), await createTenant(api)];
});

/** A message that reached its receiver while nothing could screen it. */
async function unscreened(originator = 'Anna Keller'): Promise<Transaction> {
  const destination = evmAddress();
  await registerWallet(receiver, destination);
  const sent = await createTransaction(sender, {
    originator: { name: originator },
    beneficiary: { name: 'Jonas Brandt' },
    blockchainInfo: { destination, blockchain: 'Ethereum' },
  });
  await letPass(api.db, sent.id);
  const delivery = { tenantId: sender.id, id: sent.id, receiverTenantId: receiver.id, now: new Date() };
  const delivered = await deliverUnscreened(api.db, delivery);
  return await readTransaction(receiver, delivered?.incoming.id ?? '');
}

const confirm = async ({ id }: Transaction) =>
  await receiver.patch(`/transactions/${id}`, { status: 'CONFIRMED' });
const proceed = async ({ id }: Transaction) =>
  await receiver.post(`/transactions/${id}/review`, { decision: 'PROCEED', reason: 'looked at' });

async function publish(rules: object[]): Promise<void> {
  const { id } = (await configurations(receiver)).INCOMING;
  expect((await draft(receiver, id, rules as Json[], { defaultDecision: 'REVIEW' })).status).toBe(200);
  expect((await receiver.post(`/rule-engine/${id}/publish`, { comment: 'for a test' })).status).toBe(201);
}

test('a message that has just arrived says that it is not screened yet', async () => {
  const arrived = await unscreened();
  expect(arrived).toMatchObject({ status: 'DELIVERED', subStatus: 'SCREENING' });
  expect(arrived.clearance.outcome).toBe('WAIT');
});

test.each([['PATCH', confirm] as const, ['a review', proceed] as const])(
  'confirming by %s screens first, within the request',
  async (_name, ask) => {
    const arrived = await unscreened();
    expect((await ask(arrived)).status).toBe(200);
    const confirmed = await readTransaction(receiver, arrived.id);
    expect(confirmed).toMatchObject({ status: 'CONFIRMED', clearance: { outcome: 'GO' } });
    const { body } = await receiver.get(`/transactions/${arrived.id}/screening`);
    expect(body).toMatchObject({ screening: { sanctions: { nameMatch: false } } });
  },
);

test('a listed name cannot be confirmed before anybody has screened it', async () => {
  const arrived = await unscreened(LISTED_NAME);
  const refused = await confirm(arrived);
  expect([refused.status, refused.body['code']]).toEqual([409, 'review_required']);
  const held = await readTransaction(receiver, arrived.id);
  expect(held).toMatchObject({ status: 'DELIVERED', subStatus: 'ON_HOLD' });
  expect(held.clearance.reasons).toContain('SANCTIONS');
});

test('PROCEED does not release what its own request has found; the next one does, with the findings there to read', async () => {
  const arrived = await unscreened(LISTED_NAME);
  const refused = await proceed(arrived);
  expect([refused.status, refused.body['code']]).toEqual([409, 'conflict']);
  const held = await readTransaction(receiver, arrived.id);
  expect(held.clearance.reasons).toContain('SANCTIONS');
  expect((await proceed(arrived)).status).toBe(200);
  expect(await readTransaction(receiver, arrived.id)).toMatchObject({ clearance: { outcome: 'GO' } });
});

test('a hold by a rule that the request has found is not passed by the same request', async () => {
  await publish([rule({ conditions: ALWAYS, decision: 'REVIEW' })]);
  const arrived = await unscreened();
  const refused = await confirm(arrived);
  expect([refused.status, refused.body['code']]).toEqual([409, 'conflict']);
  expect(await readTransaction(receiver, arrived.id)).toMatchObject({
    status: 'DELIVERED',
    subStatus: 'ON_HOLD',
  });
});

test('the own rules are not overtaken', async () => {
  const decides = rule({ conditions: ALWAYS, decision: 'BLOCK' });
  await publish([decides]);
  const arrived = await unscreened();
  const refused = await confirm(arrived);
  expect([refused.status, refused.body['code']]).toEqual([409, 'invalid_transition']);
  expect(await readTransaction(receiver, arrived.id)).toMatchObject({
    status: 'DECLINED',
    subStatus: 'BLOCKED_BY_RULE',
  });
});

test('a rule that lets it wait is ended by a review, not by PATCH', async () => {
  await publish([rule({ conditions: ALWAYS, decision: 'WAIT', waitMinutes: 60 })]);
  const arrived = await unscreened();
  const notified = api.outbox.length;
  const refused = await confirm(arrived);
  expect([refused.status, refused.body['code']]).toEqual([409, 'review_required']);
  // Its workflow decides at the end of the wait.
  const entries = api.outbox.slice(notified).map(({ workflow, subjectId }) => [workflow, subjectId]);
  expect(entries).toContainEqual(['transactionLifecycle', arrived.id]);
  const waiting = await readTransaction(receiver, arrived.id);
  expect(waiting.subStatus).toBe('WAITING');
  expect((await proceed(arrived)).status).toBe(200);
  expect(await readTransaction(receiver, arrived.id)).toMatchObject({ status: 'CONFIRMED' });
});

test.each([['PATCH', confirm] as const, ['a review', proceed] as const])(
  'without a required list %s is refused, and changes nothing',
  async (_name, ask) => {
    const settings = { screening: { requiredLists: ['OFAC_SDN', 'UN_SC'] } };
    expect((await receiver.patch('/tenant/me/settings', settings)).status).toBe(200);
    const arrived = await unscreened();
    const before = await rowCounts(api);
    const refused = await ask(arrived);
    expect([refused.status, refused.body['code']]).toEqual([409, 'screening_pending']);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(await rowCounts(api)).toEqual(before);
    expect(await readTransaction(receiver, arrived.id)).toEqual(arrived);
    // Declining needs no screening.
    const declined = await receiver.patch(`/transactions/${arrived.id}`, { status: 'DECLINED' });
    expect(declined.status).toBe(200);
  },
);
