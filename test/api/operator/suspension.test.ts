import { randomUUID } from 'node:crypto';
import { failuresOf } from '../../../api/auth/sign-in-limits.ts';
import type { OperatorTenant } from '../../../domain/tenants/schema.ts';
import type { SignedIn } from '../../../domain/users/schema.ts';
import type { Json } from '../../api-client.ts';
import { createPartner } from '../../factories/partner.ts';
import { withOtherEnd } from '../../factories/other-end.ts';
import { formOf, png } from '../../factories/evidence.ts';
import { bearerClient, createTenant, type TestTenant } from '../../factories/tenant.ts';
import { createTransaction, evmAddress } from '../../factories/transaction.ts';
import { createUser, PASSWORD, type TestUser } from '../../factories/user.ts';
import { createVerification } from '../../factories/verification.ts';
import { useApi } from '../../use-api.ts';

const ADA = 'ada-a5f0c1d2e3b4968778695a4b';
const { api, database } = useApi({ config: { OPERATOR_KEYS: [{ name: 'ada', key: ADA }] } });
const SUSPENDED = { status: 403, body: { code: 'tenant_suspended' } };

const act = async <T = OperatorTenant>(id: string, act: string, operatorKey = api.operatorKey) =>
  await api.request<T>('POST', `/operator/tenants/${id}/${act}`, { operatorKey });
const read = async (id: string) =>
  await api.request<OperatorTenant>('GET', `/operator/tenants/${id}`, { operatorKey: api.operatorKey });
const signIn = async (email: string, password = PASSWORD) =>
  await api.request<SignedIn>('POST', '/auth/signin', { body: { email, password } });
const refresh = async (token: string) =>
  await api.request<SignedIn>('GET', '/auth/refresh', { headers: { Authorization: `Bearer ${token}` } });

/** Everything that is stored of a tenant, but for its own row's times. */
async function storedOf(id: string): Promise<unknown> {
  const { rows } = await database.pool.query(
    `select t.name, t.webhook_url, t.settings, t.rate_limits,
       (select array_agg(row(k.id, k.role, k.revoked_at, k.expires_at)::text order by k.id) from api_keys k where k.tenant_id = t.id) as keys,
       (select array_agg(row(s.id, s.refresh_hash, s.ended_at)::text order by s.id) from user_sessions s where s.tenant_id = t.id) as sessions,
       (select array_agg(row(r.id, r.status, r.version)::text order by r.id) from transactions r where r.tenant_id = t.id) as records
     from tenants t where t.id = $1`,
    [id],
  );
  return rows[0];
}

