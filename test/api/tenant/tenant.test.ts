import { useFourEyes } from '../../factories/people.ts';
import { randomBytes } from 'node:crypto';
import { apiKeyText } from '../../../domain/tenants/api-key-text.ts';
import { getTenantSettings } from '../../../db/tenants/get-tenant-settings.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import { verifyEvents } from '../../../db/events/verify-events.ts';
import type { Json } from '../../api-client.ts';
import { clientOf, createTenant } from '../../factories/tenant.ts';
import { createTransaction } from '../../factories/transaction.ts';
import { useApi, useTenantPerTest, useTenant } from '../../use-api.ts';

const { api, database } = useApi({ config: { WEBHOOK_ALLOWED_HOSTS: ['127.0.0.1:8080'] } });

describe('GET /tenant/me', () => {
  describe('200', () => {
    test('the tenant of the key, every field present', async () => {
      const tenant = await createTenant(api, { country: 'ch', email: 'desk@alp.example' });
      expect((await tenant.get('/tenant/me')).body).toEqual({
        id: tenant.id,
        name: tenant.name,
        legalName: null,
        email: 'desk@alp.example',
        country: 'CH',
        registrationNumber: null,
        lei: null,
        webpage: null,
        webhookUrl: null,
        webhookSecret: tenant.webhookSecret,
        webhookStatus: null,
        environment: 'sandbox',
        createdAt: expect.stringMatching(/\.\d{3}Z$/) as unknown,
        updatedAt: expect.stringMatching(/\.\d{3}Z$/) as unknown,
      });
    });

    test.each(['COMPLIANCE', 'OBSERVER'] as const)(
      'a key of role %s does not see the webhook secret',
      async (role) => {
        const tenant = await createTenant(api);
        const { status, body } = await (await tenant.as(role)).get('/tenant/me');
        expect({ status, id: body['id'], secret: body['webhookSecret'] }).toEqual({
          status: 200,
          id: tenant.id,
          secret: null,
        });
      },
    );
  });

  describe('401', () => {
    const production = useApi({ config: { ENVIRONMENT: 'production' } });

    test.each([
      ['a key that was never made', apiKeyText('sandbox', randomBytes(64)), 'unauthenticated'],
      ['a text that is no key', 'nonsense', 'unauthenticated'],
      ['a key of the other environment', apiKeyText('production', randomBytes(64)), 'wrong_environment'],
    ])('%s', async (_, key, code) => {
      expect(await clientOf(api, key).get('/tenant/me')).toMatchObject({ status: 401, body: { code } });
    });

    test('no key at all', async () => {
      expect(await api.request('GET', '/tenant/me')).toMatchObject({
        status: 401,
        body: { code: 'unauthenticated' },
      });
    });

    test('a key with one letter mistyped', async () => {
      const { apiKey } = await createTenant(api);
      const mistyped = apiKey.slice(0, -7) + (apiKey.at(-7) === 'a' ? 'b' : 'a') + apiKey.slice(-6);
      expect((await clientOf(api, mistyped).get('/tenant/me')).status).toBe(401);
    });

    test('a real sandbox key is refused by a production deployment', async () => {
      const { apiKey } = await createTenant(api);
      const answer = await clientOf(production.api, apiKey).get('/tenant/me');
      expect(answer).toMatchObject({ status: 401, body: { code: 'wrong_environment' } });
      const own = await createTenant(production.api);
      expect(own.apiKey).toMatch(/^wb_live_/);
      expect((await own.get('/tenant/me')).body).toMatchObject({ environment: 'production' });
    });
  });
});

