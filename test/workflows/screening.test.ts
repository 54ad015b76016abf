import { randomBytes } from 'node:crypto';
import { readFigures } from '../../db/metrics/read-figures.ts';
import type { EventView } from '../../domain/events/schema.ts';
import type { ReviewFile, TransactionScreening } from '../../domain/transactions/deciding/screening.ts';
import type { Transaction } from '../../domain/transactions/schema.ts';
import type { Json } from '../api-client.ts';
import { eventually } from '../eventually.ts';
import { useFourEyes } from '../factories/people.ts';
import { configurations, draft, rule } from '../factories/rules.ts';
import { activateList, listEntry } from '../factories/sanctions.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { workflowId, WORKFLOWS } from '../../workflows/contract.ts';
import { recordHistory, recordRun } from '../record-history.ts';
import { startTestSystem, type TestSystem } from '../system.ts';
import { MINUTE_MS } from '../../domain/durations.ts';

const LISTED_NAME = 'Barnabas Ravenscroft';
/** What the sender learns of a decline that no person wrote a reason for. */
const NEUTRAL = {
  statusReasonCode: 'COMPLIANCE',
  statusReasoning: 'The beneficiary VASP does not accept this transfer.',
};
const LISTED_WALLET = '0x00000000000000000000000000000000005a4c71';

let system: TestSystem;
let alpine: TestTenant;
let harbour: TestTenant;

beforeAll(async () => {
  system = await startTestSystem({
    keepsLists: true,
    prices: { ETH: { usd: '4000', eur: '3600', source: 'test', pricedAt: new Date() } },
  });
});
afterAll(async () => await system.stop());
beforeEach(async () => {
  [alpine, harbour] = [await createTenant(system), await createTenant(system)];
});
afterEach(() => {
  system.clock.offsetMs = 0;
});

const freshAddress = () => `0x${randomBytes(20).toString('hex')}`;

async function send(overrides: Json = {}, place: Json = {}): Promise<Transaction> {
  const answer = await alpine.post<Transaction>('/transactions', {
    asset: 'ETH',
    amount: '0.1',
    blockchainInfo: { destination: freshAddress(), destinationType: 'CUSTODIAL', ...place },
    originator: { name: 'Anna Keller' },
    beneficiary: { name: 'Jonas Brandt' },
    vaspInfo: { beneficiaryVaspName: harbour.name },
    ...overrides,
  });
  expect(answer.status).toBe(201);
  return answer.body;
}

const read = async (tenant: TestTenant, id: string) =>
  (await tenant.get<Transaction>(`/transactions/${id}`)).body;
const becomes = async (tenant: TestTenant, id: string, status: string, subStatus: string | null) =>
  await eventually(
    async () => await read(tenant, id),
    (now) => now.status === status && now.subStatus === subStatus,
  );
const held = async (tenant: TestTenant, id: string, word: string) =>
  await eventually(
    async () => await read(tenant, id),
    ({ clearance }) => clearance.reasons.includes(word as never),
  );
const eventsOf = async (tenant: TestTenant, id: string) =>
  (await tenant.get<EventView[]>(`/transactions/${id}/events`)).body.toReversed();
const screeningOf = async (tenant: TestTenant, id: string): Promise<TransactionScreening> =>
  (await eventually(
    async () => (await tenant.get<ReviewFile>(`/transactions/${id}/screening`)).body.screening,
    (screening) => screening !== null,
  )) as TransactionScreening;
const review = async (tenant: TestTenant, id: string, decision: 'PROCEED' | 'BLOCK') =>
  await tenant.post<Transaction>(`/transactions/${id}/review`, { decision, reason: 'looked at by hand' });

/** The receiver owns the destination, so that what arrives is not sealed. */
async function ownDestination(): Promise<Json> {
  const destination = freshAddress();
  await harbour.post('/wallets', { address: destination, asset: '*', blockchain: 'Ethereum' });
  return { destination, blockchain: 'Ethereum' };
}

const arrivedAt = async (tenant: TestTenant, destination: string) =>
  await eventually(
    async () => (await tenant.get<Transaction[]>(`/transactions?_destination=${destination}`)).body[0],
    (found) => found !== undefined,
  ).then((found) => found as Transaction);

async function publish(
  tenant: TestTenant,
  direction: 'OUTGOING' | 'INCOMING',
  rules: Json[],
  rest: Json = {},
) {
  const { id } = (await configurations(tenant))[direction];
  const defaultDecision = direction === 'OUTGOING' ? 'PROCEED' : 'REVIEW';
  expect((await draft(tenant, id, rules, { defaultDecision, ...rest })).status).toBe(200);
  expect((await tenant.post(`/rule-engine/${id}/publish`, { comment: 'for a test' })).status).toBe(201);
}

