import { IndexNotLoaded } from '../../../sanctions-index/screen-subjects.ts';
import type { Json } from '../../api-client.ts';
import { eventually } from '../../eventually.ts';
import { addEntity, entityOf, mergeEntity } from '../../factories/directory.ts';
import { untilListsCompared, untilListsLoaded } from '../../factories/judged.ts';
import { lifecycleSteps } from '../../factories/lifecycle-steps.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { createTransaction, evmAddress, registerWallet } from '../../factories/transaction.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

// While a required list stays away, a reviewer decides on what is held as UNSCREENED; once it is back, with the lists.
const { api } = useApi();
const tenant = useTenantPerTest(api);

beforeAll(
  async () => void (await activateList(api.db.pool, 'OFAC_SDN', [listEntry('0', 'Barnabas Ravenscrofft')])),
);

const advance = async (id: string) => await lifecycleSteps(api)(tenant, { id });
const review = async (id: string) =>
  (await tenant.post(`/transactions/${id}/review`, { decision: 'PROCEED', reason: 'Known.' })).status;

async function listsAreAway(isAway = true): Promise<void> {
  const screening = { requiredLists: isAway ? ['NOT_THERE'] : [], maxWaitMinutes: 0 };
  expect((await tenant.patch('/tenant/me/settings', { screening })).status).toBe(200);
}

async function send(beneficiary = 'Jonas Brandt') {
  const other = await createTenant(api);
  const destination = evmAddress();
  await registerWallet(other, destination);
  const { id } = await createTransaction(tenant, {
    originator: { name: 'Eva Huber' },
    beneficiary: { name: beneficiary },
    vaspInfo: { beneficiaryVaspName: other.name },
    blockchainInfo: { blockchain: 'Ethereum', destination },
  });
  return { id, other };
}

test('one whose data is corrected is held again, and its reviewer lets it pass', async () => {
  await listsAreAway();
  const { id } = await send();
  expect((await advance(id)).clearance.reasons).toContain('UNSCREENED');
  await tenant.patch(`/transactions/${id}`, { beneficiary: { name: 'Jonas Brandl' } });
  expect((await advance(id)).clearance.reasons).toContain('UNSCREENED');
  expect(await review(id)).toBe(200);
  expect(await advance(id)).toMatchObject({ status: 'DELIVERED' });
});

test('one whose VASP gets a name in the directory meanwhile is let pass by its reviewer', async () => {
  const { id, other } = await send();
  const { operatorKey } = api;
  expect((await api.request('POST', `/operator/tenants/${other.id}/suspend`, { operatorKey })).status).toBe(
    200,
  );
  expect(await advance(id)).toMatchObject({ subStatus: 'VASP_NOT_REACHABLE' });
  await listsAreAway();
  await api.db.pool.query('update transactions set wake_at = now() where id = $1', [id]);
  expect((await advance(id)).clearance.reasons).toContain('UNSCREENED');
  await mergeEntity(api, await addEntity(api, 'Kornblum Exchange'), await entityOf(api, other.id));
  expect(await review(id)).toBe(200);
});

test('one is screened before its review once the lists are back, and held where they have its beneficiary', async () => {
  await untilListsLoaded(api, tenant.id);
  await listsAreAway();
  const { id } = await send('Barnabas Ravenscrofft');
  expect((await advance(id)).clearance.reasons).toContain('UNSCREENED');
  await listsAreAway(false);
  expect(await review(id)).toBe(409);
  expect((await advance(id)).clearance.reasons).toContain('SANCTIONS');
});

test('a clean one is screened before its review once the lists are back, and passes', async () => {
  await untilListsLoaded(api, tenant.id);
  await listsAreAway();
  const { id } = await send();
  expect((await advance(id)).clearance.reasons).toContain('UNSCREENED');
  await listsAreAway(false);
  expect([await review(id), await review(id)]).toEqual([409, 200]);
  expect((await tenant.get<Json | null>(`/transactions/${id}/screening`)).body).toMatchObject({
    screening: { sanctions: { nameMatch: false } },
  });
  expect(await advance(id)).toMatchObject({ status: 'DELIVERED' });
});

/** A message to a listed beneficiary that is held without lists, which are back. */
async function heldListed() {
  await untilListsCompared(api, tenant.id);
  await listsAreAway();
  const { id, other } = await send('Barnabas Ravenscrofft');
  expect((await advance(id)).clearance.reasons).toContain('UNSCREENED');
  return { id, other };
}

test('while the process still loads the lists, nobody decides without them', async () => {
  const { id } = await heldListed();
  await listsAreAway(false);
  const loading = jest.spyOn(api.deps.subjects, 'prepare').mockRejectedValue(new IndexNotLoaded());
  expect(await review(id)).toBe(409);
  loading.mockRestore();
  await eventually(
    async () => await advance(id),
    ({ clearance }) => clearance.reasons.includes('SANCTIONS'),
  );
});

test('of several that let it pass at once, none releases what the first of them has found', async () => {
  const { id } = await heldListed();
  await listsAreAway(false);
  const reviews = await Promise.all(Array.from({ length: 8 }, async () => await review(id)));
  expect(new Set(reviews)).toEqual(new Set([409]));
  expect((await advance(id)).clearance.reasons).toContain('SANCTIONS');
});

test('what is found between the screening of a review and its decision was not seen', async () => {
  const { id } = await heldListed();
  const { screenInRequest } = api.deps;
  const between = jest.spyOn(api.deps, 'screenInRequest').mockImplementationOnce(async (ref) => {
    const looked = await screenInRequest(ref);
    await listsAreAway(false);
    expect(await review(id)).toBe(409);
    return looked;
  });
  expect(await review(id)).toBe(409);
  between.mockRestore();
  expect((await advance(id)).clearance.reasons).toContain('SANCTIONS');
});

const setSuspended = async ({ id }: TestTenant, isSuspended: boolean) => {
  const path = `/operator/tenants/${id}/${isSuspended ? 'suspend' : 'resume'}`;
  expect((await api.request('POST', path, { operatorKey: api.operatorKey })).status).toBe(200);
};

test('one that was let pass is not held again at the next attempt while the lists are away', async () => {
  const { id, other } = await heldListed();
  await setSuspended(other, true);
  expect(await review(id)).toBe(200);
  expect(await advance(id)).toMatchObject({ subStatus: 'VASP_NOT_REACHABLE' });
  await api.db.pool.query('update transactions set wake_at = now() where id = $1', [id]);
  expect(await advance(id)).toMatchObject({ status: 'PENDING', subStatus: 'VASP_NOT_REACHABLE' });
  await setSuspended(other, false);
  await api.db.pool.query('update transactions set wake_at = now() where id = $1', [id]);
  expect(await advance(id)).toMatchObject({ status: 'DELIVERED' });
});

test('one that was delivered without lists is compared before its coins go without an answer', async () => {
  const { id } = await heldListed();
  expect(await review(id)).toBe(200);
  expect(await advance(id)).toMatchObject({ status: 'DELIVERED' });
  await listsAreAway(false);
  expect((await tenant.post(`/transactions/${id}/proceed`, { reason: 'Sunrise.' })).status).toBe(409);
  expect((await advance(id)).clearance.reasons).toContain('SANCTIONS');
});
