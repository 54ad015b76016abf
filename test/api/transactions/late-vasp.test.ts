import { wakeForRescreening } from '../../../db/transactions/wake-for-rescreening.ts';
import { entityOf } from '../../factories/directory.ts';
import { untilListsCompared } from '../../factories/judged.ts';
import { lifecycleSteps } from '../../factories/lifecycle-steps.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { createTransaction, evmAddress, registerWallet } from '../../factories/transaction.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

// A message that a reviewer has let pass while nobody was its VASP does not go to one that the tenant's policy blocks.
const { api } = useApi();
const tenant = useTenantPerTest(api);
const LISTED = 'Barnabas Ravenscrofft';
beforeAll(async () => void (await activateList(api.db.pool, 'OFAC_SDN', [listEntry('0', LISTED)])));
beforeEach(async () => {
  await untilListsCompared(api, tenant.id);
});
const advance = async (id: string) => await lifecycleSteps(api)(tenant, { id });

/** A message to an address, let pass by a reviewer; `holder` has registered it. */
async function letPass(beneficiary: string, holder?: TestTenant) {
  const destination = evmAddress();
  if (holder) await registerWallet(holder, destination);
  const { id } = await createTransaction(tenant, {
    originator: { name: 'Eva Huber' },
    beneficiary: { name: beneficiary },
    blockchainInfo: { blockchain: 'Ethereum', destination },
  });
  expect(await advance(id)).toMatchObject({ subStatus: 'ON_HOLD' });
  const decision = { decision: 'PROCEED', reason: 'Known.' };
  expect((await tenant.post(`/transactions/${id}/review`, decision)).status).toBe(200);
  return { id, destination };
}

/** Gives an address to a VASP that the tenant's policy blocks. */
async function registerBlocked(destination: string) {
  const blocked = await createTenant(api);
  const entityId = await entityOf(api, blocked.id);
  expect((await tenant.patch(`/counterparties/${entityId}`, { policy: 'BLOCK' })).status).toBe(200);
  await registerWallet(blocked, destination);
}

/** Takes the address from its holder and gives it to a VASP that the tenant's policy blocks. */
async function moveToBlocked(holder: TestTenant, destination: string) {
  const { body } = await holder.get<{ id: number }[]>('/wallets');
  expect((await holder.delete(`/wallets/${body[0]?.id}`)).status).toBeLessThan(300);
  await registerBlocked(destination);
}

async function listsAreAway() {
  const screening = { requiredLists: ['NOT_THERE'], maxWaitMinutes: 0 };
  expect((await tenant.patch('/tenant/me/settings', { screening })).status).toBe(200);
}

async function tryAgain(id: string) {
  await api.db.pool.query('update transactions set wake_at = now() where id = $1', [id]);
  return await advance(id);
}

test('one that was let pass without lists, while they are still away', async () => {
  await listsAreAway();
  const { id, destination } = await letPass('Jonas Brandt');
  expect(await advance(id)).toMatchObject({ subStatus: 'VASP_NOT_FOUND' });
  await registerBlocked(destination);
  expect((await tryAgain(id)).status).not.toBe('DELIVERED');
});

const setSuspended = async ({ id }: TestTenant, isSuspended: boolean) => {
  const path = `/operator/tenants/${id}/${isSuspended ? 'suspend' : 'resume'}`;
  expect((await api.request('POST', path, { operatorKey: api.operatorKey })).status).toBe(200);
};

test.each([true, false])(
  'one that was let pass without lists, and whose VASP was not reached; another has its address by now: %s',
  async (isAnother) => {
    await listsAreAway();
    const holder = await createTenant(api);
    const { id, destination } = await letPass('Jonas Brandt', holder);
    await setSuspended(holder, true);
    expect(await advance(id)).toMatchObject({ subStatus: 'VASP_NOT_REACHABLE' });
    await setSuspended(holder, false);
    if (isAnother) await moveToBlocked(holder, destination);
    const { status, subStatus } = await tryAgain(id);
    expect([status, subStatus]).toEqual(
      isAnother ? ['PENDING', 'ON_HOLD'] : ['DELIVERED', expect.anything()],
    );
  },
);

