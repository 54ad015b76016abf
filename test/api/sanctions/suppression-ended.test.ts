import { randomUUID } from 'node:crypto';
import { settleScreening, type TransactionJudgement } from '../../../db/lifecycle/settle-screening.ts';
import { inTransaction } from '../../../db/postgres.ts';
import { isBehindLists } from '../../../db/transactions/compared-lists.ts';
import { eventually } from '../../eventually.ts';
import type { SanctionsScreening } from '../../../domain/sanctions-screening/schema.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import { lockListVersions } from '../../../db/sanctions-lists/version-lock.ts';
import {
  holdLocks,
  waitingForAdvisoryLocks,
  waitingForRows,
  waitingForTables,
} from '../../factories/held-locks.ts';
import { markListsCompared, untilListsLoaded } from '../../factories/judged.ts';
import { lifecycleSteps } from '../../factories/lifecycle-steps.ts';
import { ruleWaits } from '../../factories/rule-waits.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import {
  createTransaction,
  evmAddress,
  readTransaction,
  registerWallet,
} from '../../factories/transaction.ts';
import { wakeMatched } from '../../../db/transactions/wake-for-rescreening.ts';
import { rescreenSteps } from '../../factories/rescreen-steps.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

// What a false positive has let pass is a match again once the false positive ends.
const { api } = useApi();
const tenant = useTenantPerTest(api);
const LISTED = 'Barnabas Ravenscrofft';
let version = 0;
beforeEach(async () => {
  version = await activateList(api.db.pool, 'OFAC_SDN', [listEntry('0', LISTED)]);
  await untilListsLoaded(api, tenant.id);
});
const advance = async (of: TestTenant, id: string) => await lifecycleSteps(api)(of, { id });

async function suppress(): Promise<string> {
  // A false positive is of an entry as it is in one version: the present one must be loaded.
  const { body } = await eventually(
    async () => await tenant.post<SanctionsScreening>('/sanctions/search', { name: LISTED }),
    ({ body: { lists } }) => lists.some((list) => list.version === version),
  );
  expect(body.sanctioned).toBe(true);
  const made = await tenant.post<{ id: string }>('/sanctions/suppressions', {
    screeningId: body.id,
    listCode: 'OFAC_SDN',
    listingId: '0',
  });
  expect(made.status).toBe(201);
  return made.body.id;
}

async function received(originator = LISTED): Promise<string> {
  const other = await createTenant(api);
  const destination = evmAddress();
  await registerWallet(tenant, destination);
  const sent = await createTransaction(other, {
    originator: { name: originator },
    beneficiary: { name: 'Jonas Brandt' },
    blockchainInfo: { blockchain: 'Ethereum', destination },
    vaspInfo: { beneficiaryVaspName: tenant.name },
  });
  await advance(other, sent.id);
  if (originator === LISTED) {
    const released = await other.post(`/transactions/${sent.id}/review`, {
      decision: 'PROCEED',
      reason: 'Seen.',
    });
    expect(released.status).toBe(200);
    await advance(other, sent.id);
  }
  const { body } = await tenant.get<Transaction[]>('/transactions');
  return body[0]?.id ?? '';
}

test('a message whose false positive is taken back is not confirmed without a review', async () => {
  const suppressionId = await suppress();
  const id = await received();
  const open = await advance(tenant, id);
  expect(open.clearance.reasons).not.toContain('SANCTIONS');
  expect((await tenant.delete(`/sanctions/suppressions/${suppressionId}`)).status).toBeLessThan(300);
  const answer = await tenant.patch(`/transactions/${id}`, { status: 'CONFIRMED' });
  expect([answer.status, answer.body['code']]).toEqual([409, 'review_required']);
  const after = await readTransaction(tenant, id);
  expect(after.clearance).toMatchObject({
    outcome: 'WAIT',
    reasons: expect.arrayContaining(['SANCTIONS']) as string[],
  });
});

