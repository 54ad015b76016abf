import { randomBytes, randomUUID } from 'node:crypto';
import { apiKeyText } from '../../../domain/tenants/api-key-text.ts';
import type { Partner, PartnerKey } from '../../../domain/partners/schema.ts';
import type { Json } from '../../api-client.ts';
import { createPartner, type TestPartner } from '../../factories/partner.ts';
import { createUser } from '../../factories/user.ts';
import { startSecondApi, useApi, useTenant } from '../../use-api.ts';

const ADA = 'ada-a5f0c1d2e3b4968778695a4b';
const { api, database } = useApi({
  config: { WEBHOOK_ALLOWED_HOSTS: ['127.0.0.1:8080'], OPERATOR_KEYS: [{ name: 'ada', key: ADA }] },
});
const tenant = useTenant(api);
const PROFILE = { legalName: 'Meridian Ltd', email: 'desk@meridian.example', country: 'SG' };

const send = async <T = Json>(
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: unknown,
) => await api.request<T>(method, path, { headers, ...(body !== undefined && { body }) });
const keyOf = ({ apiKey }: TestPartner) => ({ 'X-Partner-Api-Key': apiKey.apiKey });
const me = async (partner: TestPartner) => (await send<Partner>('GET', '/partners/me', keyOf(partner))).body;
const patch = async (partner: TestPartner, body: unknown) =>
  await send<Partner>('PATCH', '/partners/me', keyOf(partner), body);
const asOperator = async <T = Json>(
  method: string,
  path: string,
  body?: unknown,
  operatorKey = api.operatorKey,
) =>
  await api.request<T>(method, `/operator/partners${path}`, {
    operatorKey,
    ...(body !== undefined && { body }),
  });

describe('a profile', () => {
  test('is shown with every field, and with the secret that signs the webhooks', async () => {
    const made = await createPartner(api, { ...PROFILE, webhookUrl: 'https://hooks.example/in' });
    expect(made.apiKey.apiKey).toMatch(/^wbp_sandbox_[0-9A-Za-z]{49}$/);
    expect(await me(made)).toEqual(made.partner);
    expect(made.partner).toEqual({
      ...PROFILE,
      id: expect.any(String) as unknown,
      name: made.partner.name,
      webpage: null,
      webhookUrl: 'https://hooks.example/in',
      webhookSecret: expect.stringMatching(/^whsec_/) as unknown,
      webhookStatus: 'ACTIVE',
      environment: 'sandbox',
      createdAt: expect.stringMatching(/\.\d{3}Z$/) as unknown,
      updatedAt: expect.stringMatching(/\.\d{3}Z$/) as unknown,
    });
  });

  test('changes in part; null clears a field, and an empty change keeps the time', async () => {
    const made = await createPartner(api, PROFILE);
    const { status, body } = await patch(made, { legalName: null, webpage: 'https://meridian.example' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      legalName: null,
      webpage: 'https://meridian.example',
      email: PROFILE.email,
      webhookSecret: made.partner.webhookSecret,
    });
    expect(await me(made)).toEqual(body);
    expect((await patch(made, {})).body).toEqual(body);
  });

  test('a new webhookUrl makes a new secret; the same one, or none, does not', async () => {
    const made = await createPartner(api);
    const first = (await patch(made, { webhookUrl: 'http://127.0.0.1:8080/hook' })).body;
    expect(first.webhookSecret).not.toBe(made.partner.webhookSecret);
    expect((await patch(made, { webhookUrl: 'http://127.0.0.1:8080/hook' })).body.webhookSecret).toBe(
      first.webhookSecret,
    );
    const cleared = (await patch(made, { webhookUrl: null })).body;
    expect(cleared).toMatchObject({ webhookStatus: null, webhookSecret: first.webhookSecret });
    const again = (await patch(made, { webhookUrl: 'http://127.0.0.1:8080/hook' })).body;
    expect(again.webhookSecret).not.toBe(first.webhookSecret);
    expect((await me(made)).webhookSecret).toBe(again.webhookSecret);
  });

  test.each([
    [{ name: 'Another Name' }, '/name'],
    [{ webhookSecret: 'whsec_mine' }, '/webhookSecret'],
    [{ webhookUrl: 'http://169.254.169.254/latest' }, '/webhookUrl'],
    [{ webhookUrl: 'ftp://hooks.example' }, '/webhookUrl'],
    [{ webhookUrl: '' }, '/webhookUrl'],
    [{ webpage: 'javascript:alert(1)' }, '/webpage'],
    [{ email: 'nobody' }, '/email'],
    [{ country: 'Atlantis' }, '/country'],
    [{ legalName: 'x'.repeat(201) }, '/legalName'],
    [{ legalName: 7 }, '/legalName'],
  ])('400 for %j, and nothing changes', async (body, pointer) => {
    const made = await createPartner(api);
    expect(await patch(made, { country: 'LU', ...body })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer }] },
    });
    expect(await me(made)).toEqual(made.partner);
  });

  test('its secret is sealed in the database, and its key is not there', async () => {
    const made = await createPartner(api);
    const { rows } = await database.pool.query<{ row: string }>(
      'select row(p.*)::text || row(k.*)::text as row from partners p join partner_keys k on k.partner_id = p.id where p.id = $1',
      [made.partner.id],
    );
    const text = JSON.stringify(rows) + JSON.stringify(api.log);
    const hex = Buffer.from(made.partner.webhookSecret ?? '').toString('hex');
    for (const secret of [made.apiKey.apiKey, made.partner.webhookSecret ?? '', hex])
      expect(text).not.toContain(secret);
  });
});

