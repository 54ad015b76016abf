import { SignJWT } from 'jose';
import type { Endpoint } from '../../api/endpoint.ts';
import { endpoints } from '../../api/endpoints.ts';
import type { SignedIn } from '../../domain/users/schema.ts';
import { createPartner } from '../factories/partner.ts';
import { createTenant } from '../factories/tenant.ts';
import { createUser, PASSWORD } from '../factories/user.ts';
import { aThirdOf } from '../full.ts';
import { useApi, useTenant } from '../use-api.ts';

// More refusals than an address may cause in a minute.
const { api, database } = useApi({ config: { RATE_LIMIT_ANONYMOUS: 0 } });
const tenant = useTenant(api);

type Headers = Record<string, string>;
const bearing = (token: string): Headers => ({ Authorization: `Bearer ${token}` });
const ofPage = (cookie: string): Headers => ({ Cookie: `waybill=${cookie}`, 'X-Waybill-Page': '1' });
/** What nobody may come in with, by name. Each is right but for one thing. */
const refused: Record<string, Headers> = {};
/** What a tenant's people and programs come in with. */
const admitted: Record<string, Headers> = {};
/** What a partner comes in with. */
const partner: Headers = {};
/** A key of a tenant that was suspended. */
const suspended: Headers = {};
/** Two good credentials in one request, in every pair: nobody could say who acts. */
const pairs: Record<string, Headers> = {};

beforeAll(async () => {
  const { accessToken, refreshToken } = await createUser(api, tenant);
  const key = { 'X-Api-Key': tenant.apiKey };
  const partnerKey = (await createPartner(api)).apiKey.apiKey;
  Object.assign(partner, { 'X-Partner-Api-Key': partnerKey });
  const cookie = await cookieOf(accessToken, 1);
  Object.assign(admitted, {
    'an access token': bearing(accessToken),
    'an API key': key,
    'the cookie of a page': ofPage(cookie),
    'an API key behind a proxy with a sign-in of its own': { ...key, Authorization: 'Basic cHJveHk6eA==' },
  });
  const good = Object.entries({
    'an API key': key,
    'an access token': bearing(accessToken),
    'a cookie': ofPage(cookie),
    'a key of a partner': partner,
    "an operator's key": { 'X-Operator-Key': api.operatorKey },
  });
  for (const [index, [name, headers]] of good.entries()) {
    for (const [other, beside] of good.slice(index + 1))
      pairs[`${name} beside ${other}`] = { ...headers, ...beside };
  }
  Object.assign(refused, {
    nothing: {},
    'an empty token': { Authorization: 'Bearer ' },
    'another scheme': { Authorization: `Basic ${accessToken}` },
    'a refresh token': bearing(refreshToken),
    'an API key as a token': bearing(tenant.apiKey),
    'a token as an API key': { 'X-Api-Key': accessToken },
    'a token as an operator key': { 'X-Operator-Key': accessToken },
    'an API key as an operator key': { 'X-Operator-Key': tenant.apiKey },
    'an operator key as a token': bearing(api.operatorKey),
    'an operator key as an API key': { 'X-Api-Key': api.operatorKey },
    'a key of a partner as an API key': { 'X-Api-Key': partnerKey },
    "a key of a partner as an operator's": { 'X-Operator-Key': partnerKey },
    'a key of a partner, at a path that is not for partners': { 'X-Partner-Api-Key': partnerKey },
    'a token that has ended': bearing(await endedToken(accessToken)),
    'a token of another deployment': bearing(await signedByAnother(accessToken)),
    'a token of a session that was signed out': bearing(await signedOut()),
    'a token from before the password was changed': bearing(await beforeChange()),
    'a token of a disabled user': bearing(await disabled()),
    'a token of an auditor whose time is over': bearing(await endedAuditor()),
    'a cookie that has ended': ofPage(await cookieOf(accessToken, -1)),
    'a cookie of a session that was signed out': ofPage(await cookieOf(await signedOut(), 1)),
    'a cookie as a token': bearing(cookie),
    'a token as a cookie': ofPage(accessToken),
    'a token beside a key, neither of them right': { 'X-Api-Key': accessToken, ...bearing(tenant.apiKey) },
  });
});

beforeAll(async () => {
  const { id, apiKey } = await createTenant(api);
  await api.request('POST', `/operator/tenants/${id}/suspend`, { operatorKey: api.operatorKey });
  Object.assign(suspended, { 'X-Api-Key': apiKey });
});

function claimsOf(token: string): { kid: string; userId: string; sessionId: string } {
  const [header = '', payload = ''] = token.split('.');
  const open = (part: string) =>
    JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, string>;
  const { sub = '', sid = '' } = open(payload);
  return { kid: open(header)['kid'] ?? '', userId: sub, sessionId: sid };
}

