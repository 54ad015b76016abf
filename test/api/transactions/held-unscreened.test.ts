import type { Json } from '../../api-client.ts';
import { addEntity, entityOf, mergeEntity } from '../../factories/directory.ts';
import { untilListsLoaded } from '../../factories/judged.ts';
import { lifecycleSteps } from '../../factories/lifecycle-steps.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTenant } from '../../factories/tenant.ts';
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
