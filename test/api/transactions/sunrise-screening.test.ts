import { lifecycleSteps } from '../../factories/lifecycle-steps.ts';
import { untilListsLoaded } from '../../factories/judged.ts';
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

async function unrouted(beneficiary = 'Jonas Brandt'): Promise<string> {
  const { id } = await createTransaction(tenant, {
    originator: { name: 'Eva Huber' },
    beneficiary: { name: beneficiary },
    vaspInfo: { beneficiaryVaspName: 'Nobody Knows It' },
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

test('one whose judgement stands as it was goes once a false positive was taken back', async () => {
  const id = await unrouted();
  const { body } = await tenant.post<{ id: string }>('/sanctions/search', { name: LISTED });
  const match = { screeningId: body.id, listCode: 'OFAC_SDN', listingId: '0' };
  const made = await tenant.post<{ id: string }>('/sanctions/suppressions', match);
  expect((await tenant.delete(`/sanctions/suppressions/${made.body.id}`)).status).toBe(204);
  expect((await proceed(id)).status).toBe(200);
});