describe('a suspended tenant', () => {
  let tenant: TestTenant;
  let user: TestUser;
  beforeEach(async () => {
    tenant = await createTenant(api);
    user = await createUser(api, tenant);
  });

  test('is out with its keys of all roles, users and sessions at once, and back as it was', async () => {
    await createTransaction(tenant);
    const observer = await tenant.as('OBSERVER');
    const before = await storedOf(tenant.id);
    const { status, body } = await act(tenant.id, 'suspend');
    expect([status, body.suspendedAt]).toEqual([200, body.updatedAt]);
    for (const client of [tenant, observer, user]) {
      expect(await client.get('/tenant/me')).toMatchObject(SUSPENDED);
      expect(await client.get('/no-such-path')).toMatchObject({ status: 404 });
    }
    expect(await tenant.post('/transactions', {})).toMatchObject(SUSPENDED);
    expect(await refresh(user.refreshToken)).toMatchObject(SUSPENDED);
    expect(await signIn(user.email)).toMatchObject(SUSPENDED);
    expect(await storedOf(tenant.id)).toEqual(before);

    expect((await act(tenant.id, 'resume')).body).toMatchObject({ id: tenant.id, suspendedAt: null });
    expect(await storedOf(tenant.id)).toEqual(before);
    for (const client of [tenant, observer, user]) expect((await client.get('/tenant/me')).status).toBe(200);
    const refreshed = await refresh(user.refreshToken);
    expect(refreshed.status).toBe(200);
    expect((await bearerClient(api, refreshed.body.accessToken).get('/tenant/me')).status).toBe(200);
  });

  test('whoever does not belong to it learns nothing: wrong keys and passwords are answered as ever', async () => {
    const { body } = await tenant.post<{ id: string; apiKey: string }>('/tenant/me/api-keys', {});
    await tenant.delete(`/tenant/me/api-keys/${body.id}`);
    await act(tenant.id, 'suspend');
    expect((await signIn(user.email, 'not-the-password-7')).status).toBe(401);
    expect((await api.request('GET', '/tenant/me', { key: body.apiKey })).body).toMatchObject({
      code: 'key_revoked',
    });
    expect((await refresh(withOtherEnd(user.refreshToken))).status).toBe(401);
  });

  test('is like one under a brake for a partner, whose message may be sent again', async () => {
    const { apiKey } = await createPartner(api);
    const headers = { 'X-Partner-Api-Key': apiKey.apiKey };
    const blockchainInfo = {
      blockchain: 'Ethereum',
      destination: evmAddress(),
      destinationType: 'CUSTODIAL',
    };
    const vaspInfo = { beneficiaryVaspName: tenant.name };
    const body = { reference: 'S-1', asset: 'ETH', amount: '0.75', blockchainInfo, vaspInfo };
    const send = async () => await api.request<Json>('POST', '/partners/me/transactions', { headers, body });
    await act(tenant.id, 'suspend');
    const whileSuspended = await send();
    await act(tenant.id, 'resume');
    const brake = { kind: 'INCOMING', reason: 'Our list is being renewed.' };
    const { body: set } = await tenant.post<{ id: string }>('/tenant/me/brakes', brake);
    const braked = await send();
    const answers = [whileSuspended, braked].map(({ status, body: { code, detail } }) => [
      status,
      code,
      detail,
    ]);
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.slice(0, 2)).toEqual([503, 'temporarily_unavailable']);
    await tenant.post(`/tenant/me/brakes/${set.id}/release`);
    expect((await send()).status).toBe(201);
  });

  test('right passwords are no failures, so that nobody is locked out after a resume', async () => {
    await act(tenant.id, 'suspend');
    for (let times = 0; times < 3; times += 1) expect(await signIn(user.email)).toMatchObject(SUSPENDED);
    const { hash } = failuresOf(api.db, { email: user.email, address: '127.0.0.1' });
    const failures = async () =>
      (
        await database.pool.query<{ count: number }>('select count from counted_tries where hash = $1', [
          hash,
        ])
      ).rows;
    expect(await failures()).toEqual([]);
    await signIn(user.email, 'not-the-password-7');
    expect(await failures()).toEqual([{ count: 1 }]);
    await act(tenant.id, 'resume');
    expect((await signIn(user.email)).status).toBe(201);
  });

  test('a caller from the cache is noticed in the statement that writes its result', async () => {
    const search = { type: 'NATURAL', name: 'Anna Keller' };
    const body = {
      asset: 'ETH',
      amount: '1',
      blockchainInfo: { destination: `0x${'ab'.repeat(20)}`, destinationType: 'CUSTODIAL' },
      originator: { name: 'Anna Keller' },
      beneficiary: { name: 'Jonas Brandt' },
    };
    expect((await tenant.post('/transactions', body)).status).toBe(201);
    await tenant.post('/sanctions/search', search);
    await act(tenant.id, 'suspend');
    expect(await tenant.post('/transactions', body)).toMatchObject(SUSPENDED);
    expect(await tenant.post('/sanctions/search', search)).toMatchObject(SUSPENDED);
    const { rowCount } = await database.pool.query('select 1 from transactions where tenant_id = $1', [
      tenant.id,
    ]);
    expect(rowCount).toBe(1);
  });

  test('its hosted pages are closed, and open again; a wrong token stays unknown', async () => {
    const { token } = await createVerification(tenant);
    const page = async (given: string) =>
      await api.request('GET', '/wallet/verification', { headers: { 'X-Verification-Token': given } });
    await act(tenant.id, 'suspend');
    expect(await page(token)).toMatchObject(SUSPENDED);
    expect((await page(withOtherEnd(token))).status).toBe(404);
    const message = { headers: { 'X-Verification-Token': token }, body: {} };
    expect(await api.request('POST', '/wallet/verification/message', message)).toMatchObject(SUSPENDED);
    await act(tenant.id, 'resume');
    expect((await page(token)).status).toBe(200);
  });

  test('its people come in on pages no more, by password or cookie, and a logo is shown to nobody', async () => {
    const session = async () =>
      await api.request('POST', '/auth/session', { body: { email: user.email, password: PASSWORD } });
    const [cookie = ''] = ((await session()).headers.get('set-cookie') ?? '').split(';');
    const onPage = async () => await api.request('GET', '/users/me', { headers: { Cookie: cookie } });
    const file = { name: 'file', fileName: 'logo.png', type: 'image/png', content: png() };
    const upload = { method: 'POST', headers: { 'X-Api-Key': tenant.apiKey }, body: formOf({}, [file]) };
    expect((await fetch(`${api.url}/tenant/me/settings/logo`, upload)).status).toBe(200);
    const { token } = await createVerification(tenant);
    const logo = async () =>
      (
        await fetch(`${api.url}/wallet/verification/branding/logo`, {
          headers: { 'X-Verification-Token': token },
        })
      ).status;
    expect([(await onPage()).status, await logo()]).toEqual([200, 200]);
    await act(tenant.id, 'suspend');
    expect(await session()).toMatchObject(SUSPENDED);
    expect(await onPage()).toMatchObject(SUSPENDED);
    expect(await logo()).toBe(403);
    await act(tenant.id, 'resume');
    expect([(await onPage()).status, await logo()]).toEqual([200, 200]);
  });

  test('nobody else notices: other tenants, and the list of operators, go on', async () => {
    const other = await createTenant(api);
    await act(tenant.id, 'suspend');
    expect((await other.get('/tenant/me')).status).toBe(200);
    expect((await read(other.id)).body.suspendedAt).toBeNull();
    expect((await read(tenant.id)).body.suspendedAt).not.toBeNull();
    const { body } = await api.request<OperatorTenant[]>(
      'GET',
      `/operator/tenants?q=${encodeURIComponent(tenant.name)}`,
      {
        operatorKey: api.operatorKey,
      },
    );
    expect(body.map(({ suspendedAt }) => suspendedAt === null)).toEqual([false]);
  });

  test('operators still rename it and issue and revoke its keys, masked in lists', async () => {
    await act(tenant.id, 'suspend');
    const operator = async <T = Json>(method: string, path: string, body?: unknown) =>
      await api.request<T>(method, `/operator/tenants/${tenant.id}${path}`, {
        operatorKey: ADA,
        ...(body !== undefined && { body }),
      });
    const renamed = await operator<OperatorTenant>('PATCH', '', { name: `${tenant.name} Two` });
    expect(renamed.body).toMatchObject({ name: `${tenant.name} Two` });
    expect(renamed.body.suspendedAt).not.toBeNull();
    const { body: made } = await operator<{ id: string; apiKey: string }>('POST', '/api-keys', {});
    expect((await api.request('GET', '/tenant/me', { key: made.apiKey })).status).toBe(403);
    const { body: keys } = await operator<{ id: string; apiKey: string }[]>('GET', '/api-keys');
    expect(keys.map(({ apiKey }) => apiKey)).toEqual(
      [made.apiKey, tenant.apiKey].map((key) => `wb_sandbox_…${key.slice(-4)}`),
    );
    const revoked = await operator('DELETE', `/api-keys/${made.id}`);
    expect(revoked).toMatchObject({
      status: 200,
      body: { id: made.id, apiKey: `wb_sandbox_…${made.apiKey.slice(-4)}` },
    });
    expect(revoked.body['revokedAt']).not.toBeNull();
    expect((await operator('DELETE', `/api-keys/${tenant.apiKeyId}`)).body).toMatchObject({
      code: 'last_api_key',
    });
    expect(api.log).toContainEqual(
      expect.objectContaining({
        audit: 'API_KEY_REVOKED',
        operator: 'ada',
        tenantId: tenant.id,
        apiKeyId: made.id,
      }),
    );
  });
});

