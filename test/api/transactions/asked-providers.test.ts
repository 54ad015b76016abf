import { openAml } from '../../../aml/open-aml.ts';
import { settleScreening } from '../../../db/lifecycle/settle-screening.ts';
import { findOpenTransaction } from '../../../db/transactions/find-transaction.ts';
import type { EventView } from '../../../domain/events/schema.ts';
import type { ReviewFile } from '../../../domain/transactions/deciding/screening.ts';
import { queryProviders, type ProviderChecks } from '../../../transaction-screening/gather-findings.ts';
import { judgeTransaction } from '../../../transaction-screening/judge-transaction.ts';
import { fakeScorechain, SCORECHAIN_KEY } from '../../aml/vendors.ts';
import type { Json } from '../../api-client.ts';
import { configurations, draft, rule } from '../../factories/rules.ts';
import { eventually } from '../../eventually.ts';
import { releaseDeps } from '../../factories/release-deps.ts';
import { activateList } from '../../factories/sanctions.ts';
import type { TestTenant } from '../../factories/tenant.ts';
import { createTransaction, evmAddress } from '../../factories/transaction.ts';
import type { FakeVendor } from '../../fakes/aml-vendor.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

let vendor: FakeVendor;
let now = new Date();
const { api } = useApi(async () => {
  vendor = await fakeScorechain();
  return { config: { SCORECHAIN_URL: vendor.url } };
});
const tenant = useTenantPerTest(api);

beforeAll(async () => {
  api.deps.aml = openAml({ db: api.db, settings: api.config, onTrouble: () => undefined, now: () => now });
  await activateList(api.db.pool, 'OFAC_SDN', []);
});
beforeEach(() => {
  now = new Date();
});
afterAll(() => vendor.stop());

const activate = async (of: TestTenant, provider: string, key?: unknown) =>
  expect((await of.put('/tenant/me/service-keys', { feature: 'aml_check', provider, key })).status).toBe(200);

/** Screens and decides as the workflow does; the file that a reviewer reads and what the log says. */
async function screened(id: string) {
  const deps = releaseDeps(api);
  let checks: ProviderChecks | null = null;
  for (;;) {
    const open = await findOpenTransaction(api.db, tenant.id, id);
    if (!open) throw new Error('no such transaction');
    const judgeNow = async () => await judgeTransaction(deps, open, checks ?? undefined);
    const judged = await eventually(judgeNow, ({ kind }) => kind !== 'LISTS_LOADING');
    if (judged.kind === 'NEEDS_PROVIDERS') {
      checks = await queryProviders(deps, open.record);
      if (checks) continue;
    }
    if (judged.kind !== 'JUDGED') throw new Error(judged.kind);
    await settleScreening(api.db, judged.settlement);
    const { body } = await tenant.get<ReviewFile>(`/transactions/${id}/screening`);
    const events = (await tenant.get<EventView[]>(`/transactions/${id}/events`)).body;
    const logged = events.find(({ type }) => type === 'SCREENED')?.data as Json;
    return { hold: body.hold, screening: body.screening, logged };
  }
}

const place = (more: Json = {}) => ({
  blockchainInfo: {
    blockchain: 'Ethereum',
    destination: evmAddress(),
    destinationType: 'CUSTODIAL',
    ...more,
  },
});
const OWN_RECORD = { direction: 'INCOMING', vaspInfo: { originatorVaspName: 'Some Exchange' } };

test.each<[string, Json]>([
  ['NO_CHAIN', { asset: 'USDT', ...place({ blockchain: undefined }) }],
  ['UNKNOWN_CHAIN', place({ blockchain: 'Chain of Tomorrow', destination: 'an-address' })],
  ['NO_ADDRESS', { ...OWN_RECORD, ...place({ origin: undefined }) }],
  ['NO_PROVIDER', place()],
])('it is said that nobody was asked, and why: %s', async (reason, body) => {
  if (reason !== 'NO_PROVIDER') await activate(tenant, 'builtin');
  const { id } = await createTransaction(tenant, body);
  const { screening, logged } = await screened(id);
  expect(screening).toMatchObject({ aml: null, notAsked: reason });
  expect(screening?.wallet === null).toBe(reason !== 'NO_PROVIDER');
  expect(logged).toMatchObject({ notAsked: reason });
});

test('nothing is said where the provider was asked', async () => {
  await activate(tenant, 'builtin');
  const { id } = await createTransaction(tenant, place());
  const { screening, logged } = await screened(id);
  expect(screening).toMatchObject({ aml: { provider: 'builtin' }, notAsked: null });
  expect(logged).not.toHaveProperty('notAsked');
});

test('a rule can hold what no provider was asked about', async () => {
  await activate(tenant, 'builtin');
  const { id: configuration } = (await configurations(tenant)).OUTGOING;
  const conditions = { field: 'amlNotAsked', operator: 'IN', value: ['NO_CHAIN', 'UNKNOWN_CHAIN'] };
  const rules = [rule({ decision: 'REVIEW', conditions })];
  expect((await draft(tenant, configuration, rules, { defaultDecision: 'PROCEED' })).status).toBe(200);
  await tenant.post(`/rule-engine/${configuration}/publish`, { comment: 'for a test' });
  const unnamed = await createTransaction(tenant, { asset: 'USDT', ...place({ blockchain: undefined }) });
  expect((await screened(unnamed.id)).hold).toBe('RULE');
  const named = await createTransaction(tenant, place());
  expect((await screened(named.id)).hold).toBeNull();
});

test('payouts to one wallet within a quarter of an hour pay for one check', async () => {
  await activate(tenant, 'scorechain', SCORECHAIN_KEY);
  const to = place();
  const asked = vendor.seen.length;
  for (const offsetMs of [0, 2_000, 14 * 60_000]) {
    now = new Date(Date.now() + offsetMs);
    const { id } = await createTransaction(tenant, to);
    expect((await screened(id)).screening?.aml?.provider).toBe('scorechain');
  }
  expect(vendor.seen.length - asked).toBe(1);
  now = new Date(Date.now() + 16 * 60_000);
  const { id } = await createTransaction(tenant, to);
  await screened(id);
  expect(vendor.seen.length - asked).toBe(2);
});
