import { brakeActivities } from '../../../activities/brakes/brake-activities.ts';
import { lifecycleSteps } from '../../factories/lifecycle-steps.ts';
import { activateList, listEntry, untilLoaded } from '../../factories/sanctions.ts';
import { createTenant } from '../../factories/tenant.ts';
import { createTransaction, evmAddress, registerWallet } from '../../factories/transaction.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

// A release without lists counts for the next step, not for one that comes after a brake.
const { api } = useApi();
const tenant = useTenantPerTest(api);
const LISTED = 'Barnabas Ravenscrofft';
beforeAll(async () => {
  await activateList(api.db.pool, 'OFAC_SDN', [listEntry('0', LISTED)]);
  await untilLoaded(api.screener, 'OFAC_SDN');
});
const advance = async (id: string) => await lifecycleSteps(api)(tenant, { id });

test('a message that was let pass unscreened before a brake is screened when the brake ends', async () => {
  const other = await createTenant(api);
  const destination = evmAddress();
  await registerWallet(other, destination);
  await tenant.patch('/tenant/me/settings', {
    screening: { requiredLists: ['NOT_THERE'], maxWaitMinutes: 0 },
  });
  const { id } = await createTransaction(tenant, {
    originator: { name: 'Eva Huber' },
    beneficiary: { name: LISTED },
    vaspInfo: { beneficiaryVaspName: other.name },
    blockchainInfo: { blockchain: 'Ethereum', destination },
  });
  expect((await advance(id)).clearance.reasons).toContain('UNSCREENED');
  const { body } = await tenant.post<{ id: string }>('/tenant/me/brakes', {
    kind: 'OUTGOING',
    reason: 'Examined.',
  });
  expect(
    (await tenant.post(`/transactions/${id}/review`, { decision: 'PROCEED', reason: 'Known.' })).status,
  ).toBe(200);
  expect(await advance(id)).toMatchObject({ status: 'PENDING', subStatus: 'PAUSED' });
  await tenant.patch('/tenant/me/settings', { screening: { requiredLists: [] } });
  expect((await tenant.post(`/tenant/me/brakes/${body.id}/release`, {})).status).toBe(200);
  const steps = brakeActivities({
    db: api.db,
    now: () => new Date(),
    notifyWorkflows: () => undefined,
  });
  await steps.takeUpOldest({ id: body.id });
  expect(await advance(id)).toMatchObject({ status: 'PENDING', subStatus: 'ON_HOLD' });
});
