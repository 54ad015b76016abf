import type { User } from '../../../domain/users/schema.ts';
import { pageCookie, readPageCookie } from '../../../api/page-cookie.ts';
import type { Json } from '../../api-client.ts';
import { createUser, PASSWORD, type TestUser } from '../../factories/user.ts';
import { testDatabase } from '../../database.ts';
import { startTestApi } from '../../api-client.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenant(api);
beforeEach(async () => await database.pool.query('delete from counted_tries'));

type Headers = Record<string, string>;
const PAGE = { 'X-Waybill-Page': '1' };
const ofCookie = (value: string): Headers => ({ Cookie: `theme=dark; waybill=${value}` });

const signIn = async (email: string, headers: Headers = {}) =>
  await api.request<User & Json>('POST', '/auth/session', { body: { email, password: PASSWORD }, headers });

/** A user who is signed in on a page. */
async function onPage(): Promise<TestUser & { cookie: string }> {
  const user = await createUser(api, tenant);
  const answer = await signIn(user.email);
  expect(answer.status).toBe(201);
  return { ...user, cookie: valueOf(answer.headers) };
}

function valueOf(headers: globalThis.Headers): string {
  const [, value = ''] = /^waybill=([^;]*);/.exec(headers.get('set-cookie') ?? '') ?? [];
  return value;
}

const statusOf = async (method: string, path: string, headers: Headers, key?: string) =>
  (await api.request(method, path, { headers, ...(key !== undefined && { key }) })).status;

test('201: the cookie signs the page in, and no token is in the answer', async () => {
  const { email, user } = await createUser(api, tenant);
  const { status, body, headers } = await signIn(email);
  expect([status, body]).toEqual([201, { ...user, lastSignInAt: expect.any(String) }]);
  expect(headers.get('set-cookie')).toMatch(
    /^waybill=[\w-]+\.[\w-]+\.[\w-]+; Path=\/; Max-Age=86400; HttpOnly; SameSite=Strict$/,
  );
  const page = ofCookie(valueOf(headers));
  expect((await api.request<User>('GET', '/users/me', { headers: page })).body.id).toBe(user.id);
  const post = { headers: { ...page, ...PAGE }, body: { asset: 'ETH' } };
  expect((await api.request('POST', '/transactions', post)).status).toBe(400);
});

test('the cookie ends with its session: signed out, another password, a disabled user', async () => {
  const left = await onPage();
  const headers = ofCookie(left.cookie);
  const out = await api.request('DELETE', '/auth/session', { headers });
  expect([out.status, out.headers.get('set-cookie')]).toEqual([
    200,
    'waybill=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict',
  ]);
  expect(await statusOf('DELETE', '/auth/session', headers)).toBe(200);
  expect(await statusOf('DELETE', '/auth/session', {})).toBe(200);
  const changed = await onPage();
  const body = { currentPassword: PASSWORD, password: 'granite-Lantern-52-quay' };
  expect((await changed.post('/users/me/password', body)).status).toBe(200);
  const disabled = await onPage();
  await tenant.patch(`/users/${disabled.user.id}`, { disabled: true });
  for (const { cookie } of [left, changed, disabled])
    expect(await statusOf('GET', '/transactions', ofCookie(cookie))).toBe(401);
  // The tokens of another session go on.
  expect((await left.get('/transactions')).status).toBe(200);
});

test('401: a cookie beside a key or a token, a token as a cookie, a cookie as a token', async () => {
  const { cookie, accessToken } = await onPage();
  const bearing = (token: string) => ({ Authorization: `Bearer ${token}` });
  for (const method of ['GET', 'POST']) {
    const at = (headers: Headers, key?: string) =>
      statusOf(method, '/transactions?no=such', { ...headers, ...PAGE }, key);
    expect(await at(ofCookie(cookie), tenant.apiKey)).toBe(401);
    expect(await at(ofCookie('x'), tenant.apiKey)).toBe(401);
    expect(await at({ ...ofCookie(cookie), ...bearing(accessToken) })).toBe(401);
    expect(await at(ofCookie(accessToken))).toBe(401);
    expect(await at(bearing(cookie))).toBe(401);
    expect(await at(ofCookie(''))).toBe(401);
    expect(await at({ Cookie: 'theme=dark' }, tenant.apiKey)).toBe(400);
  }
});