test('a message whose false positive ends because the list changes the entry is not confirmed without a review', async () => {
  await suppress();
  const id = await received();
  const open = await advance(tenant, id);
  expect(open.clearance.reasons).not.toContain('SANCTIONS');
  const version = await activateList(api.db.pool, 'OFAC_SDN', [
    listEntry('0', LISTED, { birthDates: ['1970-01-01'] }),
  ]);
  await rescreenSteps(api).rescreenOpen({ code: 'OFAC_SDN', version, afterId: null });
  await eventually(
    async () => await tenant.post<SanctionsScreening>('/sanctions/search', { name: LISTED }),
    ({ body }) => body.sanctioned,
  );
  const answer = await tenant.patch(`/transactions/${id}`, { status: 'CONFIRMED' });
  expect([answer.status, answer.body['code']]).toEqual([409, 'review_required']);
  const after = await readTransaction(tenant, id);
  expect(after.clearance).toMatchObject({
    outcome: 'WAIT',
    reasons: expect.arrayContaining(['SANCTIONS']) as string[],
  });
});

test('a message that waits under a rule is seen once more when a false positive ends, and then passes', async () => {
  await ruleWaits(api).publish(tenant, 'INCOMING', {
    field: 'counterpartyEntityId',
    operator: 'NOT_IN',
    value: [randomUUID()],
  });
  const id = await received('Jonas Brandt');
  expect(await advance(tenant, id)).toMatchObject({ status: 'DELIVERED', subStatus: 'WAITING' });
  expect((await tenant.delete(`/sanctions/suppressions/${await suppress()}`)).status).toBe(204);
  const review = async () =>
    (await tenant.post(`/transactions/${id}/review`, { decision: 'PROCEED', reason: 'Seen.' })).status;
  expect([await review(), await review()]).toEqual([409, 200]);
});

test('a screening that began before a false positive ended does not count', async () => {
  const suppressionId = await suppress();
  const other = await createTenant(api);
  const { id } = await createTransaction(tenant, {
    originator: { name: LISTED },
    vaspInfo: { beneficiaryVaspName: other.name },
  });
  const judged = await ruleWaits(api).judge(tenant, id);
  expect(judged.verdict.hold).toBeNull();
  expect((await tenant.delete(`/sanctions/suppressions/${suppressionId}`)).status).toBe(204);
  expect(await settleScreening(api.db, judged)).toBe('STALE');
});

test('a false positive that is taken back while the row of its tenant is locked ends after that wait', async () => {
  const suppressionId = await suppress();
  const other = await createTenant(api);
  const { id } = await createTransaction(tenant, {
    originator: { name: LISTED },
    vaspInfo: { beneficiaryVaspName: other.name },
  });
  const judged = await ruleWaits(api).judge(tenant, id);
  const removal = await inTransaction(api.db.pool, async (tx) => {
    await tx.query('select from tenants where id = $1 for no key update', [tenant.id]);
    const removed = tenant.delete(`/sanctions/suppressions/${suppressionId}`);
    await eventually(
      async () => await waitingForRows(api),
      (count) => count > 0,
    );
    // Of a change that is not stored yet the screening cannot know.
    expect(await settleScreening(api.db, judged)).not.toBe('STALE');
    return { removed };
  });
  expect((await removal.removed).status).toBe(204);
  expect(await isBehindLists(api.db.pool, { tenantId: tenant.id, id })).toBe(true);
});

const isAnyoneWaiting = async () => (await waitingForTables(api)) > 0;