const ALWAYS = { field: 'asset', operator: 'EQ', value: 'ETH' };

describe('a name on a list', () => {
  test('holds what is to be sent, the other side learns nothing, and a review lets it go', async () => {
    const { destination } = await ownDestination();
    const sent = await send({ beneficiary: { name: LISTED_NAME } }, { destination, blockchain: 'Ethereum' });
    const now = await held(alpine, sent.id, 'SANCTIONS');
    expect(now).toMatchObject({
      status: 'PENDING',
      subStatus: 'ON_HOLD',
      clearance: { outcome: 'WAIT', nextAction: 'REVIEW' },
    });
    expect((await harbour.get<Transaction[]>('/transactions')).body).toEqual([]);
    expect(await alpine.patch(`/transactions/${sent.id}`, { status: 'CANCELLED' })).toMatchObject({
      status: 409,
      body: { code: 'review_required' },
    });
    expect((await review(alpine, sent.id, 'PROCEED')).status).toBe(200);
    await becomes(alpine, sent.id, 'DELIVERED', 'AWAITING_COUNTERPARTY');
    await recordHistory(system.client, 'transactionLifecycle', sent.id, 'held-by-screening');
    const types = (await eventsOf(alpine, sent.id)).map(({ type }) => type);
    expect(types).toEqual(['CREATED', 'SCREENED', 'HELD', 'REVIEWED', 'DELIVERED']);
    expect(await review(alpine, sent.id, 'BLOCK')).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition' },
    });
    const { body } = await alpine.get<ReviewFile>(`/transactions/${sent.id}/screening`);
    expect(body).toMatchObject({
      hold: null,
      reviews: [{ decision: 'PROCEED', reason: 'looked at by hand' }],
    });
  });

  test('is told with its source, version and time, and the log has no name', async () => {
    const sent = await send({ originator: { name: 'Ravenscroft, Barnabas' } });
    await held(alpine, sent.id, 'SANCTIONS');
    const { sanctions } = await screeningOf(alpine, sent.id);
    expect(sanctions).toMatchObject({ nameMatch: true, addressMatch: false });
    const { screening } = sanctions.subjects.find(({ role }) => role === 'originator') ?? {};
    expect(screening).toMatchObject({
      sanctioned: true,
      matches: [{ name: LISTED_NAME, listCode: 'OFAC_SDN', listingId: '1' }],
      lists: [{ code: 'OFAC_SDN', version: 1 }],
    });
    expect(JSON.stringify(await eventsOf(alpine, sent.id))).not.toMatch(/ravenscroft/i);
  });

  test('holds what has arrived; only a review decides, and the sender learns a neutral reason', async () => {
    const place = await ownDestination();
    // The sender has been told by its own review that it may go.
    const sent = await send({ originator: { name: LISTED_NAME } }, place);
    await held(alpine, sent.id, 'SANCTIONS');
    await review(alpine, sent.id, 'PROCEED');
    const { id } = await arrivedAt(harbour, String(place['destination']));
    await held(harbour, id, 'SANCTIONS');
    for (const status of ['CONFIRMED', 'DECLINED']) {
      expect(await harbour.patch(`/transactions/${id}`, { status })).toMatchObject({
        status: 409,
        body: { code: 'review_required' },
      });
    }
    expect(await review(harbour, id, 'BLOCK')).toMatchObject({
      status: 200,
      body: {
        status: 'DECLINED',
        subStatus: 'BLOCKED_BY_REVIEW',
        statusReasonCode: 'COMPLIANCE',
        clearance: { outcome: 'STOP', reasons: ['DECLINED', 'BLOCKED_BY_REVIEW', 'SANCTIONS'] },
      },
    });
    const answered = await becomes(alpine, sent.id, 'DECLINED', null);
    expect(answered).toMatchObject(NEUTRAL);
  });

  test('that a tenant called a false positive holds no more', async () => {
    const first = await send({ beneficiary: { name: LISTED_NAME } });
    await held(alpine, first.id, 'SANCTIONS');
    const { sanctions } = await screeningOf(alpine, first.id);
    const { screening } = sanctions.subjects.find(({ role }) => role === 'beneficiary') ?? {};
    const suppressed = await alpine.post('/sanctions/suppressions', {
      screeningId: screening?.id,
      listCode: 'OFAC_SDN',
      listingId: '1',
    });
    expect(suppressed.status).toBe(201);
    const second = await send({ beneficiary: { name: LISTED_NAME } });
    await becomes(alpine, second.id, 'DELIVERED', 'AWAITING_COUNTERPARTY');
  });
});

