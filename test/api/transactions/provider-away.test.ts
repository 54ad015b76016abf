import { messageNetworks } from '../../../activities/network/networks.ts';
import { transactionActivities } from '../../../activities/transactions/transaction-activities.ts';
import { openAml } from '../../../aml/open-aml.ts';
import { fakeScorechain, SCORECHAIN_KEY } from '../../aml/vendors.ts';
import { eventually } from '../../eventually.ts';
import { addEntity, entityOf, mergeEntity } from '../../factories/directory.ts';
import { untilListsLoaded } from '../../factories/judged.ts';
import { releaseDeps } from '../../factories/release-deps.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTenant } from '../../factories/tenant.ts';
import { TEST_MAILS } from '../../factories/test-mails.ts';
import {
  createTransaction,
  evmAddress,
  readTransaction,
  registerWallet,
} from '../../factories/transaction.ts';
import type { FakeVendor, VendorReply } from '../../fakes/aml-vendor.ts';
import { noRequests } from '../../fakes/no-requests.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

// The AML provider does not answer, but every list is there: what can be compared is compared before a reviewer decides.
let vendor: FakeVendor;
const { api } = useApi(async () => {
  vendor = await fakeScorechain();
  return { config: { SCORECHAIN_URL: vendor.url } };
});
const tenant = useTenantPerTest(api);
afterAll(() => vendor.stop());
const LISTED = 'Barnabas Ravenscrofft';
const COMPANY = 'Zubarev Kestrel Exchange';
const CLEAN = 'Jonas Brandt';

beforeAll(() => {
  const settings = api.config;
  api.deps.aml = openAml({ db: api.db, settings, onTrouble: () => undefined, now: () => new Date() });
});
beforeEach(async () => {
  const company = listEntry('1', COMPANY, { type: 'organisation' });
  await activateList(api.db.pool, 'OFAC_SDN', [listEntry('0', LISTED), company]);
  await api.db.pool.query('update sanctions_versions set rescreened_at = now() where rescreened_at is null');
  await untilListsLoaded(api, tenant.id);
});

/** What the workflow does; with null for `checks` when the provider did not answer. */
async function advance(id: string, ...checks: null[]) {
  const screening = releaseDeps(api);
  const steps = transactionActivities({
    ...screening,
    networks: messageNetworks(screening, TEST_MAILS),
    http: noRequests,
    priceOf: () => undefined,
    startedAt: new Date(Date.now() - 60_000),
  });
  await steps.advanceTransaction({ id, ...(checks.length > 0 && { checks: null }) });
  return await readTransaction(tenant, id);
}

const review = async (id: string) =>
  (await tenant.post(`/transactions/${id}/review`, { decision: 'PROCEED', reason: 'The provider is away.' }))
    .status;

/** What holds the message at the end of its wait for the provider, once the lists are loaded. */
async function heldFor(id: string): Promise<readonly string[]> {
  const { clearance } = await eventually(
    async () => await advance(id, null),
    ({ subStatus }) => subStatus === 'ON_HOLD',
  );
  return clearance.reasons;
}

async function heldForProvider(beneficiary: string) {
  const key = { feature: 'aml_check', provider: 'scorechain', key: SCORECHAIN_KEY };
  expect((await tenant.put('/tenant/me/service-keys', key)).status).toBe(200);
  await tenant.patch('/tenant/me/settings', { screening: { maxWaitMinutes: 0 } });
  const other = await createTenant(api);
  const destination = evmAddress();
  await registerWallet(other, destination);
  const { id } = await createTransaction(tenant, {
    originator: { name: 'Eva Huber' },
    beneficiary: { name: beneficiary },
    blockchainInfo: { blockchain: 'Ethereum', destination },
    vaspInfo: { beneficiaryVaspName: other.name },
  });
  return { id, other, reasons: await heldFor(id) };
}

test('a message to a listed beneficiary is held for the lists', async () => {
  const { id, reasons } = await heldForProvider(LISTED);
  expect(reasons).toContain('SANCTIONS');
  const { body } = await tenant.get(`/transactions/${id}/screening`);
  expect(body).toMatchObject({ hold: 'SANCTIONS', screening: { aml: null, notAsked: null } });
});

test('a message that the lists have nothing of is held as UNSCREENED, and goes once its reviewer lets it', async () => {
  const { id, reasons } = await heldForProvider(CLEAN);
  expect(reasons).toContain('UNSCREENED');
  expect(await review(id)).toBe(200);
  expect(await advance(id)).toMatchObject({ status: 'DELIVERED' });
});

test('a message whose VASP gets a listed name while it is held does not go', async () => {
  const { id, other } = await heldForProvider(CLEAN);
  await mergeEntity(api, await addEntity(api, COMPANY), await entityOf(api, other.id));
  expect(await review(id)).toBe(409);
  expect((await advance(id, null)).clearance.reasons).toContain('SANCTIONS');
});

test('a message whose VASP gets a name that no list has is seen once more, and then goes', async () => {
  const { id, other } = await heldForProvider(CLEAN);
  await mergeEntity(api, await addEntity(api, 'Kornblum Exchange'), await entityOf(api, other.id));
  expect(await review(id)).toBe(409);
  await advance(id, null);
  expect(await review(id)).toBe(200);
});

test.each<[string, VendorReply]>([
  ['refuses', { status: 500, text: 'down' }],
  ['hangs', { json: {}, afterMs: 20_000 }],
])(
  'one that is due again is compared within its review while the provider %s, however long it may wait',
  async (what, reply) => {
    const { id, other } = await heldForProvider(CLEAN);
    await tenant.patch('/tenant/me/settings', { screening: { maxWaitMinutes: 10_080 } });
    await mergeEntity(api, await addEntity(api, `Kornblum ${what} Exchange`), await entityOf(api, other.id));
    vendor.script.push(...Array.from({ length: 20 }, () => reply));
    try {
      expect([await review(id), await review(id)]).toEqual([409, 200]);
      expect(vendor.script.length).toBeLessThan(20);
    } finally {
      vendor.script.length = 0;
    }
  },
);
