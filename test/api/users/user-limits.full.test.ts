import { requireStrongPassword } from '../../../api/auth/require-strong-password.ts';
import { makeUserInTurn } from '../../../api/users/taken-addresses.ts';
import type { SignedIn, User } from '../../../domain/users/schema.ts';
import type { Json, TestApi } from '../../api-client.ts';
import { createTenant } from '../../factories/tenant.ts';
import { codeOf, switchOnFactor } from '../../factories/second-factor.ts';
import { createUser, PASSWORD } from '../../factories/user.ts';
import { startSecondApi, useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenant(api);
let behindProxy: TestApi;
beforeAll(async () => {
  behindProxy = await startSecondApi(api, { config: { TRUST_PROXY: true } });
});
beforeEach(async () => await database.pool.query('delete from counted_tries'));

let count = 0;
const someone = () => `limited-${(count += 1)}@alpine.example`;
const times = (number: number) => Array.from({ length: number }, (_, n) => n);
const invite = async (email: string, by = tenant) =>
  await by.post<User & Json>('/users/invitations', { email, role: 'COMPLIANCE' });

describe('codes of a second factor', () => {
  const signInFrom = async (address: string, body: Json) =>
    await behindProxy.request<SignedIn & Json>('POST', '/auth/signin', {
      headers: { 'X-Forwarded-For': address },
      body: { password: PASSWORD, ...body },
    });

  async function withFactor() {
    const user = await createUser(api, tenant);
    const { secret } = await switchOnFactor(database.pool, user);
    return { email: user.email, secret };
  }

  test('ten wrong ones from ten addresses lock the codes of the account, for the right one, too', async () => {
    const { email, secret } = await withFactor();
    const wrong = await Promise.all(
      times(10).map(async (n) => await signInFrom(`203.0.113.${n}`, { email, code: 'abcde-fghij' })),
    );
    expect(wrong.map(({ status }) => status)).toEqual(times(10).map(() => 401));
    const locked = await signInFrom('203.0.113.99', { email, code: codeOf(secret) });
    expect([locked.status, locked.body['code']]).toEqual([429, 'rate_limited']);
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(800);
  });

  test('wrong passwords from many addresses lock nobody, and a right code forgets the wrong ones', async () => {
    const { email, secret } = await withFactor();
    for (const n of times(9)) {
      await signInFrom(`203.0.113.${n}`, { email, password: 'guess-Guess-1', code: codeOf(secret) });
      await signInFrom(`203.0.113.${n}`, { email, code: 'abcde-fghij' });
    }
    expect((await signInFrom('203.0.113.99', { email, code: codeOf(secret) })).status).toBe(201);
    expect((await signInFrom('203.0.113.98', { email, code: 'abcde-fghij' })).status).toBe(401);
    expect((await signInFrom('203.0.113.97', { email })).body['code']).toBe('code_required');
    expect((await signInFrom('203.0.113.96', { email, code: codeOf(secret, 1) })).status).toBe(201);
  });
});

describe('a refresh token that was made up', () => {
  const refresh = async (token: string) =>
    await api.request<SignedIn & Json>('GET', '/auth/refresh', {
      headers: { Authorization: `Bearer ${token}` },
    });

  test('with the id of a session that an access token names does not end the session', async () => {
    const { accessToken, refreshToken } = await createUser(api, tenant);
    const { sid } = JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()) as Json;
    expect((await refresh(`wbr_${String(sid)}_${'A'.repeat(43)}`)).status).toBe(401);
    const { status, body } = await refresh(refreshToken);
    expect(status).toBe(200);
    // One that was a token of another session does not end it either.
    const other = await createUser(api, tenant);
    const secret = other.refreshToken.slice(-43);
    expect((await refresh(`wbr_${String(sid)}_${secret}`)).status).toBe(401);
    expect((await refresh(body.refreshToken)).status).toBe(200);
  });

  test('an own one from long ago does, and so does the predecessor that an earlier version made', async () => {
    const unmarked = `${'x'.repeat(42)}A`;
    for (const isUnmarked of [false, true]) {
      const first = (await createUser(api, tenant)).refreshToken;
      const sid = first.split('_')[1] ?? '';
      let next = (await refresh(first)).body.refreshToken;
      if (!isUnmarked) next = (await refresh(next)).body.refreshToken;
      const late = isUnmarked ? `wbr_${sid}_${unmarked}` : first;
      await database.pool.query(
        `update user_sessions set refreshed_at = refreshed_at - interval '11 seconds',
           previous_refresh_hash = case when $2 then sha256($3::text::bytea) else previous_refresh_hash end where id = $1`,
        [sid, isUnmarked, late],
      );
      expect((await refresh(late)).status).toBe(401);
      expect((await refresh(next)).status).toBe(401);
    }
  });
});

