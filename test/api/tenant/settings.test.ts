import { getTenantSettings } from '../../../db/tenants/get-tenant-settings.ts';
import { startTestApi, type TestApi } from '../../api-client.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';

let database: TestDatabase;
let api: TestApi;
let tenant: TestTenant;

const PATH = '/tenant/me/settings';
const DEFAULTS = {
  autoConfirmSelfHosted: true,
  selfHosted: {
    thresholdEur: '1000',
    flowsAbove: ['SIGNATURE_PROOF', 'SATOSHI_TEST', 'VISUAL_PROOF'],
    maxProofAgeDays: null as number | null,
  },
  fourEyes: { rules: false, review: false },
  walletVerification: {
    allowedFlows: ['SIGNATURE_PROOF', 'SELF_DECLARED', 'SATOSHI_TEST', 'VISUAL_PROOF'],
    expiresInHours: 48,
    contractWallets: false,
  },
  screening: {
    reviewThreshold: 0.72,
    matchThreshold: 0.88,
    requiredLists: [] as string[],
    maxListAgeHours: 48,
    maxWaitMinutes: 60,
  },
};

beforeAll(async () => {
  database = await testDatabase();
  api = await startTestApi(database);
});
beforeEach(async () => {
  tenant = await createTenant(api);
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

test('200: a new tenant has the defaults, for every role to see', async () => {
  expect(await tenant.get(PATH)).toMatchObject({ status: 200, body: DEFAULTS });
  expect((await (await tenant.as('OBSERVER')).get(PATH)).body).toEqual(DEFAULTS);
});

test('200: what is patched stays, null returns a switch to its default and lifts the threshold', async () => {
  await tenant.patch(PATH, { autoConfirmSelfHosted: false });
  const limited = await tenant.patch(PATH, { selfHosted: { thresholdEur: 250.5 } });
  expect(limited.body).toEqual({
    ...DEFAULTS,
    autoConfirmSelfHosted: false,
    selfHosted: { ...DEFAULTS.selfHosted, thresholdEur: '250.5' },
  });
  await tenant.patch(PATH, { autoConfirmSelfHosted: null, selfHosted: { thresholdEur: null } });
  const expected = { ...DEFAULTS, selfHosted: { ...DEFAULTS.selfHosted, thresholdEur: null } };
  expect((await tenant.get(PATH)).body).toEqual(expected);
  expect(await getTenantSettings(api.db.pool, tenant.id)).toEqual(expected);
});

test('200: what counts above the threshold is chosen by itself, and null brings the default back', async () => {
  const chosen = { flowsAbove: ['SIGNATURE_PROOF'], maxProofAgeDays: 30 };
  const patched = await tenant.patch(PATH, { selfHosted: chosen });
  expect(patched.body).toEqual({ ...DEFAULTS, selfHosted: { thresholdEur: '1000', ...chosen } });
  const back = await tenant.patch(PATH, { selfHosted: { flowsAbove: null, maxProofAgeDays: null } });
  expect(back.body).toEqual(DEFAULTS);
});

test('200: thresholds, required lists and times of screening are chosen one by one, null brings the default back', async () => {
  const chosen = { reviewThreshold: 0.6, requiredLists: ['OFAC_SDN', 'OWN_LIST'], maxListAgeHours: 24 };
  const patched = await tenant.patch(PATH, { screening: chosen });
  expect(patched.body).toEqual({ ...DEFAULTS, screening: { ...DEFAULTS.screening, ...chosen } });
  await tenant.patch(PATH, { screening: { maxWaitMinutes: 5, requiredLists: null } });
  expect((await tenant.get(PATH)).body).toMatchObject({
    screening: { reviewThreshold: 0.6, maxWaitMinutes: 5, requiredLists: [] },
  });
});

test('400: a match threshold below the review threshold, also of one that was chosen before', async () => {
  const pointer = '/screening/matchThreshold';
  const refused = { status: 400, body: { errors: [{ pointer, code: 'below_review' }] } };
  expect(await tenant.patch(PATH, { screening: { reviewThreshold: 0.9 } })).toMatchObject(refused);
  await tenant.patch(PATH, { screening: { reviewThreshold: 0.95, matchThreshold: 0.97 } });
  expect(await tenant.patch(PATH, { screening: { matchThreshold: null } })).toMatchObject(refused);
});

test('200: an empty patch, and the settings of another tenant, change nothing', async () => {
  const other = await createTenant(api);
  await other.patch(PATH, { autoConfirmSelfHosted: false });
  expect(await tenant.patch(PATH, {})).toMatchObject({ status: 200, body: DEFAULTS });
});

test('200: of two changes at once none is lost', async () => {
  await Promise.all([
    tenant.patch(PATH, { autoConfirmSelfHosted: false }),
    tenant.patch(PATH, { selfHosted: { thresholdEur: '5' } }),
  ]);
  expect((await tenant.get(PATH)).body).toEqual({
    ...DEFAULTS,
    autoConfirmSelfHosted: false,
    selfHosted: { ...DEFAULTS.selfHosted, thresholdEur: '5' },
  });
});

test.each([
  [{ autoConfirm: true }, '/autoConfirm'],
  [{ autoConfirmSelfHosted: 'yes' }, '/autoConfirmSelfHosted'],
  [{ selfHosted: { thresholdEur: -1 } }, '/selfHosted/thresholdEur'],
  [{ selfHosted: { thresholdEur: '1e3' } }, '/selfHosted/thresholdEur'],
  [{ selfHosted: { limit: 5 } }, '/selfHosted/limit'],
  [{ selfHosted: { flowsAbove: ['WORD'] } }, '/selfHosted/flowsAbove/0'],
  [{ selfHosted: { maxProofAgeDays: 0 } }, '/selfHosted/maxProofAgeDays'],
  [{ screening: { reviewThreshold: 0.4 } }, '/screening/reviewThreshold'],
  [{ screening: { matchThreshold: 1.1 } }, '/screening/matchThreshold'],
  [{ screening: { requiredLists: ['sdn'] } }, '/screening/requiredLists/0'],
  [{ screening: { requiredLists: ['UN_SC', 'UN_SC'] } }, '/screening/requiredLists'],
  [{ screening: { maxListAgeHours: 0 } }, '/screening/maxListAgeHours'],
  [{ screening: { maxWaitMinutes: -1 } }, '/screening/maxWaitMinutes'],
  [{ screening: { lists: [] } }, '/screening/lists'],
  [{ autoConfirmSelfHosted: false, selfHosted: { thresholdEur: {} } }, '/selfHosted/thresholdEur'],
])('400: %j, and nothing is stored', async (body, pointer) => {
  const answer = await tenant.patch(PATH, body);
  expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed', errors: [{ pointer }] } });
  expect((await tenant.get(PATH)).body).toEqual(DEFAULTS);
});

test.each(['COMPLIANCE', 'OBSERVER'] as const)('403: %s may not change them', async (role) => {
  const answer = await (await tenant.as(role)).patch(PATH, { autoConfirmSelfHosted: false });
  expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  expect((await tenant.get(PATH)).body).toEqual(DEFAULTS);
});

test('401: without a key', async () => {
  expect((await api.request('GET', PATH)).status).toBe(401);
  expect((await api.request('PATCH', PATH, { body: {} })).status).toBe(401);
});