/** The cookie of the session of a token, which ends in so many hours. */
async function cookieOf(token: string, hours: number): Promise<string> {
  const end = new Date(Date.now() + hours * 3_600_000);
  const times = { now: new Date(end.getTime() - 86_400_000), expiresAt: end };
  return await api.db.vault.pageCookies.make(claimsOf(token), times);
}

async function endedToken(token: string): Promise<string> {
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  return await api.db.vault.accessTokens.make(claimsOf(token), { now: hoursAgo(2), expiresAt: hoursAgo(1) });
}

async function signedByAnother(token: string): Promise<string> {
  const { kid, userId, sessionId } = claimsOf(token);
  return await new SignJWT({ sid: sessionId })
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid })
    .setIssuer('waybill')
    .setAudience('sandbox')
    .setSubject(userId)
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(new Uint8Array(32));
}

async function signedOut(): Promise<string> {
  const { accessToken } = await createUser(api, tenant);
  await api.request('GET', '/auth/logout', { headers: bearing(accessToken) });
  return accessToken;
}

async function beforeChange(): Promise<string> {
  const { email, accessToken } = await createUser(api, tenant);
  const credentials = { email, password: PASSWORD };
  const { body } = await api.request<SignedIn>('POST', '/auth/signin', { body: credentials });
  const change = { currentPassword: PASSWORD, password: 'granite-Lantern-52-quay' };
  await api.request('POST', '/users/me/password', { headers: bearing(body.accessToken), body: change });
  return accessToken;
}

async function disabled(): Promise<string> {
  const { accessToken, user } = await createUser(api, tenant);
  await tenant.patch(`/users/${user.id}`, { disabled: true });
  return accessToken;
}

async function endedAuditor(): Promise<string> {
  const { accessToken, user } = await createUser(api, tenant, 'AUDITOR');
  await database.pool.query("update users set expires_at = now() - interval '1 s' where id = $1", [user.id]);
  return accessToken;
}

/** A record that does not exist and a parameter that does not either: nobody gets far enough to change something. */
async function call({ method, path }: Endpoint, headers: Headers) {
  const filled = path.replaceAll(/\{\w+\}/g, '0190d1a2-7b3c-7def-8123-456789abcdef');
  return await api.request(method, `${filled}?no=such`, { headers });
}

const named = (auth: Endpoint['auth']) =>
  endpoints
    .filter((each) => each.auth === auth)
    .map((each, index) => [`${each.method} ${each.path}`, each, index] as const);

/**
 * In the quick run each endpoint is asked with another third of the credentials than the endpoints beside it, and always
 * without any.
 */
function chosen(credentials: Record<string, Headers>, index: number): Record<string, Headers> {
  const begin = ([0, 1, 2] as const)[index % 3];
  return { nothing: {}, ...Object.fromEntries(aThirdOf(Object.entries(credentials), begin)) };
}

async function notRefused(endpoint: Endpoint, credentials: Record<string, Headers>): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const [name, headers] of Object.entries(credentials)) {
    const { status, body } = await call(endpoint, headers);
    if (status !== 401 || body['code'] !== 'unauthenticated')
      found.push({ name, status, code: body['code'] });
  }
  return found;
}

test.each(named('TENANT'))(
  '%s: 401 for whoever is nobody here, 403 for a suspended tenant, and the others come in',
  async (_, endpoint, index) => {
    expect(await notRefused(endpoint, chosen({ ...refused, ...pairs }, index))).toEqual([]);
    for (const headers of Object.values(admitted))
      expect([400, 404]).toContain((await call(endpoint, headers)).status);
    expect(await call(endpoint, suspended)).toMatchObject({
      status: 403,
      body: { code: 'tenant_suspended' },
    });
  },
);

test.each(named('OPERATOR'))('%s: 401 for everybody but operators', async (_, endpoint, index) => {
  expect(await notRefused(endpoint, chosen({ ...refused, ...admitted, ...pairs }, index))).toEqual([]);
});

test.each(named('PARTNER'))('%s: 401 for everybody but partners', async (_, endpoint) => {
  const { 'a key of a partner, at a path that is not for partners': own, ...others } = refused;
  expect(own).toEqual(partner);
  expect(await notRefused(endpoint, { ...others, ...admitted, ...pairs })).toEqual([]);
  expect((await call(endpoint, partner)).status).toBe(400);
});

test('there are ten pairs of the five credentials', () => {
  expect(Object.keys(pairs)).toHaveLength(10);
});