describe('new users', () => {
  test('of 30 invitations of a taken address at once 20 are 409, the others 429', async () => {
    const { email } = await createUser(api, await createTenant(api));
    const answers = await Promise.all(times(30).map(async () => await invite(email)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 409)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    const user = { email: someone(), password: PASSWORD };
    expect((await tenant.post('/users', user)).status).toBe(429);
  });

  test('are made one after the other, so that none reads a count that another is about to change', async () => {
    let running = 0;
    let most = 0;
    const makeUser = async () => {
      running += 1;
      most = Math.max(most, running);
      await api.request('GET', '/health/live');
      running -= 1;
    };
    await Promise.all(times(5).map(async () => await makeUserInTurn(api.db, tenant.id, makeUser)));
    expect(most).toBe(1);
  });

  test('30 free addresses at once are all invited', async () => {
    const answers = await Promise.all(times(30).map(async () => await invite(someone())));
    expect(answers.map(({ status }) => status)).toEqual(times(30).map(() => 201));
  });

  test('the 201st invitation of a tenant in a day is 429, that of another tenant is 201', async () => {
    await invite(someone());
    await database.pool.query('update counted_tries set count = 199 where count = 1');
    expect((await invite(someone())).status).toBe(201);
    const email = someone();
    const refused = await invite(email);
    expect([refused.status, refused.body['code']]).toEqual([429, 'rate_limited']);
    expect((await invite(email, await createTenant(api))).status).toBe(201);
  });

  test('an address whose invitation has ended unused can be invited again; one with a password cannot', async () => {
    const email = someone();
    const first = (await invite(email)).body;
    const other = await createTenant(api);
    expect((await invite(email, other)).status).toBe(409);
    await database.pool.query('update user_links set expires_at = now() where user_id = $1', [first.id]);
    const second = await invite(email, other);
    expect(second.status).toBe(201);
    expect((await invite(email)).status).toBe(409);
    const list = (await tenant.get<User[]>('/users')).body;
    expect(list.find(({ id }) => id === first.id)).toMatchObject({ email, disabledAt: expect.any(String) });
    await database.pool.query(`update users set password_hash = 'x' where id = $1`, [second.body.id]);
    await database.pool.query('update user_links set expires_at = now() where user_id = $1', [
      second.body.id,
    ]);
    expect((await invite(email)).status).toBe(409);
  });
});

test('an operator takes an address from a user, who is disabled; then somebody else can have it', async () => {
  const user = await createUser(api, tenant);
  const release = async (operatorKey: string, headers = {}) =>
    await api.request('POST', '/operator/users/released-addresses', {
      operatorKey,
      headers,
      body: { email: user.email.toUpperCase() },
    });
  expect((await release(tenant.apiKey)).status).toBe(401);
  const key = { 'Idempotency-Key': 'release-1' };
  const released = await release(api.operatorKey, key);
  expect(released).toMatchObject({ status: 201, body: { userId: user.user.id, tenantId: tenant.id } });
  expect((await user.get('/users/me')).status).toBe(401);
  expect((await release(api.operatorKey)).status).toBe(404);
  expect((await invite(user.email, await createTenant(api))).status).toBe(201);
  const again = await release(api.operatorKey, key);
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
  expect((await invite(user.email)).status).toBe(409);
});

describe('new passwords', () => {
  /** Alternates letters with signs that stand for letters, which the library tries in all combinations. */
  const WORST = 'p4$5w0rd@8({3#61!|0$57+%2'.repeat(6).slice(0, 128);

  test('no password keeps the thread busy for long: the best of five at most 60 times as long as a simple one', () => {
    const msOf = (password: string) => {
      const rounds = Array.from({ length: 5 }, () => {
        const start = performance.now();
        try {
          requireStrongPassword(password, ['vera@alpine.example', 'Vera Amstutz']);
        } catch {
          // Whether it is strong is not asked here.
        }
        return performance.now() - start;
      });
      return Math.min(...rounds);
    };
    msOf('a warm-up for the compiler');
    // Without the limits of the library 150 times.
    expect(msOf(WORST)).toBeLessThan(60 * msOf('a'.repeat(128)));
  });

  test('the current password is asked for first, then 20 new ones an hour are judged', async () => {
    const user = await createUser(api, tenant);
    const change = async (currentPassword: string, password: string) =>
      await user.post<Json>('/users/me/password', { currentPassword, password });
    for (const _ of times(10)) expect((await change('wrong-Password-1', 'password1234')).status).toBe(400);
    expect((await change('wrong-Password-1', 'password1234')).status).toBe(429);
    await database.pool.query('delete from counted_tries');
    const weak = await Promise.all(
      times(18).map(async () => (await change(PASSWORD, 'password1234')).status),
    );
    for (const _ of times(2)) weak.push((await change(PASSWORD, 'password1234')).status);
    expect(weak).toEqual(times(20).map(() => 400));
    expect((await change(PASSWORD, 'granite-Lantern-52-quay')).status).toBe(429);
  });
});

describe('asking for a new password', () => {
  const askFrom = async (address: string, email: string) => {
    const asked = { headers: { 'X-Forwarded-For': address }, body: { email } };
    return (await behindProxy.request('POST', '/auth/password-reset', asked)).status;
  };
  const mailsOf = async (tenantId: string) =>
    (await database.pool.query('select 1 from mails where tenant_id = $1', [tenantId])).rowCount;

  test('a stranger who asks without end keeps no mail of the owner back, and 12 mails come from all addresses', async () => {
    const victim = await createTenant(api);
    const { email } = await createUser(api, victim);
    const byStranger: number[] = [];
    for (const _ of times(5)) byStranger.push(await askFrom('198.51.100.7', email));
    expect(byStranger).toEqual([202, 202, 202, 429, 429]);
    expect(await mailsOf(victim.id)).toBe(3);
    expect(await askFrom('203.0.113.9', email)).toBe(202);
    expect(await mailsOf(victim.id)).toBe(4);
    const byMany: number[] = [];
    for (const n of times(9)) byMany.push(await askFrom(`192.0.2.${n + 1}`, email));
    expect(byMany).toEqual([...times(8).map(() => 202), 429]);
    expect(await mailsOf(victim.id)).toBe(12);
  });

  test('strangers with many addresses do not use up the mails of somebody who asks from where they have signed in', async () => {
    const { email } = await createUser(api, await createTenant(api));
    const home = { 'X-Forwarded-For': '198.51.100.90' };
    const signedIn = await behindProxy.request('POST', '/auth/signin', {
      headers: home,
      body: { email, password: PASSWORD },
    });
    expect(signedIn.status).toBe(201);
    for (const n of times(13)) await askFrom(`192.0.2.${n + 100}`, email);
    expect(await askFrom('192.0.2.120', email)).toBe(429);
    const own: number[] = [];
    for (const _ of times(4)) own.push(await askFrom(home['X-Forwarded-For'], email));
    expect(own).toEqual([202, 202, 202, 429]);
  });
});

test('asking for a new password takes as long for an address that nobody has', async () => {
  const { email } = await createUser(api, tenant);
  const msOf = async (asked: string) => {
    const start = performance.now();
    const { status } = await api.request('POST', '/auth/password-reset', { body: { email: asked } });
    expect(status).toBe(202);
    return performance.now() - start;
  };
  // More than the work for an account takes.
  for (const asked of [email, `no-${email}`]) expect(await msOf(asked)).toBeGreaterThan(145);
});

test('a sign-in of a proxy that is handed on is none of ours: the API key counts, and nothing else does', async () => {
  const headers = { Authorization: `Basic ${Buffer.from('proxy:secret').toString('base64')}` };
  expect((await tenant.get('/transactions', { headers })).status).toBe(200);
  expect((await api.request('GET', '/transactions', { headers })).status).toBe(401);
  for (const Authorization of ['Bearer', 'Bearer  x y', 'bearer x'])
    expect((await tenant.get('/transactions', { headers: { Authorization } })).status).toBe(401);
});