describe('credentials', () => {
  test('one partner reads and changes itself alone', async () => {
    const [one, other] = [await createPartner(api), await createPartner(api)];
    await patch(one, { country: 'LU' });
    expect(await me(other)).toEqual(other.partner);
  });

  test('401 without a key, with a wrong one, and with two credentials at once', async () => {
    const made = await createPartner(api);
    const { accessToken } = await createUser(api, tenant);
    const own = keyOf(made);
    const bearer = { Authorization: `Bearer ${accessToken}` };
    const refused: Record<string, string>[] = [
      {},
      { 'X-Api-Key': tenant.apiKey },
      { 'X-Partner-Api-Key': tenant.apiKey },
      { 'X-Partner-Api-Key': apiKeyText('sandbox', randomBytes(64), 'PARTNER') },
      { 'X-Partner-Api-Key': `${made.apiKey.apiKey.slice(0, -1)}!` },
      { 'X-Operator-Key': api.operatorKey },
      bearer,
      { ...own, 'X-Api-Key': tenant.apiKey },
      { ...own, ...bearer },
    ];
    for (const headers of refused) {
      for (const method of ['GET', 'PATCH']) {
        const answer = await send(method, '/partners/me', headers, method === 'GET' ? undefined : {});
        expect([headers, answer.status, answer.body['code']]).toEqual([headers, 401, 'unauthenticated']);
      }
    }
    const production = { 'X-Partner-Api-Key': apiKeyText('production', randomBytes(64), 'PARTNER') };
    expect((await send('GET', '/partners/me', production)).body).toMatchObject({ code: 'wrong_environment' });
  });

  test("401 for a partner's key at a tenant's path, also beside the tenant's own key", async () => {
    const made = await createPartner(api);
    for (const path of ['/tenant/me', '/transactions', '/sanctions/history']) {
      expect((await send('GET', path, keyOf(made))).status).toBe(401);
      expect((await send('GET', path, { ...keyOf(made), 'X-Api-Key': tenant.apiKey })).status).toBe(401);
      expect((await send('GET', path, { 'X-Api-Key': made.apiKey.apiKey })).status).toBe(401);
    }
    const search = { type: 'NATURAL', name: 'Anna Keller' };
    await tenant.post('/sanctions/search', search);
    const both = { ...keyOf(made), 'X-Api-Key': tenant.apiKey };
    // The caller is in the cache by now.
    expect((await send('POST', '/sanctions/search', both, search)).status).toBe(401);
    expect((await send('GET', '/operator/partners', { 'X-Operator-Key': made.apiKey.apiKey })).status).toBe(
      401,
    );
  });

  test('a revoked or ended key is refused with the next request; others of the partner go on', async () => {
    const made = await createPartner(api);
    const { id } = made.partner;
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const second = await asOperator<PartnerKey>('POST', `/${id}/api-keys`, { name: 'second', expiresAt });
    expect(second).toMatchObject({ status: 201, body: { name: 'second', expiresAt } });
    const headers = { 'X-Partner-Api-Key': second.body.apiKey };
    expect((await send('GET', '/partners/me', headers)).body).toMatchObject({ id });

    const revoked = await asOperator('DELETE', `/${id}/api-keys/${made.apiKey.id}`);
    expect(revoked).toMatchObject({ status: 200, body: { id: made.apiKey.id } });
    expect((await asOperator('DELETE', `/${id}/api-keys/${made.apiKey.id}`)).body).toEqual(revoked.body);
    expect(await send('GET', '/partners/me', keyOf(made))).toMatchObject({
      status: 401,
      body: { code: 'key_revoked' },
    });
    await database.pool.query(
      `update partner_keys set expires_at = now() - interval '1 s' where name = 'second'`,
    );
    expect(await send('GET', '/partners/me', headers)).toMatchObject({
      status: 401,
      body: { code: 'key_expired' },
    });
  });

  test('429 beyond the rate limit of a key, and other keys are not counted', async () => {
    const limited = await startSecondApi(api, { config: { RATE_LIMIT_READS: 2 } });
    const [busy, calm] = [await createPartner(api), await createPartner(api)];
    const statuses: number[] = [];
    for (const partner of [busy, busy, busy, calm]) {
      const { status } = await limited.request('GET', '/partners/me', { headers: keyOf(partner) });
      statuses.push(status);
    }
    expect(statuses).toEqual([200, 200, 429, 200]);
  });
});

