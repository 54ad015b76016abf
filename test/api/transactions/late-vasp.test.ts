import { wakeForRescreening } from '../../../db/transactions/wake-for-rescreening.ts';
import { entityOf } from '../../factories/directory.ts';
import { untilListsLoaded } from '../../factories/judged.ts';
import { lifecycleSteps } from '../../factories/lifecycle-steps.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTenant } from '../../factories/tenant.ts';
import { createTransaction, evmAddress, registerWallet } from '../../factories/transaction.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

// A message that a reviewer has let pass while nobody was its VASP does not go to one that the tenant's policy blocks.
const { api } = useApi();
const tenant = useTenantPerTest(api);
const LISTED = 'Barnabas Ravenscrofft';
beforeAll(async () => void (await activateList(api.db.pool, 'OFAC_SDN', [listEntry('0', LISTED)])));
beforeEach(async () => {
  await api.db.pool.query('update sanctions_versions set rescreened_at = now() where rescreened_at is null');
  await untilListsLoaded(api, tenant.id);
});
const advance = async (id: string) => await lifecycleSteps(api)(tenant, { id });

/** A message to an address that nobody has registered, let pass; `register` gives the address to a VASP that is blocked. */
async function letPass(beneficiary: string) {
  const destination = evmAddress();
  const { id } = await createTransaction(tenant, {
    originator: { name: 'Eva Huber' },
    beneficiary: { name: beneficiary },
    blockchainInfo: { blockchain: 'Ethereum', destination },
  });
  expect(await advance(id)).toMatchObject({ subStatus: 'ON_HOLD' });
  const decision = { decision: 'PROCEED', reason: 'Known.' };
  expect((await tenant.post(`/transactions/${id}/review`, decision)).status).toBe(200);
  expect(await advance(id)).toMatchObject({ subStatus: 'VASP_NOT_FOUND' });
  const register = async () => {
    const blocked = await createTenant(api);
    const policy = { policy: 'BLOCK' };
    const entityId = await entityOf(api, blocked.id);
    expect((await tenant.patch(`/counterparties/${entityId}`, policy)).status).toBe(200);
    await registerWallet(blocked, destination);
  };
  return { id, register };
}

test('one that was let pass without lists, while they are still away', async () => {
  const screening = { requiredLists: ['NOT_THERE'], maxWaitMinutes: 0 };
  expect((await tenant.patch('/tenant/me/settings', { screening })).status).toBe(200);
  const { id, register } = await letPass('Jonas Brandt');
  await register();
  await api.db.pool.query('update transactions set wake_at = now() where id = $1', [id]);
  expect((await advance(id)).status).not.toBe('DELIVERED');
});

test.each([false, true])(
  'one that is due for a list; its coins are to go before its workflow runs: %s',
  async (goes) => {
    const { id, register } = await letPass(LISTED);
    await wakeForRescreening(api.db.pool, [id], new Date());
    await register();
    if (goes) await tenant.post(`/transactions/${id}/proceed`, { reason: 'Sunrise.' });
    await api.db.pool.query('update transactions set wake_at = now() where id = $1', [id]);
    expect((await advance(id)).status).not.toBe('DELIVERED');
  },
);
