import { createPartner } from '../factories/partner.ts';
import { createTenant } from '../factories/tenant.ts';
import { createUser } from '../factories/user.ts';
import { useApi } from '../use-api.ts';

// Everybody behind one proxy or in one office has one address: somebody there who invents keys must not shut out the others.

const LIMIT = 5;
const { api } = useApi({ config: { RATE_LIMIT_ANONYMOUS: LIMIT, TRUST_PROXY: true } });

type Headers = Record<string, string>;
const MADE_UP: Headers = { 'X-Api-Key': 'made-up' };
const bearing = (token: string): Headers => ({ Authorization: `Bearer ${token}` });

/** The address of everybody in a test; each test has its own, which nobody has used up. */
let address = '';
let addresses = 0;
beforeEach(() => (address = `203.0.113.${(addresses += 1)}`));
const asked = async (path: string, headers: Headers) =>
  await api.request('GET', path, { headers: { 'X-Forwarded-For': address, ...headers } });
const asTenant = async (headers: Headers) => await asked('/tenant/me', headers);
const asPartner = async (headers: Headers) => await asked('/partners/me', headers);
const asOperator = async (headers: Headers) => await asked('/operator/tenants', headers);

/** The cookie of a page for the session of an access token. */
async function cookieOf(accessToken: string): Promise<string> {
  const claims = await api.db.vault.accessTokens.read(accessToken, new Date());
  if (!claims) throw new Error('the token is not of this deployment');
  const now = new Date();
  return await api.db.vault.pageCookies.make(claims, { now, expiresAt: new Date(now.getTime() + 60_000) });
}

test('made-up keys shut out nobody whom the database need not be asked about', async () => {
  const tenant = await createTenant(api);
  const { accessToken } = await createUser(api, tenant);
  const cookie = { Cookie: `waybill=${await cookieOf(accessToken)}`, 'X-Waybill-Page': '1' };
  const seen = { 'X-Partner-Api-Key': (await createPartner(api)).apiKey.apiKey };
  const unseen = { 'X-Partner-Api-Key': (await createPartner(api)).apiKey.apiKey };
  const key = { 'X-Api-Key': tenant.apiKey };
  const newKey = { 'X-Api-Key': (await createTenant(api)).apiKey };
  expect((await asPartner(seen)).status).toBe(200);
  expect((await asTenant(key)).status).toBe(200);
  for (let count = 0; count < LIMIT; count += 1) expect((await asTenant(MADE_UP)).status).toBe(401);

  expect((await asTenant(bearing(accessToken))).status).toBe(200);
  expect((await asTenant(cookie)).status).toBe(200);
  expect((await asTenant(key)).status).toBe(200);
  expect((await asPartner(seen)).status).toBe(200);
  expect((await asOperator({ 'X-Operator-Key': api.operatorKey })).status).toBe(200);

  const shutOut = { status: 429, body: { code: 'rate_limited' } };
  expect(await asTenant(MADE_UP)).toMatchObject(shutOut);
  expect(await asTenant({})).toMatchObject(shutOut);
  expect(await asTenant(newKey)).toMatchObject(shutOut);
  expect(await asTenant(bearing(`${accessToken}x`))).toMatchObject(shutOut);
  expect(await asTenant({ ...MADE_UP, ...bearing(accessToken) })).toMatchObject(shutOut);
  expect(await asPartner(unseen)).toMatchObject(shutOut);
  expect(await asPartner(bearing(accessToken))).toMatchObject({ status: 401 });
  expect(await asOperator({ 'X-Operator-Key': 'made-up' })).toMatchObject(shutOut);
});

test('a key of a partner that was revoked is known no longer', async () => {
  const { partner, apiKey } = await createPartner(api);
  const revoked = { 'X-Partner-Api-Key': apiKey.apiKey };
  expect((await asPartner(revoked)).status).toBe(200);
  const path = `/operator/partners/${partner.id}/api-keys/${apiKey.id}`;
  const { operatorKey } = api;
  expect((await api.request('DELETE', path, { operatorKey })).status).toBeLessThan(300);
  expect(await asPartner(revoked)).toMatchObject({ status: 401, body: { code: 'key_revoked' } });
  for (let count = 0; count < LIMIT; count += 1) await asTenant(MADE_UP);
  expect((await asPartner(revoked)).status).toBe(429);
});