test('401: a cookie of another deployment, and of one that has the same users', async () => {
  const { cookie } = await onPage();
  const elsewhere = await testDatabase();
  const other = await startTestApi(elsewhere);
  try {
    expect((await other.request('GET', '/transactions', { headers: ofCookie(cookie) })).status).toBe(401);
    const [, claims = ''] = cookie.split('.');
    const { sub, sid } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as {
      sub: string;
      sid: string;
    };
    const now = new Date();
    const made = await other.db.vault.pageCookies.make(
      { userId: sub, sessionId: sid },
      { now, expiresAt: new Date(now.getTime() + 60_000) },
    );
    expect(await statusOf('GET', '/transactions', ofCookie(made))).toBe(401);
  } finally {
    await other.stop();
    await elsewhere.drop();
  }
});

describe('a request of another site', () => {
  const own = () => new URL(api.url).origin;

  test.each<[string, Headers]>([
    ['another origin', { Origin: 'https://evil.example', ...PAGE }],
    ['no origin of its own', { Origin: 'null', ...PAGE }],
    ['another port of this host', { Origin: 'http://127.0.0.1:1', ...PAGE }],
    ['a page of another site', { 'Sec-Fetch-Site': 'cross-site', ...PAGE }],
    ['a page of a neighbour', { 'Sec-Fetch-Site': 'same-site', ...PAGE }],
    ['an address that was opened', { 'Sec-Fetch-Site': 'none', ...PAGE }],
    ['a form: without the header', {}],
  ])('is 403 with the cookie: %s', async (_, headers) => {
    const { cookie } = await onPage();
    for (const [method, path] of [
      ['POST', '/tenant/me/webhook/test'],
      ['DELETE', '/tenant/me/api-keys/0190d1a2-7b3c-7def-8123-456789abcdef'],
      ['PATCH', '/tenant/me'],
    ] as const) {
      const answer = await api.request(method, path, { headers: { ...ofCookie(cookie), ...headers } });
      expect([method, answer.status, answer.body['code']]).toEqual([method, 403, 'forbidden']);
    }
  });

  test('is 403 for reading, too; what the person opens and what the page reads is not', async () => {
    const { cookie } = await onPage();
    const read = async (headers: Headers) =>
      await statusOf('GET', '/transactions', { ...ofCookie(cookie), ...headers });
    expect(await read({ 'Sec-Fetch-Site': 'cross-site' })).toBe(403);
    expect(await read({ Origin: 'https://evil.example' })).toBe(403);
    expect(await read({ 'Sec-Fetch-Site': 'none' })).toBe(200);
    expect(await read({ 'Sec-Fetch-Site': 'same-origin' })).toBe(200);
  });

  test('neither signs in nor out; the page itself does', async () => {
    const { email, cookie } = await onPage();
    for (const headers of [{ Origin: 'https://evil.example' }, { 'Sec-Fetch-Site': 'cross-site' }]) {
      const answer = await signIn(email, headers);
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([403, null]);
      expect(await statusOf('DELETE', '/auth/session', { ...ofCookie(cookie), ...headers })).toBe(403);
    }
    expect(await statusOf('GET', '/transactions', ofCookie(cookie))).toBe(200);
    const page = { Origin: own(), 'Sec-Fetch-Site': 'same-origin' };
    expect((await signIn(email, page)).status).toBe(201);
    const headers = { ...ofCookie(cookie), ...page, ...PAGE };
    expect(await statusOf('POST', '/transactions', headers)).toBe(400);
  });
});

test.each([
  ['https://travel-rule.example', '127.0.0.1', true],
  ['https://127.0.0.1', '127.0.0.1', true],
  ['http://travel-rule.example', '127.0.0.1', true],
  [undefined, '0.0.0.0', true],
  [undefined, '127.0.0.1', false],
  ['http://localhost:3000', '0.0.0.0', false],
  ['http://[::1]:3000', '0.0.0.0', false],
])('PUBLIC_URL %s and HOST %s: the cookie is for TLS alone: %s', (PUBLIC_URL, HOST, isSecure) => {
  const settings = { PUBLIC_URL, HOST, PORT: 3000 };
  const cookie = pageCookie(settings, 'x', 60);
  expect(cookie.startsWith('__Host-waybill=x; Path=/; ')).toBe(isSecure);
  expect(cookie.endsWith('; Secure')).toBe(isSecure);
  // Another host of the domain can set a cookie without the prefix.
  expect(readPageCookie(settings, 'waybill=tossed; __Host-waybill=x')).toBe(isSecure ? 'x' : 'tossed');
});