test.each([
  ['by itself', async (judged: TransactionJudgement) => await settleScreening(api.db, judged)],
  ['with the delivery', async ({ open }: TransactionJudgement) => await advance(tenant, open.record.id)],
])(
  'a false positive that is taken back while a screening is being stored %s ends after that',
  async (_how, store) => {
    const suppressionId = await suppress();
    const other = await createTenant(api);
    const { id } = await createTransaction(tenant, {
      originator: { name: LISTED },
      vaspInfo: { beneficiaryVaspName: other.name },
    });
    const judged = await ruleWaits(api).judge(tenant, id);
    const ways = await inTransaction(api.db.pool, async (tx) => {
      // Makes the moment long between the check of what the screening rests on and its insert.
      await tx.query('lock table events in share mode');
      const stored = store(judged);
      await eventually(isAnyoneWaiting, (isWaiting) => isWaiting);
      let isEnded = false;
      const removed = tenant
        .delete(`/sanctions/suppressions/${suppressionId}`)
        .finally(() => (isEnded = true));
      await eventually(async () => isEnded || (await waitingForAdvisoryLocks(api)) > 0, Boolean);
      return { stored, removed };
    });
    await ways.stored;
    expect((await ways.removed).status).toBe(204);
    expect(await isBehindLists(api.db.pool, { tenantId: tenant.id, id })).toBe(true);
  },
);

test('a false positive of one tenant has nothing of another screened again when the list changes the entry', async () => {
  const [sender, other] = [await createTenant(api), await createTenant(api)];
  const { id } = await createTransaction(sender, {
    originator: { name: LISTED },
    vaspInfo: { beneficiaryVaspName: other.name },
  });
  expect(await advance(sender, id)).toMatchObject({ subStatus: 'ON_HOLD' });
  const operator = { operatorKey: api.operatorKey };
  expect((await api.request('POST', `/operator/tenants/${other.id}/suspend`, operator)).status).toBe(200);
  const reviewed = await sender.post(`/transactions/${id}/review`, { decision: 'PROCEED', reason: 'Seen.' });
  expect(reviewed.status).toBe(200);
  expect(await advance(sender, id)).toMatchObject({ subStatus: 'VASP_NOT_REACHABLE' });
  const change = async (birthDate: string) => {
    const entry = listEntry('0', LISTED, { birthDates: [birthDate] });
    version = await activateList(api.db.pool, 'OFAC_SDN', [entry]);
  };
  await change('1970-01-01');
  await suppress();
  await change('1971-01-01');
  await rescreenSteps(api).rescreenOpen({ code: 'OFAC_SDN', version, afterId: null });
  const { rows } = await api.db.pool.query('select screening_state from transactions where id = $1', [id]);
  expect(rows).toEqual([{ screening_state: 'REVIEWED' }]);
});

/** A message of the tenant in the name of a listed person, which a false positive lets pass, and its receiver. */
async function delivered() {
  const other = await createTenant(api);
  const destination = evmAddress();
  await registerWallet(other, destination);
  const { id } = await createTransaction(tenant, {
    originator: { name: LISTED },
    beneficiary: { name: 'Jonas Brandt' },
    blockchainInfo: { blockchain: 'Ethereum', destination },
    vaspInfo: { beneficiaryVaspName: other.name },
  });
  expect(await advance(tenant, id)).toMatchObject({ status: 'DELIVERED' });
  const { body } = await other.get<Transaction[]>('/transactions');
  return { id, other, receivedId: body[0]?.id ?? '' };
}

test('a message whose false positive is taken back after its delivery is compared once its receiver confirms it', async () => {
  const suppressionId = await suppress();
  const { id, other, receivedId } = await delivered();
  expect((await tenant.delete(`/sanctions/suppressions/${suppressionId}`)).status).toBe(204);
  const decision = { decision: 'PROCEED', reason: 'Seen.' };
  expect((await other.post(`/transactions/${receivedId}/review`, decision)).status).toBe(200);
  const confirmed = await readTransaction(tenant, id);
  expect(confirmed).toMatchObject({ status: 'CONFIRMED', clearance: { outcome: 'WAIT' } });
  expect(await advance(tenant, id)).toMatchObject({ status: 'CONFIRMED', subStatus: 'ON_HOLD' });
});