test.each([false, true])(
  'one that is due for a list; its coins are to go before its workflow runs: %s',
  async (goes) => {
    const { id, destination } = await letPass(LISTED);
    expect(await advance(id)).toMatchObject({ subStatus: 'VASP_NOT_FOUND' });
    await wakeForRescreening(api.db.pool, [id], new Date());
    await registerBlocked(destination);
    if (goes) await tenant.post(`/transactions/${id}/proceed`, { reason: 'Sunrise.' });
    expect((await tryAgain(id)).status).not.toBe('DELIVERED');
  },
);

const proceed = async (id: string) =>
  (await tenant.post(`/transactions/${id}/proceed`, { reason: 'Sunrise.' })).status;

test.each([false, true])(
  'coins go without an answer only for the VASP that was known at the review without lists; one was: %s',
  async (isKnown) => {
    await listsAreAway();
    const holder = await createTenant(api);
    const { id, destination } = await letPass('Jonas Brandt', isKnown ? holder : undefined);
    if (isKnown) await setSuspended(holder, true);
    expect(await advance(id)).toMatchObject({ subStatus: isKnown ? 'VASP_NOT_REACHABLE' : 'VASP_NOT_FOUND' });
    if (isKnown) await setSuspended(holder, false);
    await (isKnown ? moveToBlocked(holder, destination) : registerBlocked(destination));
    expect(await proceed(id)).toBe(409);
    expect(await tryAgain(id)).toMatchObject({ status: 'PENDING', subStatus: 'ON_HOLD' });
    // A reviewer who sees that VASP decides.
    const decision = { decision: 'PROCEED', reason: 'Known.' };
    expect((await tenant.post(`/transactions/${id}/review`, decision)).status).toBe(200);
    expect(await advance(id)).toMatchObject({ status: 'DELIVERED' });
  },
);

test.each([false, true])(
  'one whose VASP comes after the review and before its workflow goes on; it is due for lists that are back: %s',
  async (isDue) => {
    await listsAreAway();
    const { id, destination } = await letPass('Jonas Brandt');
    if (isDue) await wakeForRescreening(api.db.pool, [id], new Date());
    await registerBlocked(destination);
    if (isDue) await tenant.patch('/tenant/me/settings', { screening: { requiredLists: [] } });
    expect((await advance(id)).status).not.toBe('DELIVERED');
  },
);

/** A message that was screened while nobody was its VASP, and let pass without lists when `holder` was, but not reached. */
async function passedAfterScreening() {
  const destination = evmAddress();
  const { id } = await createTransaction(tenant, {
    originator: { name: 'Eva Huber' },
    beneficiary: { name: 'Jonas Brandt' },
    blockchainInfo: { blockchain: 'Ethereum', destination },
  });
  expect(await advance(id)).toMatchObject({ subStatus: 'VASP_NOT_FOUND' });
  await listsAreAway();
  const holder = await createTenant(api);
  await registerWallet(holder, destination);
  await setSuspended(holder, true);
  expect(await tryAgain(id)).toMatchObject({ subStatus: 'ON_HOLD' });
  const decision = { decision: 'PROCEED', reason: 'Known.' };
  expect((await tenant.post(`/transactions/${id}/review`, decision)).status).toBe(200);
  expect(await advance(id)).toMatchObject({ subStatus: 'VASP_NOT_REACHABLE' });
  return { id, holder };
}

test('a screening from before the review does not hold it again', async () => {
  const { id, holder } = await passedAfterScreening();
  expect(await tryAgain(id)).toMatchObject({ subStatus: 'VASP_NOT_REACHABLE' });
  await setSuspended(holder, false);
  expect(await tryAgain(id)).toMatchObject({ status: 'DELIVERED' });
});

test('a screening from before the review does not keep its coins', async () => {
  const { id } = await passedAfterScreening();
  expect(await proceed(id)).toBe(200);
});
