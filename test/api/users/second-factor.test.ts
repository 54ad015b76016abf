import type { SignedIn, User } from '../../../domain/users/schema.ts';
import type { Json } from '../../api-client.ts';
import { codeOf, switchOnFactor } from '../../factories/second-factor.ts';
import { createUser, PASSWORD, type TestUser } from '../../factories/user.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenant(api);
const FACTOR = '/users/me/second-factor';
const currentPassword = PASSWORD;

/** Sign-ins are counted per minute; codes are new every half. */
const aMinutePasses = async () =>
  await database.pool.query("update counted_tries set since = since - interval '61 seconds'");
beforeEach(aMinutePasses);

const signIn = async (email: string, code?: string, password = PASSWORD) =>
  await api.request<SignedIn & Json>('POST', '/auth/signin', {
    body: { email, password, ...(code !== undefined && { code }) },
  });
const withFactor = async (user: TestUser) => await switchOnFactor(database.pool, user);

test('201 with a secret that an app reads; nothing changes until its first code is confirmed', async () => {
  const user = await createUser(api, tenant, 'OBSERVER');
  const first = await user.post<Json>(FACTOR, { currentPassword });
  const setup = await user.post<{ secret: string; uri: string }>(FACTOR, { currentPassword });
  expect(setup.status).toBe(201);
  expect(setup.body.secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(setup.body.secret).not.toBe(first.body['secret']);
  const { searchParams, pathname } = new URL(setup.body.uri);
  expect(decodeURIComponent(pathname)).toContain(user.email);
  expect(searchParams.get('secret')).toBe(setup.body.secret);
  expect((await user.get<User>('/users/me')).body.hasSecondFactor).toBe(false);
  expect((await signIn(user.email)).status).toBe(201);
  // Renaming a user leaves what they have begun.
  await tenant.patch(`/users/${user.user.id}`, { name: 'Nora Wyss' });
  const code = codeOf(setup.body.secret);
  expect((await user.post(`${FACTOR}/confirm`, { code })).status).toBe(200);
  expect((await user.get<User>('/users/me')).body.hasSecondFactor).toBe(true);
});

test('signing in needs a code then: 401 code_required without, 401 with a wrong one, and each counts once', async () => {
  const user = await createUser(api, tenant);
  const { secret } = await withFactor(user);
  expect(await signIn(user.email)).toMatchObject({ status: 401, body: { code: 'code_required' } });
  // Whether a code is needed is for those who know the password.
  expect(await signIn(user.email, undefined, 'guess-Guess-1')).toMatchObject({
    status: 401,
    body: { code: 'unauthenticated' },
  });
  const wrong = codeOf(secret) === '000000' ? '000001' : '000000';
  expect((await signIn(user.email, wrong)).status).toBe(401);
  await aMinutePasses();
  const code = codeOf(secret);
  expect(await signIn(user.email, code)).toMatchObject({
    status: 201,
    body: { user: { hasSecondFactor: true } },
  });
  expect((await signIn(user.email, code)).status).toBe(401);
  expect((await signIn(user.email, codeOf(secret, -1))).status).toBe(401);
  expect((await signIn(user.email, codeOf(secret, 3))).status).toBe(401);
});

test('of two sign-ins at once with one code one comes in', async () => {
  const user = await createUser(api, tenant);
  const { secret } = await withFactor(user);
  const code = codeOf(secret);
  const both = await Promise.all([signIn(user.email, code), signIn(user.email, code)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 401]);
});

test('a recovery code takes the place of a code, once, in any case of letters', async () => {
  const user = await createUser(api, tenant);
  const { recoveryCodes } = await withFactor(user);
  expect(new Set(recoveryCodes).size).toBe(10);
  const [first = '', second = ''] = recoveryCodes;
  expect((await signIn(user.email, first)).status).toBe(201);
  expect((await signIn(user.email, first)).status).toBe(401);
  expect((await signIn(user.email, ` ${second.toUpperCase().replace('-', '')} `)).status).toBe(201);
  expect((await signIn(user.email, 'abcde-fghij')).status).toBe(401);
});

test('ten wrong codes lock as ten wrong passwords do', async () => {
  const user = await createUser(api, tenant);
  const { secret } = await withFactor(user);
  for (let tried = 0; tried < 10; tried += 1) {
    if (tried % 5 === 0) await aMinutePasses();
    expect((await signIn(user.email, 'abcde-fghij')).status).toBe(401);
  }
  await aMinutePasses();
  expect((await signIn(user.email, codeOf(secret))).status).toBe(429);
});

test('is removed with the password, and by an administrator', async () => {
  const [user, other] = [await createUser(api, tenant), await createUser(api, tenant)];
  await withFactor(user);
  expect((await user.post(`${FACTOR}/remove`, { currentPassword: 'guess-Guess-1' })).status).toBe(400);
  expect(await user.post(`${FACTOR}/remove`, { currentPassword })).toMatchObject({
    status: 200,
    body: { hasSecondFactor: false },
  });
  await withFactor(other);
  const path = `/users/${other.user.id}`;
  expect((await tenant.patch(path, { hasSecondFactor: true })).status).toBe(400);
  expect((await tenant.patch<User>(path, { hasSecondFactor: false })).body.hasSecondFactor).toBe(false);
  for (const { email } of [user, other]) expect((await signIn(email)).status).toBe(201);
});

test('400 for a wrong password or code, 409 when there is one already or none waits, 403 for an API key', async () => {
  const user = await createUser(api, tenant);
  expect((await user.post(FACTOR, { currentPassword: 'guess-Guess-1' })).status).toBe(400);
  expect((await user.post(`${FACTOR}/confirm`, { code: '123456' })).status).toBe(409);
  await user.post(FACTOR, { currentPassword });
  expect((await user.post(`${FACTOR}/confirm`, { code: 'abcde-fghij' })).status).toBe(400);
  await withFactor(user);
  expect((await user.post(FACTOR, { currentPassword })).status).toBe(409);
  expect((await user.post(`${FACTOR}/confirm`, { code: '123456' })).status).toBe(409);
  for (const path of [FACTOR, `${FACTOR}/remove`])
    expect((await tenant.post(path, { currentPassword })).status).toBe(403);
});

test('nothing of it is stored readable', async () => {
  const user = await createUser(api, tenant);
  const { secret, recoveryCodes } = await withFactor(user);
  const { rows } = await database.pool.query<{ text: string }>(
    `select (select json_agg(u) from users u)::text || (select json_agg(k) from idempotency_keys k)::text as text`,
  );
  for (const hidden of [secret, ...recoveryCodes]) {
    expect(rows[0]?.text ?? '').not.toContain(Buffer.from(hidden).toString('hex'));
    expect(JSON.stringify(api.log)).not.toContain(hidden);
  }
});