test('a wallet on a list holds, whatever its case', async () => {
  const sent = await send({}, { destination: LISTED_WALLET.toUpperCase().replace('0X', '0x') });
  await held(alpine, sent.id, 'SANCTIONS');
  expect((await screeningOf(alpine, sent.id)).sanctions).toMatchObject({
    addressMatch: true,
    nameMatch: false,
  });
});

test('a sealed message is screened when it is released, and not before', async () => {
  const sent = await send();
  const { destination } = sent.blockchainInfo;
  const { id, blockchainInfo } = await arrivedAt(harbour, destination);
  expect(blockchainInfo.isDestinationConfirmed).toBe(false);
  const read = async () => (await harbour.get(`/transactions/${id}/screening`)).body;
  expect(await read()).toEqual({ version: expect.any(Number), hold: null, screening: null, reviews: [] });
  await harbour.post('/wallets', { address: destination, asset: '*', blockchain: 'Ethereum' });
  const { sanctions } = await screeningOf(harbour, id);
  expect(sanctions.subjects.find(({ role }) => role === 'originator')?.screening).not.toBeNull();
});

describe('what cannot be screened', () => {
  test('waits visibly, is tried again, and never passes as clean', async () => {
    await alpine.patch('/tenant/me/settings', {
      screening: { requiredLists: ['UN_SC'], maxWaitMinutes: 30 },
    });
    const sent = await send();
    await becomes(alpine, sent.id, 'PENDING', 'SCREENING');
    system.clock.offsetMs = 31 * MINUTE_MS;
    await system.wake('transactionLifecycle', sent.id);
    await held(alpine, sent.id, 'UNSCREENED');
    const events = await eventsOf(alpine, sent.id);
    expect(events.map(({ type }) => type)).toEqual([
      'CREATED',
      'SCREENING_DELAYED',
      'SCREENING_DELAYED',
      'HELD',
    ]);
    expect(events[1]?.data).toEqual({ what: 'SANCTIONS_LISTS' });
  });
});

describe('rules', () => {
  test('block before anything is sent; what they blocked by mistake is submitted again', async () => {
    await publish(alpine, 'OUTGOING', [rule({ conditions: ALWAYS })]);
    const sent = await send({ reference: 'first' });
    const blocked = await becomes(alpine, sent.id, 'CANCELLED', 'BLOCKED_BY_RULE');
    expect(blocked).toMatchObject({ statusReasonCode: 'COMPLIANCE', clearance: { outcome: 'STOP' } });
    expect((await harbour.get<Transaction[]>('/transactions')).body).toEqual([]);
    await publish(alpine, 'OUTGOING', []);
    const again = await alpine.post<Transaction>(`/transactions/${sent.id}/resubmit`, {});
    expect(again).toMatchObject({ status: 201, body: { resubmissionOf: sent.id, reference: null } });
    await becomes(alpine, again.body.id, 'DELIVERED', 'AWAITING_COUNTERPARTY');
    expect(await alpine.post(`/transactions/${again.body.id}/resubmit`, {})).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition' },
    });
  });

  test('let it wait, and what has waited once is decided without that rule', async () => {
    const wait = rule({ decision: 'WAIT', waitMinutes: 30, conditions: ALWAYS });
    await publish(alpine, 'OUTGOING', [wait]);
    const sent = await send();
    const waiting = await becomes(alpine, sent.id, 'PENDING', 'WAITING');
    const until = (await eventsOf(alpine, sent.id)).find(({ type }) => type === 'WAITING')?.data;
    expect(until).toEqual({ until: waiting.clearance.deadlineAt });
    expect((await alpine.post(`/sandbox/transactions/${sent.id}/fire-timer`, {})).status).toBe(202);
    await becomes(alpine, sent.id, 'DELIVERED', 'AWAITING_COUNTERPARTY');
    await recordHistory(system.client, 'transactionLifecycle', sent.id, 'waited-for-rule');
    const types = (await eventsOf(alpine, sent.id)).map(({ type }) => type);
    expect(types).toEqual(['CREATED', 'SCREENED', 'WAITING', 'TIMER_FIRED', 'SCREENED', 'DELIVERED']);
  });

  test('hold until somebody reviews', async () => {
    await publish(alpine, 'OUTGOING', [rule({ decision: 'REVIEW', conditions: ALWAYS })]);
    const sent = await send();
    await held(alpine, sent.id, 'RULE');
    expect(await review(alpine, sent.id, 'BLOCK')).toMatchObject({
      status: 200,
      body: { status: 'CANCELLED' },
    });
  });

  test('confirm and decline what has arrived, and every decision can be replayed', async () => {
    const large = { field: 'amount', operator: 'GT', value: '1' };
    await publish(harbour, 'INCOMING', [
      rule({ decision: 'BLOCK', conditions: large }),
      rule({ decision: 'PROCEED', conditions: { not: large } }),
    ]);
    const place = await ownDestination();
    const small = await send({}, place);
    await becomes(alpine, small.id, 'CONFIRMED', 'AWAITING_TRANSACTION_HASH');
    const big = await send({ amount: '2' }, await ownDestination());
    expect(await becomes(alpine, big.id, 'DECLINED', null)).toMatchObject(NEUTRAL);
    const declined = await arrivedAt(harbour, big.blockchainInfo.destination);
    await becomes(harbour, declined.id, 'DECLINED', 'BLOCKED_BY_RULE');
    const { id } = await arrivedAt(harbour, String(place['destination']));
    const configuration = (await configurations(harbour)).INCOMING;
    const replayed = await harbour.post<Json>(`/rule-engine/${configuration.id}/replay`, {
      transactionId: id,
    });
    expect(replayed).toMatchObject({ status: 200, body: { identical: true } });
    const decisions = await harbour.get<Json[]>(`/transactions/${id}/decisions`);
    expect(decisions.body).toMatchObject([{ decision: 'PROCEED', version: 1 }]);
  });

  test('see the counterparty by the policy that the tenant has for it', async () => {
    const { body: entity } = await alpine.get<{ id: string }>(`/entities/lookup?name=${harbour.name}`);
    await alpine.patch(`/counterparties/${entity.id}`, { policy: 'REVIEW' });
    await held(alpine, (await send()).id, 'COUNTERPARTY');
    await alpine.patch(`/counterparties/${entity.id}`, { policy: 'BLOCK' });
    await becomes(alpine, (await send()).id, 'CANCELLED', 'BLOCKED_BY_RULE');
  });
});

