import type { z } from 'zod';
import type { AmlCheck } from '../../../domain/aml/check.ts';
import { amlbotAnswer, AMLBOT_KEY, fakeAmlbot } from '../../aml/vendors.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { evmAddress } from '../../factories/transaction.ts';
import type { FakeVendor } from '../../fakes/aml-vendor.ts';
import { useApi, useTenant } from '../../use-api.ts';

type Check = z.infer<typeof AmlCheck>;

let amlbot: FakeVendor;

const { api } = useApi(async () => {
  amlbot = await fakeAmlbot();
  return { config: { AMLBOT_URL: amlbot.url } };
});
const tenant = useTenant(api);
beforeAll(async () => await useAmlbot(tenant));
afterAll(() => amlbot.stop());
beforeEach(() => {
  amlbot.seen.length = 0;
  amlbot.script.length = 0;
});

async function useAmlbot(of: TestTenant): Promise<void> {
  const body = { feature: 'aml_check', provider: 'amlbot', key: AMLBOT_KEY };
  expect((await of.put('/tenant/me/service-keys', body)).status).toBe(200);
}

const pathOf = (address: string) => `/aml/analysis/Ethereum/wallet/${address}`;

test('200: the answer of the vendor, in the terms of all vendors', async () => {
  const address = evmAddress();
  const { status, body } = await tenant.get<Check>(pathOf(address));
  expect(status).toBe(200);
  expect(body).toMatchObject({
    provider: 'amlbot',
    type: 'wallet',
    blockchain: 'Ethereum',
    address: address.toLowerCase(),
    status: 'COMPLETE',
    riskScore: 12,
    riskSeverity: 'low',
    originalScore: { value: 0.12 },
    counterparty: { id: '4711', type: 'exchange' },
    providerRef: expect.stringMatching(/^UID/) as string,
    stale: false,
    cost: { credits: 1, cached: false, repeated: false },
  });
  expect(body.exposures.map(({ type, riskSeverity, share }) => [type, riskSeverity, share])).toEqual([
    ['exchange', 'low', 0.8],
    ['mixing_service', 'high', 0.15],
    ['service', 'medium', 0.05],
  ]);
  expect(amlbot.seen[0]?.form).toMatchObject({
    hash: address.toLowerCase(),
    asset: 'ETH',
    accessId: 'acc-17',
  });
  const { body: history } = await tenant.get('/aml/search/history?type=wallet&limit=1');
  expect(history).toMatchObject([
    { id: body.id, type: 'wallet', query: address.toLowerCase(), riskScore: 12, createdBy: tenant.apiKeyId },
  ]);
});

test('a hundred at once are one request to the vendor, and the next ones none', async () => {
  const path = pathOf(evmAddress());
  amlbot.script.push({ json: amlbotAnswer({ uid: 'slow', riskscore: 0.5 }), afterMs: 150 });
  const answers = await Promise.all(Array.from({ length: 100 }, () => tenant.get<Check>(path)));
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
  expect(answers.filter(({ body }) => !body.cost.cached)).toHaveLength(1);
  expect((await tenant.get<Check>(path)).body.cost).toEqual({ credits: 0, cached: true, repeated: false });
  expect(amlbot.seen).toHaveLength(1);
});

test('another tenant pays for itself', async () => {
  const other = await createTenant(api);
  await useAmlbot(other);
  const path = pathOf(evmAddress());
  const [mine, theirs] = [await tenant.get<Check>(path), await other.get<Check>(path)];
  expect(amlbot.seen).toHaveLength(2);
  expect(theirs.body.id).not.toBe(mine.body.id);
});

test('409: without a provider', async () => {
  const fresh = await createTenant(api);
  expect(await fresh.get(pathOf(evmAddress()))).toMatchObject({
    status: 409,
    body: { code: 'provider_not_activated' },
  });
});

test.each([
  ['an unknown chain', '/aml/analysis/Nowhere/wallet/0x00', '/blockchain'],
  ['a malformed address', '/aml/analysis/Ethereum/wallet/0x1234', '/address'],
  [
    'an address of another chain',
    '/aml/analysis/Bitcoin/wallet/0x00000000219ab540356cbb839cbe05303d7705fa',
    '/address',
  ],
  ['a malformed hash', '/aml/analysis/Ethereum/transaction/0x12', '/txHash'],
  [
    'an unknown direction',
    `/aml/analysis/Ethereum/transaction/0x${'a'.repeat(64)}?direction=up`,
    '/direction',
  ],
  ['a parameter that is not there', `/aml/analysis/Ethereum/wallet/${evmAddress()}?force=1`, '/force'],
])('400: %s', async (_what, path, pointer) => {
  const { status, body } = await tenant.get<{ errors: { pointer: string }[] }>(path);
  expect([status, body.errors[0]?.pointer]).toEqual([400, pointer]);
  expect(amlbot.seen).toHaveLength(0);
});