describe('PATCH /tenant/me', () => {
  const HOOK = 'https://hooks.alp.example/in';
  const tenant = useTenantPerTest(api);

  const patch = async (body: unknown) => await tenant.patch('/tenant/me', body);

  /** What a 410 of the endpoint does. */
  async function disableWebhook(): Promise<void> {
    await database.pool.query(`update tenants set webhook_status = 'DISABLED' where id = $1`, [tenant.id]);
  }

  describe('200', () => {
    test('fields are set, kept and cleared one by one', async () => {
      const set = await patch({
        legalName: 'Alp AG',
        email: 'a@alp.example',
        country: 'Germany',
        registrationNumber: 'HRB 1',
      });
      expect(set).toMatchObject({
        status: 200,
        body: { legalName: 'Alp AG', email: 'a@alp.example', country: 'DE' },
      });
      await patch({ legalName: null, webpage: 'https://alp.example', lei: '529900T8BM49AURSDO55' });
      expect((await tenant.get('/tenant/me')).body).toMatchObject({
        id: tenant.id,
        name: tenant.name,
        legalName: null,
        email: 'a@alp.example',
        country: 'DE',
        registrationNumber: 'HRB 1',
        webpage: 'https://alp.example',
        lei: '529900T8BM49AURSDO55',
      });
    });

    test('a first webhook URL makes the endpoint active, with a new secret that is in the answer', async () => {
      const { body } = await patch({ webhookUrl: HOOK });
      expect(body).toMatchObject({ webhookUrl: HOOK, webhookStatus: 'ACTIVE' });
      expect(body['webhookSecret']).toMatch(/^whsec_/);
      expect(body['webhookSecret']).not.toBe(tenant.webhookSecret);
      expect((await tenant.get('/tenant/me')).body).toEqual(body);
    });

    test('another URL gets another secret', async () => {
      const first = await patch({ webhookUrl: HOOK });
      const second = await patch({ webhookUrl: `${HOOK}?v=2` });
      expect(second.body['webhookSecret']).not.toBe(first.body['webhookSecret']);
    });

    test('the same URL keeps the secret and enables a disabled endpoint', async () => {
      const { body: before } = await patch({ webhookUrl: HOOK });
      await disableWebhook();
      expect((await tenant.get('/tenant/me')).body).toMatchObject({ webhookStatus: 'DISABLED' });
      expect((await patch({ webhookUrl: HOOK })).body).toMatchObject({
        webhookSecret: before['webhookSecret'],
        webhookStatus: 'ACTIVE',
      });
    });

    test('another URL enables a disabled endpoint too; another field does not', async () => {
      await patch({ webhookUrl: HOOK });
      await disableWebhook();
      expect((await patch({ legalName: 'Alp AG' })).body).toMatchObject({ webhookStatus: 'DISABLED' });
      expect((await patch({ webhookUrl: `${HOOK}/2` })).body).toMatchObject({ webhookStatus: 'ACTIVE' });
    });

    test('clearing the URL clears the status, and setting it again is a change', async () => {
      const { body: before } = await patch({ webhookUrl: HOOK });
      expect((await patch({ webhookUrl: null })).body).toMatchObject({
        webhookUrl: null,
        webhookStatus: null,
      });
      const { body: after } = await patch({ webhookUrl: HOOK });
      expect(after).toMatchObject({ webhookUrl: HOOK, webhookStatus: 'ACTIVE' });
      expect(after['webhookSecret']).not.toBe(before['webhookSecret']);
    });

    test('what changes nothing leaves updatedAt alone', async () => {
      const { body: before } = await patch({ legalName: 'Alp AG', webhookUrl: HOOK });
      expect((await patch({ legalName: 'Alp AG', webhookUrl: HOOK })).body).toEqual(before);
      expect((await patch({})).body).toEqual(before);
    });

    test('a host that the operator allowed may be local', async () => {
      expect((await patch({ webhookUrl: 'http://127.0.0.1:8080/' })).status).toBe(200);
    });

    test('of two changes at once none is lost', async () => {
      await Promise.all([
        patch({ legalName: 'Alp AG' }),
        patch({ webhookUrl: HOOK }),
        patch({ country: 'AT' }),
      ]);
      expect((await tenant.get('/tenant/me')).body).toMatchObject({
        legalName: 'Alp AG',
        webhookUrl: HOOK,
        country: 'AT',
      });
    });
  });

  describe('400', () => {
    test.each<[Json, string]>([
      [{ name: 'Mine' }, '/name'],
      [{ id: '0190d1a2-7b3c-7def-8123-456789abcdef' }, '/id'],
      [{ webhookSecret: 'whsec_mine' }, '/webhookSecret'],
      [{ webhookStatus: 'ACTIVE' }, '/webhookStatus'],
      [{ environment: 'production' }, '/environment'],
      [{ rateLimits: { reads: 0 } }, '/rateLimits'],
      [{ country: 'Nowhere' }, '/country'],
      [{ email: 'nobody' }, '/email'],
      [{ lei: 'X' }, '/lei'],
      [{ legalName: '' }, '/legalName'],
      [{ webhookUrl: 'http://127.0.0.1/' }, '/webhookUrl'],
      [{ webhookUrl: 'http://[::1]/' }, '/webhookUrl'],
      [{ webhookUrl: 'http://2130706433/' }, '/webhookUrl'],
      [{ webhookUrl: 'http://169.254.169.254/latest' }, '/webhookUrl'],
      [{ webhookUrl: 'https://user:pass@hooks.example/' }, '/webhookUrl'],
      [{ webhookUrl: 'ftp://hooks.example/' }, '/webhookUrl'],
      [{ webhookUrl: 'hooks.example' }, '/webhookUrl'],
    ])('%j: nothing is stored, the sound fields neither', async (fault, pointer) => {
      const { body: before } = await tenant.get('/tenant/me');
      const answer = await patch({ registrationNumber: 'HRB 2', ...fault });
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'validation_failed', errors: [{ pointer }] },
      });
      expect((await tenant.get('/tenant/me')).body).toEqual(before);
    });

    test('the refused address is not echoed', async () => {
      const { body } = await patch({ webhookUrl: 'http://10.1.2.3/secret-path' });
      expect(JSON.stringify(body)).not.toMatch(/10\.1\.2\.3|secret-path/);
    });
  });

  test.each(['COMPLIANCE', 'OBSERVER'] as const)('403: %s', async (role) => {
    const answer = await (await tenant.as(role)).patch('/tenant/me', { legalName: 'X' });
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect((await tenant.get('/tenant/me')).body).toMatchObject({ legalName: null });
  });

  test('another tenant is left alone', async () => {
    const other = await createTenant(api);
    await patch({ legalName: 'Alp AG', webhookUrl: HOOK });
    expect((await other.get('/tenant/me')).body).toMatchObject({ legalName: null, webhookUrl: null });
  });
});

