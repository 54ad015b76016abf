import { messageNetworks } from '../../../activities/network/networks.ts';
import { transactionActivities } from '../../../activities/transactions/transaction-activities.ts';
import { openAml } from '../../../aml/open-aml.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import { fakeScorechain, SCORECHAIN_KEY } from '../../aml/vendors.ts';
import { eventually } from '../../eventually.ts';
import { addEntity, entityOf, mergeEntity } from '../../factories/directory.ts';
import { untilListsCompared, untilListsLoaded } from '../../factories/judged.ts';
import { releaseDeps } from '../../factories/release-deps.ts';
import { configurations, draft, rule } from '../../factories/rules.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
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
  await untilListsCompared(api, tenant.id);
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

const MATCH = { field: 'sanctionsNameMatch', operator: 'EQ', value: true };

async function blockMatches() {
  const { id } = (await configurations(tenant)).OUTGOING;
  const rules = [rule({ conditions: MATCH, decision: 'BLOCK' })];
  expect((await draft(tenant, id, rules, { defaultDecision: 'PROCEED' })).status).toBe(200);
  expect((await tenant.post(`/rule-engine/${id}/publish`, { comment: 'for a test' })).status).toBe(201);
}

test('a message that a rule blocks for its beneficiary is held for the lists', async () => {
  await blockMatches();
  expect((await heldForProvider(LISTED)).reasons).toContain('SANCTIONS');
});

test('a message that is held already, and that a rule would block for its beneficiary of now, is held for the lists', async () => {
  const { id } = await heldForProvider(CLEAN);
  await blockMatches();
  expect((await tenant.patch(`/transactions/${id}`, { beneficiary: { name: LISTED } })).status).toBe(200);
  const { clearance } = await eventually(
    async () => await advance(id, null),
    (shown) => shown.clearance.reasons.includes('SANCTIONS'),
  );
  expect(clearance.outcome).toBe('WAIT');
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

/** What the workflow does until something has come of it, without an answer of the provider where it is asked. */
const advanceUntil = async (id: string, isOver: (shown: Transaction) => boolean) =>
  await eventually(async () => {
    await api.db.pool.query('update transactions set wake_at = now() where id = $1', [id]);
    await advance(id);
    return await advance(id, null);
  }, isOver);

async function newVersion(...names: string[]) {
  await activateList(
    api.db.pool,
    'OFAC_SDN',
    [LISTED, ...names].map((name, at) => listEntry(String(at), name)),
  );
  await untilListsLoaded(api, tenant.id);
}

async function confirmedBy(other: TestTenant) {
  const { body } = await other.get<Transaction[]>('/transactions');
  expect((await other.patch(`/transactions/${body[0]?.id}`, { status: 'CONFIRMED' })).status).toBe(200);
}

test('one that was let pass goes after a list has changed, compared with it', async () => {
  const { id } = await heldForProvider(CLEAN);
  expect(await review(id)).toBe(200);
  await newVersion('Somebody Unrelated');
  expect(await advance(id)).toMatchObject({ status: 'PENDING', clearance: { outcome: 'WAIT' } });
  await advanceUntil(id, ({ status }) => status === 'DELIVERED');
});

test('one that was let pass is held after a list has got a name of it', async () => {
  const { id } = await heldForProvider(CLEAN);
  expect(await review(id)).toBe(200);
  await newVersion(CLEAN);
  await advanceUntil(id, ({ clearance }) => clearance.reasons.includes('SANCTIONS'));
});

test('one that was sent and is confirmed after a list has changed needs no provider for its clearance', async () => {
  const { id, other } = await heldForProvider(CLEAN);
  expect(await review(id)).toBe(200);
  expect(await advance(id)).toMatchObject({ status: 'DELIVERED' });
  await newVersion('Somebody Unrelated');
  await confirmedBy(other);
  expect((await readTransaction(tenant, id)).clearance.outcome).toBe('WAIT');
  await advanceUntil(id, ({ clearance }) => clearance.outcome === 'GO');
});

test('the provider of a tenant that had none when a message was sent is not asked for its clearance', async () => {
  const other = await createTenant(api);
  const destination = evmAddress();
  await registerWallet(other, destination);
  const { id } = await createTransaction(tenant, {
    originator: { name: 'Eva Huber' },
    beneficiary: { name: CLEAN },
    blockchainInfo: { blockchain: 'Ethereum', destination },
    vaspInfo: { beneficiaryVaspName: other.name },
  });
  await advanceUntil(id, ({ status }) => status === 'DELIVERED');
  const key = { feature: 'aml_check', provider: 'scorechain', key: SCORECHAIN_KEY };
  expect((await tenant.put('/tenant/me/service-keys', key)).status).toBe(200);
  await newVersion('Somebody Unrelated');
  await confirmedBy(other);
  await eventually(
    async () => await advance(id),
    ({ clearance }) => clearance.outcome === 'GO',
  );
  const { body } = await tenant.get(`/transactions/${id}/screening`);
  expect(body).toMatchObject({ screening: { aml: null, notAsked: 'NO_PROVIDER' } });
});

test('one that is held for the lists, and whose data is corrected, is reviewed while the provider is away', async () => {
  const { id } = await heldForProvider(LISTED);
  const corrected = await tenant.patch(`/transactions/${id}`, { beneficiary: { name: CLEAN } });
  expect(corrected.status).toBe(200);
  vendor.script.push(...Array.from({ length: 40 }, () => ({ status: 500, text: 'down' })));
  try {
    expect([await review(id), await review(id)]).toEqual([409, 200]);
  } finally {
    vendor.script.length = 0;
  }
});