test('a new version that blocks too much is held back: its further blocks are reviews, until the next version', async () => {
  await publish(alpine, 'OUTGOING', [rule({ conditions: ALWAYS })]);
  const { id: configurationId } = (await configurations(alpine)).OUTGOING;
  const guard = async () => (await configurations(alpine)).OUTGOING.guard;
  const blocked = await Promise.all(Array.from({ length: 15 }, async () => await send()));
  for (const { id } of blocked) await becomes(alpine, id, 'CANCELLED', 'BLOCKED_BY_RULE');
  expect(await guard()).toBeNull();
  const sixteenth = await send();
  await held(alpine, sixteenth.id, 'RULE');
  const types = (await eventsOf(alpine, sixteenth.id)).map(({ type }) => type);
  expect(types).toEqual(['CREATED', 'SCREENED', 'HELD', 'BLOCK_GUARDED']);
  expect(await guard()).toEqual({ trippedAt: expect.any(String), blocked: 16, decisions: 16 });
  expect((await readFigures(system.db.pool)).guardedRules).toBe(1);
  // What the rules said is stored as they said it.
  const replayed = await alpine.post(`/rule-engine/${configurationId}/replay`, {
    transactionId: sixteenth.id,
  });
  expect(replayed.body).toMatchObject({ identical: true, stored: { decision: 'BLOCK' } });
  await held(alpine, (await send()).id, 'RULE');
  await alpine.patch('/tenant/me/settings', { rules: { blockGuard: false } });
  await becomes(alpine, (await send()).id, 'CANCELLED', 'BLOCKED_BY_RULE');
  await alpine.patch('/tenant/me/settings', { rules: { blockGuard: null } });
  await publish(alpine, 'OUTGOING', [rule({ conditions: ALWAYS, name: 'Meant so' })]);
  expect(await guard()).toBeNull();
  await becomes(alpine, (await send()).id, 'CANCELLED', 'BLOCKED_BY_RULE');
});