describe('GET and PATCH /tenant/me/settings', () => {
  const PATH = '/tenant/me/settings';
  const DEFAULTS = {
    autoConfirmSelfHosted: true,
    holdIncomplete: false,
    sealWebhook: false,
    reconciliationWebhook: false,
    addressQuestionUrl: null,
    claimDeadlineDays: 3,
    deliveryEmailEnabled: false,
    retentionDays: 1_827,
    timeZone: 'UTC',
    maskApiKeys: false,
    branding: { displayName: null, color: null, logo: null, icon: null, frameOrigins: [] as string[] },
    selfHosted: {
      thresholdEur: '1000',
      flowsAbove: ['SIGNATURE_PROOF', 'SATOSHI_TEST', 'VISUAL_PROOF'],
      maxProofAgeDays: null as number | null,
      acceptUnbound: false,
    },
    fourEyes: { rules: false, review: false, suppressions: false, webhookUrl: false },
    rules: { blockGuard: true },
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

  const tenant = useTenantPerTest(api);

  test('200: a new tenant has the defaults, for every role to see', async () => {
    expect(await tenant.get(PATH)).toMatchObject({ status: 200, body: DEFAULTS });
    expect((await (await tenant.as('OBSERVER')).get(PATH)).body).toEqual(DEFAULTS);
  });

  test('switching four eyes on or off is logged with the key that did it, other settings are not', async () => {
    await useFourEyes(api, tenant, { rules: true });
    const from = api.log.length;
    await tenant.patch(PATH, { fourEyes: { review: true } });
    await tenant.patch(PATH, { holdIncomplete: true });
    await tenant.patch(PATH, { fourEyes: { review: null } });
    const by = { audit: 'FOUR_EYES_SET', tenantId: tenant.id, apiKeyId: tenant.apiKeyId };
    // The second is a proposal: nothing is switched off by one.
    const fourEyes = { rules: true, review: true };
    expect(api.log.slice(from).filter(({ audit }) => audit !== undefined)).toMatchObject([
      { ...by, fourEyes },
      { ...by, fourEyes },
    ]);
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
    expect(patched.body).toEqual({ ...DEFAULTS, selfHosted: { ...DEFAULTS.selfHosted, ...chosen } });
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
    [{ timeZone: 'Mars/Olympus' }, '/timeZone'],
    [{ claimDeadlineDays: 31 }, '/claimDeadlineDays'],
    [{ retentionDays: 3_654 }, '/retentionDays'],
    [{ branding: { color: 'red' } }, '/branding/color'],
    [{ branding: { logo: {} } }, '/branding/logo'],
    [{ branding: { frameOrigins: ['https://a.example', '*'] } }, '/branding/frameOrigins/1'],
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
});

describe('GET /tenant/me/archive/{id}', () => {
  const tenant = useTenant(api);
  let id: string;
  beforeAll(async () => {
    ({ id } = await createTransaction(tenant, { originator: { name: 'Anna Keller' } }));
  });

  test('404: a record that is not deleted is not in the archive', async () => {
    expect((await tenant.get(`/tenant/me/archive/${id}?reason=audit`)).status).toBe(404);
  });

  describe('of a deleted record', () => {
    beforeAll(async () => {
      expect((await tenant.delete(`/transactions/${id}`)).status).toBe(204);
    });

    test('200: an administrator reads it as it was, and each reading is an event whose reason stays sealed', async () => {
      const answer = await tenant.get<Transaction>(`/tenant/me/archive/${id}?reason=court-order-17`);
      expect([answer.status, answer.body.originator?.name]).toEqual([200, 'Anna Keller']);
      const { rows } = await database.pool.query<{ type: string; text: string }>(
        `select type, events::text as text from events where subject_id = $1 order by sequence`,
        [id],
      );
      expect(rows.map(({ type }) => type)).toEqual(['CREATED', 'DELETED', 'ARCHIVE_READ']);
      expect(rows.map(({ text }) => text).join()).not.toContain('court-order');
      expect(await verifyEvents(api.db, id)).toMatchObject({ checked: 1, faults: [], erased: [] });
    });

    test('everywhere else it stays gone', async () => {
      expect((await tenant.get(`/transactions/${id}`)).status).toBe(404);
      expect((await tenant.get('/transactions?q=anna')).headers.get('x-total-count')).toBe('0');
    });

    test('400: without a reason', async () => {
      expect((await tenant.get(`/tenant/me/archive/${id}`)).status).toBe(400);
    });

    test('403: other roles may not', async () => {
      expect((await (await tenant.as('COMPLIANCE')).get(`/tenant/me/archive/${id}?reason=x`)).status).toBe(
        403,
      );
    });

    test('404: another tenant does not find it', async () => {
      expect((await (await createTenant(api)).get(`/tenant/me/archive/${id}?reason=x`)).status).toBe(404);
    });

    test('401: without a key', async () => {
      expect((await api.request('GET', `/tenant/me/archive/${id}?reason=x`)).status).toBe(401);
    });
  });
});