describe('operators', () => {
  test('a name is taken whatever its case, accents and spaces', async () => {
    await createPartner(api, { name: 'Zürich Network' });
    expect((await asOperator('POST', '', { name: ' ZURICH  network' })).status).toBe(409);
    expect(await asOperator('POST', '', { name: ' ' })).toMatchObject({ status: 400 });
    expect(await asOperator('POST', '', { name: 'X', webhookUrl: 'http://10.0.0.1/' })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/webhookUrl' }] },
    });
  });

  test('list partners and their keys without a secret', async () => {
    const made = await createPartner(api, { name: 'Quokka Network' });
    const listed = await asOperator<Partner[]>('GET', '?q=quokka');
    expect(listed.body).toEqual([{ ...made.partner, webhookSecret: null }]);
    const { body: keys } = await asOperator<PartnerKey[]>('GET', `/${made.partner.id}/api-keys`);
    const masked = `wbp_sandbox_…${made.apiKey.apiKey.slice(-4)}`;
    expect(keys).toEqual([{ ...made.apiKey, apiKey: masked }]);
  });

  test('404 for a partner, or a key of another partner', async () => {
    const [one, other] = [await createPartner(api), await createPartner(api)];
    for (const id of [randomUUID(), tenant.id]) {
      expect((await asOperator('GET', `/${id}/api-keys`)).status).toBe(404);
      expect((await asOperator('POST', `/${id}/api-keys`, {})).status).toBe(404);
    }
    expect((await asOperator('DELETE', `/${one.partner.id}/api-keys/${other.apiKey.id}`)).status).toBe(404);
    expect((await send('GET', '/partners/me', keyOf(other))).status).toBe(200);
  });

  test('what they do is logged under their names, and never a key', async () => {
    const { body } = await asOperator<TestPartner>('POST', '', { name: 'Ada Network' }, ADA);
    const partnerId = body.partner.id;
    expect(api.log).toContainEqual(
      expect.objectContaining({ audit: 'PARTNER_CREATED', operator: 'ada', partnerId }),
    );
    expect(api.log).toContainEqual(
      expect.objectContaining({ route: '/operator/partners', status: 201, operator: 'ada' }),
    );
    await createPartner(api);
    expect(api.log).toContainEqual(
      expect.objectContaining({ audit: 'PARTNER_CREATED', operator: 'operator' }),
    );
    expect(JSON.stringify(api.log)).not.toContain(ADA);
    expect((await asOperator('GET', '', undefined, `${ADA}x`)).status).toBe(401);
  });

  test('a repeat under an Idempotency-Key makes one partner, for the operator who sent it alone', async () => {
    const create = async (operatorKey: string) =>
      await api.request<TestPartner>('POST', '/operator/partners', {
        operatorKey,
        body: { name: 'Repeated Network' },
        headers: { 'Idempotency-Key': 'repeated-network' },
      });
    const first = await create(ADA);
    expect(await create(ADA)).toMatchObject({ status: 201, body: first.body });
    expect((await create(api.operatorKey)).status).toBe(422);
  });
});
