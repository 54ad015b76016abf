import type { SanctionsScreening } from '../../../domain/sanctions-screening/schema.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import { addEntity, entityOf, mergeEntity } from '../../factories/directory.ts';
import { untilListsCompared } from '../../factories/judged.ts';
import { lifecycleSteps } from '../../factories/lifecycle-steps.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { createTransaction, evmAddress, registerWallet } from '../../factories/transaction.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

// A received message that is held since no list can be searched: its reviewer decides without lists, and with them once they are back.
const { api } = useApi();
const tenant = useTenantPerTest(api);
const LISTED = 'Barnabas Ravenscrofft';

beforeEach(async () => {
  await activateList(api.db.pool, 'OFAC_SDN', [listEntry('0', LISTED)]);
  await untilListsCompared(api, tenant.id);
});
const advance = async (of: TestTenant, id: string) => await lifecycleSteps(api)(of, { id });
const review = async (id: string) =>
  (await tenant.post(`/transactions/${id}/review`, { decision: 'PROCEED', reason: 'Read.' })).status;

async function listsAreAway(isAway: boolean): Promise<void> {
  const screening = { requiredLists: isAway ? ['NOT_THERE'] : [], maxWaitMinutes: 0 };
  expect((await tenant.patch('/tenant/me/settings', { screening })).status).toBe(200);
}

async function received(originator: string) {
  const sender = await createTenant(api);
  const destination = evmAddress();
  await registerWallet(tenant, destination);
  const sent = await createTransaction(sender, {
    originator: { name: originator },
    beneficiary: { name: 'Jonas Brandt' },
    blockchainInfo: { blockchain: 'Ethereum', destination },
    vaspInfo: { beneficiaryVaspName: tenant.name },
  });
  if (originator === LISTED) {
    await advance(sender, sent.id);
    const decision = { decision: 'PROCEED', reason: 'Seen.' };
    expect((await sender.post(`/transactions/${sent.id}/review`, decision)).status).toBe(200);
  }
  expect(await advance(sender, sent.id)).toMatchObject({ status: 'DELIVERED' });
  const { body } = await tenant.get<Transaction[]>('/transactions');
  const id = body[0]?.id ?? '';
  return { id, sender, sentId: sent.id };
}

/** One that was screened, and whose sender has corrected it while the lists were away. */
async function heldUnscreened() {
  const { id, sender, sentId } = await received('Eva Huber');
  await advance(tenant, id);
  await listsAreAway(true);
  const corrected = await sender.patch(`/transactions/${sentId}`, { originator: { name: 'Eva Hubert' } });
  expect(corrected.status).toBe(200);
  expect((await advance(tenant, id)).clearance.reasons).toContain('UNSCREENED');
  return { id, sender };
}

test('its reviewer decides though its sender has got a name in the directory', async () => {
  const { id, sender } = await heldUnscreened();
  await mergeEntity(api, await addEntity(api, 'Kornblum Exchange'), await entityOf(api, sender.id));
  expect(await review(id)).toBe(200);
});

test('its reviewer decides though a false positive was taken back', async () => {
  const { body } = await tenant.post<SanctionsScreening>('/sanctions/search', { name: LISTED });
  const match = { screeningId: body.id, listCode: 'OFAC_SDN', listingId: '0' };
  const made = await tenant.post<{ id: string }>('/sanctions/suppressions', match);
  const { id } = await heldUnscreened();
  expect((await tenant.delete(`/sanctions/suppressions/${made.body.id}`)).status).toBe(204);
  expect(await review(id)).toBe(200);
});

test('it is screened before its review once the lists are back, and held where they have its originator', async () => {
  await listsAreAway(true);
  const { id } = await received(LISTED);
  expect((await advance(tenant, id)).clearance.reasons).toContain('UNSCREENED');
  await listsAreAway(false);
  expect(await review(id)).toBe(409);
  expect((await advance(tenant, id)).clearance).toMatchObject({
    outcome: 'WAIT',
    reasons: expect.arrayContaining(['SANCTIONS']) as string[],
  });
});

test('it is shown to its reviewer once more when the lists are back, and then passes', async () => {
  const { id } = await heldUnscreened();
  await listsAreAway(false);
  expect([await review(id), await review(id)]).toEqual([409, 200]);
});