describe('suspend and resume', () => {
  test('twice is 200 and changes nothing more, and both are logged by name', async () => {
    const tenant = await createTenant(api);
    expect((await act(tenant.id, 'resume')).body).toMatchObject({ suspendedAt: null });
    const first = await act(tenant.id, 'suspend', ADA);
    const second = await act(tenant.id, 'suspend');
    expect(second).toMatchObject({ status: 200, body: first.body });
    const resumed = await act(tenant.id, 'resume');
    expect(await act(tenant.id, 'resume')).toMatchObject({ status: 200, body: resumed.body });
    expect(api.log).toContainEqual(
      expect.objectContaining({ audit: 'TENANT_SUSPENDED', operator: 'ada', tenantId: tenant.id }),
    );
    expect(api.log).toContainEqual(
      expect.objectContaining({ audit: 'TENANT_RESUMED', operator: 'operator', tenantId: tenant.id }),
    );
  });

  test('many at once end in one state, and the tenant is not harmed', async () => {
    const tenant = await createTenant(api);
    const acts = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? 'suspend' : 'resume'));
    const answers = await Promise.all(acts.map(async (each) => await act(tenant.id, each)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await act(tenant.id, 'resume');
    expect((await tenant.get('/tenant/me')).status).toBe(200);
  });

  test('404 for a tenant that is none, 401 for tenants', async () => {
    const tenant = await createTenant(api);
    for (const each of ['suspend', 'resume']) {
      expect((await act(randomUUID(), each)).status).toBe(404);
      expect((await act('nonsense', each)).status).toBe(404);
      expect((await tenant.post(`/operator/tenants/${tenant.id}/${each}`)).status).toBe(401);
    }
    expect((await read(randomUUID())).status).toBe(404);
    expect((await tenant.get('/tenant/me')).status).toBe(200);
  });
});
