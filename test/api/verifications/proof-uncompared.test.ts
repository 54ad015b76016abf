import { untilListsCompared } from '../../factories/judged.ts';
import { lifecycleSteps } from '../../factories/lifecycle-steps.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTransaction } from '../../factories/transaction.ts';
import { createVerification, evmWallet, signedFor, submit } from '../../factories/verification.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

// A review without lists counts for the next step, not for a proof that comes weeks later.
const { api } = useApi({ prices: { ETH: { usd: '1', eur: '1', source: 'test', pricedAt: new Date() } } });
const tenant = useTenantPerTest(api);
const LISTED = 'Barnabas Ravenscroft';
const CLEAN = 'Jonas Brandt';

beforeEach(async () => {
  await activateList(api.db.pool, 'OFAC_SDN', [listEntry('2', LISTED)]);
  await untilListsCompared(api, tenant.id);
});
const advance = async (id: string) => await lifecycleSteps(api)(tenant, { id });
const listsAreAway = async (isAway: boolean) => {
  const screening = { requiredLists: isAway ? ['NOT_THERE'] : [], maxWaitMinutes: 0 };
  await tenant.patch('/tenant/me/settings', { autoConfirmSelfHosted: false, screening });
};

test.each([
  [LISTED, true, 'WAIT'],
  [LISTED, false, 'GO'],
  [CLEAN, true, 'GO'],
] as const)(
  'a payout to %s that was let pass unscreened, and gets its proof later with lists back: %s, has the clearance %s',
  async (name, areBack, outcome) => {
    const wallet = evmWallet();
    const address = wallet.address.toLowerCase();
    await listsAreAway(true);
    const { id } = await createTransaction(tenant, {
      originator: { name: 'Eva Huber' },
      beneficiary: { name },
      blockchainInfo: { blockchain: 'Ethereum', destination: address, destinationType: 'NON_CUSTODIAL' },
    });
    expect((await advance(id)).clearance.reasons).toContain('UNSCREENED');
    const decision = { decision: 'PROCEED', reason: 'Seen.' };
    expect((await tenant.post(`/transactions/${id}/review`, decision)).status).toBe(200);
    expect((await advance(id)).subStatus).toBe('OWNERSHIP_UNCONFIRMED');
    if (areBack) await listsAreAway(false);
    const verification = await createVerification(tenant, { address, allowedFlows: ['SIGNATURE_PROOF'] });
    await submit(tenant, verification.id, await signedFor(wallet, verification));
    expect((await advance(id)).clearance.outcome).toBe(outcome);
  },
);

test('a payout to a listed person, let pass unscreened beside an older proof of another customer, waits when its own proof comes', async () => {
  const wallet = evmWallet();
  const address = wallet.address.toLowerCase();
  const prove = async (customerIdentification: string) => {
    const verification = await createVerification(tenant, {
      address,
      customerIdentification,
      allowedFlows: ['SIGNATURE_PROOF'],
    });
    expect((await submit(tenant, verification.id, await signedFor(wallet, verification))).status).toBe(200);
  };
  const selfHosted = { thresholdEur: '0', flowsAbove: ['SIGNATURE_PROOF'] };
  expect((await tenant.patch('/tenant/me/settings', { selfHosted })).status).toBe(200);
  await listsAreAway(true);
  await prove('somebody-else');
  const { id } = await createTransaction(tenant, {
    originator: { name: 'Eva Huber', customerIdentification: 'eva-1' },
    beneficiary: { name: LISTED },
    blockchainInfo: { blockchain: 'Ethereum', destination: address, destinationType: 'NON_CUSTODIAL' },
  });
  expect((await advance(id)).clearance.reasons).toContain('UNSCREENED');
  const decision = { decision: 'PROCEED', reason: 'Seen.' };
  expect((await tenant.post(`/transactions/${id}/review`, decision)).status).toBe(200);
  expect((await advance(id)).subStatus).toBe('OWNERSHIP_UNCONFIRMED');
  await listsAreAway(false);
  await prove('eva-1');
  expect(await advance(id)).toMatchObject({ status: 'PENDING', clearance: { outcome: 'WAIT' } });
});