test('with four eyes a second person has to let pass what is held; one is enough to end it', async () => {
  const [, other] = await useFourEyes(system, alpine, { review: true });
  const decide = async (by: Pick<TestTenant, 'post'>, id: string, decision: string) =>
    await by.post<Transaction>(`/transactions/${id}/review`, { decision, reason: 'looked at by hand' });
  const sent = await send({ beneficiary: { name: LISTED_NAME } });
  await held(alpine, sent.id, 'SANCTIONS');
  expect(await decide(alpine, sent.id, 'PROCEED')).toMatchObject({
    status: 200,
    body: { status: 'PENDING', subStatus: 'ON_HOLD' },
  });
  expect(await decide(alpine, sent.id, 'PROCEED')).toMatchObject({ status: 409, body: { code: 'conflict' } });
  expect((await decide(other, sent.id, 'PROCEED')).status).toBe(200);
  await becomes(alpine, sent.id, 'DELIVERED', 'AWAITING_COUNTERPARTY');
  const types = (await eventsOf(alpine, sent.id)).map(({ type }) => type);
  expect(types).toEqual(['CREATED', 'SCREENED', 'HELD', 'REVIEWED', 'DELIVERED']);
  const refused = await send({ beneficiary: { name: LISTED_NAME } });
  await held(alpine, refused.id, 'SANCTIONS');
  expect((await decide(alpine, refused.id, 'BLOCK')).body.status).toBe('CANCELLED');
});

test('with four eyes PATCH does not confirm what rules hold', async () => {
  await useFourEyes(system, harbour, { review: true });
  await publish(harbour, 'INCOMING', [rule({ decision: 'REVIEW', conditions: ALWAYS })]);
  const place = await ownDestination();
  await send({}, place);
  const { id } = await arrivedAt(harbour, String(place['destination']));
  await held(harbour, id, 'RULE');
  expect(await harbour.patch(`/transactions/${id}`, { status: 'CONFIRMED' })).toMatchObject({
    status: 409,
    body: { code: 'review_required' },
  });
  expect((await harbour.patch(`/transactions/${id}`, { status: 'DECLINED' })).status).toBe(200);
});

test('a corrected name is screened again, also after it was sent', async () => {
  const sent = await send({}, await ownDestination());
  await becomes(alpine, sent.id, 'DELIVERED', 'AWAITING_COUNTERPARTY');
  await alpine.patch(`/transactions/${sent.id}`, { beneficiary: { name: LISTED_NAME } });
  expect(await held(alpine, sent.id, 'SANCTIONS')).toMatchObject({
    status: 'DELIVERED',
    subStatus: 'ON_HOLD',
  });
  const { id } = await arrivedAt(harbour, sent.blockchainInfo.destination);
  await held(harbour, id, 'SANCTIONS');
});

/** Compares everything that is open with the new entries of a version, as the product does, and returns the run's result. */
async function rescreen(code: string, version: number): Promise<{ id: string; result: unknown }> {
  const workflow = 'sanctionsRescreen';
  const id = workflowId(workflow, code, version);
  const args = [{ code, version, afterId: null, looked: 0, found: 0 }];
  const run = { workflowId: id, taskQueue: WORKFLOWS[workflow].taskQueue, args };
  return { id, result: await system.client.workflow.execute(workflow, run) };
}

test('a VASP that only the directory names is looked for in a new version of a list, too', async () => {
  harbour = await createTenant(system, { name: 'Quillfeather Xylander' });
  const place = await ownDestination();
  const sent = await send({ vaspInfo: {} }, place);
  await becomes(alpine, sent.id, 'DELIVERED', 'AWAITING_COUNTERPARTY');
  const entry = listEntry('8', harbour.name, { type: 'organisation' });
  await rescreen('OWN', await activateList(system.db.pool, 'OWN', [entry]));
  await held(alpine, sent.id, 'SANCTIONS');
});

test('what a new version of a list brings is looked for in everything that is open, and in nothing else', async () => {
  const beneficiary = { name: 'Ottilie Vandermolen' };
  const open = await send({ beneficiary }, await ownDestination());
  // Its receiver's record is sealed, and screened when it is released.
  const sealed = await send({ beneficiary });
  const other = await send();
  for (const { id } of [open, sealed, other]) await becomes(alpine, id, 'DELIVERED', 'AWAITING_COUNTERPARTY');
  const version = await activateList(system.db.pool, 'OWN', [listEntry('7', 'Ottilie Vandermolen')]);
  const { id, result } = await rescreen('OWN', version);
  // Of the first both tenants have an open record, of the second its sender.
  expect(result).toMatch(/^3 of /);
  await recordRun(system.client, id, { type: 'sanctionsRescreen', name: 'found-two' });
  for (const { id: sent } of [open, sealed]) await held(alpine, sent, 'SANCTIONS');
  const { destination } = sealed.blockchainInfo;
  expect((await arrivedAt(harbour, destination)).clearance.reasons).toEqual([
    'DELIVERED',
    'OWNERSHIP_UNCONFIRMED',
  ]);
  expect((await read(alpine, other.id)).clearance.reasons).toEqual(['DELIVERED', 'AWAITING_COUNTERPARTY']);
});
