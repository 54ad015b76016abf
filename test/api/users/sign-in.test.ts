import { withConnection } from '../../../db/postgres.ts';
import type { SignedIn, User } from '../../../domain/users/schema.ts';
import type { Json } from '../../api-client.ts';
import { eventually } from '../../eventually.ts';
import { withOtherEnd } from '../../factories/other-end.ts';
import { bearerClient, createTenant } from '../../factories/tenant.ts';
import { createUser, PASSWORD } from '../../factories/user.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenant(api);

const signIn = async (email: string, password = PASSWORD) =>
  await api.request<SignedIn & Json>('POST', '/auth/signin', { body: { email, password } });
const isSomebodyWaiting = async () => {
  const { rowCount } = await database.pool.query(
    `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rowCount === 1;
};
/** All that is counted began a minute earlier. */
const aMinutePasses = async () =>
  await database.pool.query("update counted_tries set since = since - interval '61 seconds'");
/** Signs in as often as a password may be tried, at the pace that is allowed. */
async function fail(email: string, times: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let tried = 0; tried < times; tried += 1) {
    if (tried % 5 === 0) await aMinutePasses();
    statuses.push((await signIn(email, 'guess-Guess-1')).status);
  }
  await aMinutePasses();
  return statuses;
}
beforeEach(aMinutePasses);

const withToken = async (path: string, token: string) =>
  await api.request<SignedIn & Json>('GET', path, { headers: { Authorization: `Bearer ${token}` } });

describe('POST /auth/signin', () => {
  test('201: tokens that work where a key works, and who signed in', async () => {
    const { email, user } = await createUser(api, tenant, 'COMPLIANCE', { name: 'Vera Amstutz' });
    const { status, body, headers } = await signIn(`  ${email.toUpperCase()} `);
    expect(status).toBe(201);
    expect(body).toEqual({
      accessToken: expect.stringMatching(/^ey[\w-]+\.[\w-]+\.[\w-]+$/),
      refreshToken: expect.stringMatching(/^wbr_/),
      expiresIn: 3_600,
      user: { ...user, lastSignInAt: expect.any(String) },
    });
    expect(headers.get('cache-control')).toBe('no-store');
    const client = bearerClient(api, body.accessToken);
    expect((await client.get('/transactions')).status).toBe(200);
    expect((await client.get('/tenant/me')).body).toMatchObject({ id: tenant.id, webhookSecret: null });
    expect(await client.get('/tenant/me/api-keys')).toMatchObject({
      status: 403,
      body: { code: 'forbidden', detail: expect.stringContaining('ADMIN') },
    });
  });

  test('401 in the same words for a wrong password and an account that does not exist', async () => {
    const { email } = await createUser(api, tenant);
    const answers = [await signIn(email, 'wrong-Password-11'), await signIn(`no-${email}`)];
    for (const { status, body } of answers) expect([status, body['code']]).toEqual([401, 'unauthenticated']);
    expect(answers[0]?.body['detail']).toBe(answers[1]?.body['detail']);
  });

  test.each(['known', 'unknown'])(
    '429 after ten failures of an account that is %s, with the right password too; another account is free',
    async (kind) => {
      const { email } = await createUser(api, tenant);
      const tried = kind === 'known' ? email : `no-${email}`;
      expect(await fail(tried, 10)).toEqual(Array.from({ length: 10 }, () => 401));
      const locked = await signIn(tried);
      expect([locked.status, locked.body['code']]).toEqual([429, 'rate_limited']);
      expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(800);
      expect(Number(locked.headers.get('retry-after'))).toBeLessThanOrEqual(900);
      const other = await createUser(api, tenant);
      expect((await signIn(other.email)).status).toBe(201);
    },
  );

  test('the lock ends, and a success forgets the failures before it', async () => {
    const { email } = await createUser(api, tenant);
    await fail(email, 10);
    expect((await signIn(email)).status).toBe(429);
    for (let minutes = 0; minutes < 15; minutes += 1) await aMinutePasses();
    expect((await signIn(email)).status).toBe(201);
    await fail(email, 9);
    expect((await signIn(email)).status).toBe(201);
    expect((await signIn(email, 'guess-Guess-1')).status).toBe(401);
  });

  test.each(['known', 'unknown'])(
    '429 from the sixth on in a minute, for an account that is %s',
    async (kind) => {
      const { email } = await createUser(api, tenant);
      const tried = kind === 'known' ? email : `no-${email}`;
      // All at once: counted before they are tried, they have no more tries than one after the other.
      const answers = await Promise.all(
        Array.from({ length: 8 }, async () => await signIn(tried, 'guess-Guess-1')),
      );
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(3);
      await aMinutePasses();
      expect((await signIn(email)).status).toBe(201);
    },
  );

  test('429 from the sixty-first on in a minute, whichever the accounts', async () => {
    const { email } = await createUser(api, tenant);
    const others = Array.from({ length: 12 }, (_, n) => `no-${n}-${email}`);
    for (const other of others) {
      for (let tries = 0; tries < 5; tries += 1)
        expect((await signIn(other, 'guess-Guess-1')).status).toBe(401);
    }
    expect((await signIn(email)).status).toBe(429);
    await aMinutePasses();
    expect((await signIn(email)).status).toBe(201);
  });

  test.each([
    ['the password', "password_hash = 'another one'"],
    ['the right to come in', 'disabled_at = now()'],
  ])('401 if %s is taken away while it is checked', async (_, change) => {
    const { email, user } = await createUser(api, tenant);
    const sessions = async () =>
      (await database.pool.query('select 1 from user_sessions where user_id = $1', [user.id])).rowCount;
    const before = await sessions();
    const signedIn = await withConnection(database.pool, async (client) => {
      await client.query('begin');
      await client.query(`update users set ${change} where id = $1`, [user.id]);
      const signingIn = signIn(email);
      await eventually(isSomebodyWaiting, (isWaiting) => isWaiting);
      await client.query('commit');
      return await signingIn;
    });
    expect(signedIn.status).toBe(401);
    expect(await sessions()).toBe(before);
  });

  test.each([
    { email: 'vera@alpine.example' },
    { password: PASSWORD },
    { email: 'vera', password: PASSWORD },
    { email: 'vera@alpine.example', password: '' },
    { email: 'vera@alpine.example', password: 'x'.repeat(10_000) },
    { email: 'vera@alpíne.example', password: PASSWORD },
    { email: 'vera@alpine.example', password: PASSWORD, role: 'ADMIN' },
  ])('400: %j', async (body) => {
    expect((await api.request('POST', '/auth/signin', { body })).status).toBe(400);
  });

  test('what is stored of a user is not readable', async () => {
    const { email } = await createUser(api, tenant, 'ADMIN', { name: 'Corinna Wespi' });
    await signIn(email);
    const { rows } = await database.pool.query<{ text: string }>(
      `select (select json_agg(u) from users u)::text || (select json_agg(s) from user_sessions s)::text ||
         coalesce((select json_agg(f) from counted_tries f)::text, '') as text`,
    );
    const [local = ''] = email.split('@');
    for (const secret of [local, 'Corinna', PASSWORD]) {
      expect(rows[0]?.text).not.toContain(secret);
      expect(rows[0]?.text).not.toContain(Buffer.from(secret).toString('hex'));
    }
    expect(JSON.stringify(api.log)).not.toContain(local);
  });
});

describe('GET /auth/refresh', () => {
  test('200: the next pair; a repeat within ten seconds has the same one', async () => {
    const { refreshToken, user } = await createUser(api, tenant);
    const { status, body } = await withToken('/auth/refresh', refreshToken);
    expect(status).toBe(200);
    expect(body).toMatchObject({ expiresIn: 3_600, user: { id: user.id } });
    expect(body.refreshToken).not.toBe(refreshToken);
    const repeated = await withToken('/auth/refresh', refreshToken);
    expect(repeated).toMatchObject({
      status: 200,
      body: { accessToken: body.accessToken, refreshToken: body.refreshToken },
    });
    expect((await withToken('/transactions', body.accessToken)).status).toBe(200);
  });

  test('two at once get one pair', async () => {
    const { refreshToken } = await createUser(api, tenant);
    const both = await Promise.all([1, 2].map(async () => await withToken('/auth/refresh', refreshToken)));
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(both[0]?.body.refreshToken).toBe(both[1]?.body.refreshToken);
  });

  test('a token of ten seconds ago ends the session with all its tokens, for thief and owner', async () => {
    const { refreshToken } = await createUser(api, tenant);
    const { body: second } = await withToken('/auth/refresh', refreshToken);
    await database.pool.query("update user_sessions set refreshed_at = refreshed_at - interval '11 seconds'");
    expect((await withToken('/auth/refresh', refreshToken)).status).toBe(401);
    expect((await withToken('/auth/refresh', second.refreshToken)).status).toBe(401);
    expect((await withToken('/transactions', second.accessToken)).status).toBe(401);
  });

  test('a token of two exchanges ago ends the session at once', async () => {
    const { refreshToken } = await createUser(api, tenant);
    const { body: second } = await withToken('/auth/refresh', refreshToken);
    const { body: third } = await withToken('/auth/refresh', second.refreshToken);
    expect((await withToken('/auth/refresh', refreshToken)).status).toBe(401);
    expect((await withToken('/auth/refresh', third.refreshToken)).status).toBe(401);
  });

  test('401: an access token, a made-up one, one that has ended, and none', async () => {
    const { accessToken, refreshToken } = await createUser(api, tenant);
    const { refreshToken: ended } = await createUser(api, tenant);
    await database.pool.query(`update user_sessions set expires_at = now() where id = $1`, [
      ended.split('_')[1],
    ]);
    for (const token of [accessToken, withOtherEnd(refreshToken), ended, 'wbr_x_y']) {
      expect((await withToken('/auth/refresh', token)).status).toBe(401);
    }
    expect((await api.request('GET', '/auth/refresh')).status).toBe(401);
    expect((await api.request('HEAD', '/auth/refresh')).status).toBe(405);
  });
});

describe('GET /auth/logout', () => {
  test('200, twice; the tokens of the session end, those of another do not', async () => {
    const { email, accessToken, refreshToken } = await createUser(api, tenant);
    const { body: other } = await signIn(email);
    expect((await withToken('/auth/logout', accessToken)).status).toBe(200);
    expect((await withToken('/auth/logout', accessToken)).status).toBe(200);
    expect((await withToken('/transactions', accessToken)).status).toBe(401);
    expect((await withToken('/auth/refresh', refreshToken)).status).toBe(401);
    expect((await withToken('/transactions', other.accessToken)).status).toBe(200);
  });

  test('401 without a token of this deployment; HEAD is 405', async () => {
    const { refreshToken } = await createUser(api, tenant);
    for (const token of ['x', refreshToken])
      expect((await withToken('/auth/logout', token)).status).toBe(401);
    expect((await api.request('HEAD', '/auth/logout')).status).toBe(405);
  });
});

describe('an access token', () => {
  const resigned = (token: string, change: (header: Json, payload: Json) => void) => {
    const [header = '', payload = '', signature = ''] = token.split('.');
    const open = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Json;
    const [head, body] = [open(header), open(payload)];
    change(head, body);
    const close = (part: Json) => Buffer.from(JSON.stringify(part)).toString('base64url');
    return `${close(head)}.${close(body)}.${signature}`;
  };

  test.each<[string, (header: Json, payload: Json) => void]>([
    ['alg none', (header) => void (header['alg'] = 'none')],
    ['another kid', (header) => void (header['kid'] = '0011223344556677')],
    ['no kid', (header) => void delete header['kid']],
    ['another user', (_, payload) => void (payload['sub'] = '0190d1a2-7b3c-7def-8123-456789abcdef')],
    ['a later end', (_, payload) => void (payload['exp'] = 4_000_000_000)],
    ['nothing changed but its spelling', (header) => void (header['x'] = 1)],
  ])('is 401 with %s', async (_, change) => {
    const { accessToken } = await createUser(api, tenant);
    expect((await withToken('/transactions', resigned(accessToken, change))).status).toBe(401);
  });

  test('is 401 beside an API key: it would be open who acts', async () => {
    const { accessToken } = await createUser(api, tenant);
    const headers = { Authorization: `Bearer ${accessToken}` };
    for (const [method, body] of [['GET'], ['POST', {}]] as const) {
      const both = await api.request(method, '/transactions', {
        key: tenant.apiKey,
        headers,
        ...(body && { body }),
      });
      expect(both).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    }
  });

  test('ends when the user is disabled, and when the access of an auditor ends', async () => {
    const disabled = await createUser(api, tenant);
    const auditor = await createUser(api, tenant, 'AUDITOR');
    await database.pool.query('update users set disabled_at = now() where id = $1', [disabled.user.id]);
    await database.pool.query("update users set expires_at = now() - interval '1 s' where id = $1", [
      auditor.user.id,
    ]);
    for (const { accessToken, refreshToken, email } of [disabled, auditor]) {
      expect((await withToken('/transactions', accessToken)).status).toBe(401);
      expect((await withToken('/auth/refresh', refreshToken)).status).toBe(401);
      expect((await signIn(email)).status).toBe(401);
    }
  });

  test('of another tenant sees nothing of this one', async () => {
    const stranger = await createUser(api, await createTenant(api));
    const mine = await createUser(api, tenant);
    const { body } = await stranger.get<User[]>('/users');
    expect(body.map(({ id }) => id)).toEqual([stranger.user.id]);
    expect((await mine.get<User[]>('/users')).body.map(({ id }) => id)).not.toContain(stranger.user.id);
  });
});
