import { randomUUID } from 'node:crypto';
import { addEntity, mergeEntity } from '../../factories/directory.ts';
import { isUncompared } from '../../../db/lifecycle/uncompared.ts';
import { inTransaction } from '../../../db/postgres.ts';
import { getTransaction } from '../../../db/transactions/find-transaction.ts';
import { lifecycleSteps } from '../../factories/lifecycle-steps.ts';
import { markListsCompared, untilListsLoaded } from '../../factories/judged.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTransaction, readTransaction } from '../../factories/transaction.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

// A message that found no VASP waits for its next routing, and is screened for that: until then its coins must not go unscreened.
const { api, database } = useApi();
const tenant = useTenantPerTest(api);
const LISTED = 'Barnabas Ravenscrofft';
const LATER = 'Grigori Rasputin';

const list = async (...names: string[]) =>
  await activateList(
    api.db.pool,
    'OFAC_SDN',
    names.map((name, at) => listEntry(String(at), name)),
  );
beforeEach(async () => {
  await list(LISTED);
  await untilListsLoaded(api, tenant.id);
});

const proceed = async (id: string) =>
  await tenant.post(`/transactions/${id}/proceed`, { reason: 'Sunrise.' });

async function unrouted(
  beneficiary = 'Jonas Brandt',
  beneficiaryVaspName = 'Nobody Knows It',
): Promise<string> {
  const { id } = await createTransaction(tenant, {
    originator: { name: 'Eva Huber' },
    beneficiary: { name: beneficiary },
    vaspInfo: { beneficiaryVaspName },
  });
  const waiting = await lifecycleSteps(api)(tenant, { id });
  expect(waiting).toMatchObject({ status: 'PENDING', subStatus: 'VASP_NOT_FOUND' });
  return id;
}

test('a message as it was screened goes, and one whose beneficiary is another now is held', async () => {
  expect((await proceed(await unrouted())).status).toBe(200);
  const id = await unrouted();
  expect((await tenant.patch(`/transactions/${id}`, { beneficiary: { name: LISTED } })).status).toBe(200);
  const answer = await proceed(id);
  expect([answer.status, answer.body['code']]).toEqual([409, 'review_required']);
  const held = await readTransaction(tenant, id);
  expect(held).toMatchObject({ subStatus: 'ON_HOLD', sunriseOverride: null });
});

test.each([false, true])(
  'one whose VASP is in the directory by now, on no network, goes; its workflow has run since: %s',
  async (hasRun) => {
    const name = `Kornblum ${randomUUID()}`;
    const id = await unrouted('Jonas Brandt', name);
    await addEntity(api, name);
    if (hasRun) await lifecycleSteps(api)(tenant, { id });
    expect((await proceed(id)).status).toBe(200);
  },
);

test('while a required list is missing nothing new goes', async () => {
  const id = await unrouted();
  await tenant.patch('/tenant/me/settings', { screening: { requiredLists: ['NOT_THERE'] } });
  await tenant.patch(`/transactions/${id}`, { beneficiary: { name: LISTED } });
  const answer = await proceed(id);
  expect([answer.status, answer.body['code']]).toEqual([409, 'screening_pending']);
});

test('a name that a new version of a list has is held, whether it was compared yet or not', async () => {
  const id = await unrouted(LATER);
  await list(LISTED, LATER);
  const answer = await proceed(id);
  expect(answer.status).toBe(409);
  expect(await readTransaction(tenant, id)).toMatchObject({ sunriseOverride: null });
});

test('one that has failed is tried again first when a list has a new version since', async () => {
  const [before, after] = [await unrouted(), await unrouted()];
  await database.pool.query(
    `update transactions set status = 'FAILED', screening_state = 'CLEARED' where id = any($1)`,
    [[before, after]],
  );
  expect((await proceed(before)).status).toBe(200);
  await list(LISTED, LATER);
  const answer = await proceed(after);
  expect([answer.status, answer.body['code']]).toEqual([409, 'review_required']);
});