async function listsAreAway(isAway: boolean): Promise<void> {
  const screening = { requiredLists: isAway ? ['NOT_THERE'] : [], maxWaitMinutes: 0 };
  expect((await tenant.patch('/tenant/me/settings', { screening })).status).toBe(200);
}
const review = async (of: TestTenant, id: string) =>
  (await of.post(`/transactions/${id}/review`, { decision: 'PROCEED', reason: 'Seen.' })).status;

/** A message that was delivered without a screening, as its reviewer wanted it, and the receiver. */
async function passedUnscreened(): Promise<{ id: string; other: TestTenant }> {
  await listsAreAway(true);
  const other = await createTenant(api);
  const destination = evmAddress();
  await registerWallet(other, destination);
  const { id } = await createTransaction(tenant, {
    originator: { name: LISTED },
    beneficiary: { name: 'Jonas Brandt' },
    blockchainInfo: { blockchain: 'Ethereum', destination },
    vaspInfo: { beneficiaryVaspName: other.name },
  });
  expect((await advance(tenant, id)).clearance.reasons).toContain('UNSCREENED');
  expect(await review(tenant, id)).toBe(200);
  expect(await advance(tenant, id)).toMatchObject({ status: 'DELIVERED' });
  return { id, other };
}

async function confirmedBy(other: TestTenant): Promise<void> {
  const { body } = await other.get<Transaction[]>('/transactions');
  expect(await review(other, body[0]?.id ?? '')).toBe(200);
}

test('a message that was let pass unscreened, and is compared since, waits for that once more when it is confirmed', async () => {
  const suppressionId = await suppress();
  const { id, other } = await passedUnscreened();
  await listsAreAway(false);
  // As when a list gets its first version: that adds too many entries to look for them one by one.
  await wakeMatched(api.db.pool, [id], new Date());
  expect((await advance(tenant, id)).subStatus).toBe('AWAITING_COUNTERPARTY');
  expect((await tenant.delete(`/sanctions/suppressions/${suppressionId}`)).status).toBe(204);
  await confirmedBy(other);
  expect((await readTransaction(tenant, id)).clearance.outcome).toBe('WAIT');
  expect(await advance(tenant, id)).toMatchObject({ status: 'CONFIRMED', subStatus: 'ON_HOLD' });
});

test('what was never compared waits for no lists because a false positive was taken back once', async () => {
  expect((await tenant.delete(`/sanctions/suppressions/${await suppress()}`)).status).toBe(204);
  await rescreenSteps(api).rescreenOpen({ code: 'OFAC_SDN', version, afterId: null });
  await markListsCompared(api);
  const { id, other } = await passedUnscreened();
  expect((await tenant.post(`/transactions/${id}/proceed`, { reason: 'Sunrise.' })).status).toBe(200);
  await confirmedBy(other);
  expect((await readTransaction(tenant, id)).clearance.outcome).toBe('GO');
  const receivedId = await received('Eva Huber');
  expect((await advance(tenant, receivedId)).clearance.reasons).toContain('UNSCREENED');
  expect(await review(tenant, receivedId)).toBe(200);
});

/** Whoever waits for the lists is waited for. */
const untilSomebodyWaits = async () =>
  await eventually(
    async () => await waitingForAdvisoryLocks(api),
    (count) => count > 0,
  );

test('a false positive of the sender that ends while the receiver confirms leaves its coins waiting', async () => {
  const suppressionId = await suppress();
  const { id, other, receivedId } = await delivered();
  await advance(other, receivedId);
  await markListsCompared(api);
  const release = await holdLocks(api, lockListVersions);
  const decision = { decision: 'PROCEED', reason: 'Seen.' };
  const confirmed = other.post(`/transactions/${receivedId}/review`, decision);
  await untilSomebodyWaits();
  expect((await tenant.delete(`/sanctions/suppressions/${suppressionId}`)).status).toBe(204);
  await release();
  expect((await confirmed).status).toBe(200);
  const { status, clearance } = await readTransaction(tenant, id);
  expect([status, clearance.outcome]).toEqual(['CONFIRMED', 'WAIT']);
});