test('one that has failed is tried again first when its data is another since', async () => {
  const id = await unrouted();
  await database.pool.query(
    `update transactions set status = 'FAILED', screening_state = 'CLEARED' where id = $1`,
    [id],
  );
  expect((await tenant.patch(`/transactions/${id}`, { beneficiary: { name: LISTED } })).status).toBe(200);
  const answer = await proceed(id);
  expect([answer.status, answer.body['code']]).toEqual([409, 'review_required']);
  expect((await tenant.post(`/transactions/${id}/retry`)).status).toBe(200);
  expect(await lifecycleSteps(api)(tenant, { id })).toMatchObject({ subStatus: 'ON_HOLD' });
});

test('one whose judgement stands as it was goes once a false positive was taken back', async () => {
  const id = await unrouted();
  const { body } = await tenant.post<{ id: string }>('/sanctions/search', { name: LISTED });
  const match = { screeningId: body.id, listCode: 'OFAC_SDN', listingId: '0' };
  const made = await tenant.post<{ id: string }>('/sanctions/suppressions', match);
  expect((await tenant.delete(`/sanctions/suppressions/${made.body.id}`)).status).toBe(204);
  expect((await proceed(id)).status).toBe(200);
});

const listsAreAway = async (isAway: boolean) =>
  await tenant.patch('/tenant/me/settings', {
    screening: { requiredLists: isAway ? ['NOT_THERE'] : [], maxWaitMinutes: 0 },
  });

/** A message that a reviewer has let pass without lists, and that found no VASP; the lists are back. */
async function passedUnscreened(beneficiary: string, beneficiaryVaspName: string): Promise<string> {
  await markListsCompared(api);
  await listsAreAway(true);
  const { id } = await createTransaction(tenant, {
    originator: { name: 'Eva Huber' },
    beneficiary: { name: beneficiary },
    vaspInfo: { beneficiaryVaspName },
  });
  const advance = async () => await lifecycleSteps(api)(tenant, { id });
  expect((await advance()).clearance.reasons).toContain('UNSCREENED');
  const decision = { decision: 'PROCEED', reason: 'Seen.' };
  expect((await tenant.post(`/transactions/${id}/review`, decision)).status).toBe(200);
  expect(await advance()).toMatchObject({ status: 'PENDING', subStatus: 'VASP_NOT_FOUND' });
  await listsAreAway(false);
  return id;
}

test('one that was let pass unscreened is screened once the lists are back, and goes if they have nothing of it', async () => {
  const id = await passedUnscreened(LISTED, `Nowhere ${randomUUID()}`);
  expect((await proceed(id)).status).toBe(409);
  expect(await readTransaction(tenant, id)).toMatchObject({ subStatus: 'ON_HOLD', sunriseOverride: null });
  expect((await proceed(await passedUnscreened('Jonas Brandt', `Nowhere ${randomUUID()}`))).status).toBe(200);
});

test('one that was let pass unscreened does not go to a VASP that the directory has under a listed name', async () => {
  const name = `Kornblum ${randomUUID()}`;
  await mergeEntity(api, await addEntity(api, LISTED), await addEntity(api, name));
  expect((await proceed(await passedUnscreened('Jonas Brandt', name))).status).toBe(409);
});

test('one that was let pass unscreened goes while a required list is still away', async () => {
  const id = await passedUnscreened(LISTED, `Nowhere ${randomUUID()}`);
  await listsAreAway(true);
  expect((await proceed(id)).status).toBe(200);
});

test('one that was let pass unscreened cannot be compared while there is no list at all', async () => {
  const id = await passedUnscreened('Jonas Brandt', `Nowhere ${randomUUID()}`);
  const record = await getTransaction(api.db, tenant.id, id);
  expect(await isUncompared(api.db.pool, record)).toBe(true);
  await inTransaction(api.db.pool, async (tx) => {
    await tx.query('savepoint with_lists');
    await tx.query('update sanctions_lists set active_version = null');
    expect(await isUncompared(tx, record)).toBe(false);
    await tx.query('rollback to with_lists');
  });
});
