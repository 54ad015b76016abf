import type { EventView } from '../../../domain/events/schema.ts';
import type { SignedIn, User } from '../../../domain/users/schema.ts';
import type { Json } from '../../api-client.ts';
import { bearerClient, createTenant, type Client } from '../../factories/tenant.ts';
import { createTransaction } from '../../factories/transaction.ts';
import { createUser, PASSWORD } from '../../factories/user.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api } = useApi();
const tenant = useTenant(api);
const body = (email: string) => ({ email, password: PASSWORD });
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

describe('POST /users', () => {
  test('201: signed in at once, of role ADMIN unless named; by a key and by a user', async () => {
    const first = await tenant.post<SignedIn>('/users', { ...body('First@Alpine.example'), name: ' Anna ' });
    expect(first).toMatchObject({
      status: 201,
      body: {
        expiresIn: 3_600,
        user: { email: 'first@alpine.example', name: 'Anna', role: 'ADMIN', expiresAt: null },
      },
    });
    const admin = await createUser(api, tenant);
    const second = await admin.post<SignedIn>('/users', {
      ...body('second@alpine.example'),
      role: 'OBSERVER',
    });
    expect(second).toMatchObject({ status: 201, body: { user: { role: 'OBSERVER', name: null } } });
  });

  test('409 for an address that somebody has, in the same words whoever has it', async () => {
    await createUser(api, tenant, 'ADMIN', { email: 'mine@alpine.example' });
    await createUser(api, await createTenant(api), 'ADMIN', { email: 'theirs@alpine.example' });
    const answers = [
      await tenant.post('/users', body('MINE@alpine.example')),
      await tenant.post('/users', body('theirs@alpine.example')),
    ];
    for (const answer of answers) expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(answers[0]?.body['detail']).toBe(answers[1]?.body['detail']);
  });

  test('429 for every new user after twenty taken addresses in a day; a repeat of an earlier one is answered', async () => {
    const place = await createTenant(api);
    const { email } = await createUser(api, tenant);
    const options = { headers: { 'Idempotency-Key': 'before-the-others' } };
    const earlier = await place.post('/users', body('earlier@alpine.example'), options);
    const statuses: number[] = [];
    for (let tried = 0; tried < 21; tried += 1)
      statuses.push((await place.post('/users', body(email))).status);
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 409), 429]);
    const free = await place.post('/users', body('free@alpine.example'));
    expect(free).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(Number(free.headers.get('retry-after'))).toBeGreaterThan(86_000);
    const repeated = await place.post('/users', body('earlier@alpine.example'), options);
    expect(repeated).toMatchObject({ status: 201, body: earlier.body });
    // Another tenant has its own.
    expect((await tenant.post('/users', body('free@alpine.example'))).status).toBe(201);
  });

  test('a repeat under one Idempotency-Key makes one user', async () => {
    const options = { headers: { 'Idempotency-Key': 'user-once' } };
    const first = await tenant.post<SignedIn>('/users', body('once@alpine.example'), options);
    const repeated = await tenant.post<SignedIn>('/users', body('once@alpine.example'), options);
    expect([first.status, repeated.status]).toEqual([201, 201]);
    expect(repeated.body).toEqual(first.body);
  });

  test.each([
    ['too short', { password: 'Xy7!qZ' }],
    ['common', { password: 'password1234' }],
    ['of the account', { email: 'barnabas.ravenscroft@alpine.example', password: 'barnabas.ravenscroft' }],
    ['one letter', { password: 'aaaaaaaaaaaaaaaa' }],
    ['too long', { password: 'aB3$'.repeat(2_500) }],
  ])('400 for a password that is %s', async (_, given) => {
    expect(await tenant.post('/users', { ...body('weak@alpine.example'), ...given })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/password' }] },
    });
  });

  test.each([
    ['look-alike letters', { email: 'аdmin@alpine.example' }],
    ['no domain', { email: 'admin' }],
    ['an unknown role', { role: 'OWNER' }],
    ['an end for an administrator', { expiresAt: inDays(3) }],
    ['an auditor without end', { role: 'AUDITOR' }],
    ['an auditor who ended', { role: 'AUDITOR', expiresAt: inDays(-1) }],
    ['an auditor for 91 days', { role: 'AUDITOR', expiresAt: inDays(91) }],
    ['an id', { id: '0190d1a2-7b3c-7def-8123-456789abcdef' }],
  ])('400 for %s', async (_, given) => {
    expect((await tenant.post('/users', { ...body('bad@alpine.example'), ...given })).status).toBe(400);
  });

  test('403 for everybody but administrators', async () => {
    for (const role of ['COMPLIANCE', 'AUDITOR', 'OBSERVER'] as const) {
      const user = await createUser(api, tenant, role);
      expect((await user.post('/users', body('no@alpine.example'))).status).toBe(403);
    }
    expect((await (await tenant.as('COMPLIANCE')).post('/users', body('no@alpine.example'))).status).toBe(
      403,
    );
  });
});

describe('GET /users', () => {
  test('200: newest first with filter, search and count; an observer may not', async () => {
    const place = await createTenant(api);
    const admin = await createUser(api, place, 'ADMIN');
    const auditor = await createUser(api, place, 'AUDITOR');
    const { body: users, headers } = await admin.get<User[]>('/users');
    expect(users).toEqual([auditor.user, admin.user]);
    expect(headers.get('x-total-count')).toBe('2');
    const found = async (query: string) =>
      (await place.get<User[]>(`/users?${query}`)).body.map(({ id }) => id);
    expect(await found('_role=AUDITOR')).toEqual([auditor.user.id]);
    expect(await found(`q=${admin.email.toUpperCase()}`)).toEqual([admin.user.id]);
    expect(await found(`q=${auditor.user.id}`)).toEqual([auditor.user.id]);
    expect(await found('q=nobody@alpine.example')).toEqual([]);
    const observer = await createUser(api, place, 'OBSERVER');
    expect((await observer.get('/users')).status).toBe(403);
  });
});

describe('PATCH /users/{id}', () => {
  test('200: name and role count from the next request on', async () => {
    const user = await createUser(api, tenant, 'OBSERVER');
    expect((await user.post('/wallets', {})).status).toBe(403);
    const change = { name: 'Rosa Imhof', role: 'COMPLIANCE' };
    const changed = await tenant.patch<User>(`/users/${user.user.id}`, change);
    expect(changed).toMatchObject({
      status: 200,
      body: { ...user.user, ...change, updatedAt: expect.any(String) },
    });
    expect((await user.post('/wallets', {})).status).toBe(400);
  });

  test('an auditor gets an end, and loses it with the role', async () => {
    const { user } = await createUser(api, tenant, 'COMPLIANCE');
    const patch = async (change: object) => await tenant.patch<User>(`/users/${user.id}`, change);
    expect((await patch({ role: 'AUDITOR' })).status).toBe(400);
    const expiresAt = inDays(7);
    expect((await patch({ role: 'AUDITOR', expiresAt })).body).toMatchObject({ role: 'AUDITOR', expiresAt });
    expect((await patch({ name: null })).body).toMatchObject({ name: null, expiresAt });
    expect((await patch({ expiresAt: null })).status).toBe(400);
    expect((await patch({ role: 'OBSERVER' })).body).toMatchObject({ role: 'OBSERVER', expiresAt: null });
  });

  test('a disabled user is out at once, and may come back', async () => {
    const user = await createUser(api, tenant, 'COMPLIANCE');
    const path = `/users/${user.user.id}`;
    const { body: disabled } = await tenant.patch<User>(path, { disabled: true });
    expect(disabled.disabledAt).not.toBeNull();
    expect((await tenant.patch<User>(path, { disabled: true })).body.disabledAt).toBe(disabled.disabledAt);
    expect((await user.get('/transactions')).status).toBe(401);
    const signIn = async () => await api.request('POST', '/auth/signin', { body: body(user.email) });
    expect((await signIn()).status).toBe(401);
    expect((await tenant.patch<User>(path, { disabled: false })).body.disabledAt).toBeNull();
    // What has ended does not begin again.
    expect((await user.get('/transactions')).status).toBe(401);
    expect((await signIn()).status).toBe(201);
  });

  test('404 for a user of another tenant, 403 below ADMIN', async () => {
    const other = await createUser(api, await createTenant(api));
    expect((await tenant.patch(`/users/${other.user.id}`, { disabled: true })).status).toBe(404);
    const officer = await createUser(api, tenant, 'COMPLIANCE');
    expect((await officer.patch(`/users/${officer.user.id}`, { role: 'ADMIN' })).status).toBe(403);
  });
});

describe('POST /users/me/password', () => {
  const change = async (user: Client, currentPassword: string, password: string) =>
    await user.post<User & Json>('/users/me/password', { currentPassword, password });

  test('200: the new password counts, this session goes on, the others end', async () => {
    const user = await createUser(api, tenant, 'OBSERVER');
    const other = await api.request<SignedIn>('POST', '/auth/signin', { body: body(user.email) });
    const password = 'granite-Lantern-52-quay';
    expect((await change(user, PASSWORD, password)).status).toBe(200);
    expect((await user.get<User>('/users/me')).body.id).toBe(user.user.id);
    expect((await bearerClient(api, other.body.accessToken).get('/users/me')).status).toBe(401);
    const signIn = async (given: string) =>
      (await api.request('POST', '/auth/signin', { body: { email: user.email, password: given } })).status;
    expect([await signIn(PASSWORD), await signIn(password)]).toEqual([401, 201]);
  });

  test('400 for a wrong current password, 429 after ten; a weak new one is 400', async () => {
    const user = await createUser(api, tenant);
    expect((await change(user, PASSWORD, 'password1234')).status).toBe(400);
    const tries: number[] = [];
    for (let tried = 0; tried < 11; tried += 1)
      tries.push((await change(user, 'guess-Guess-1', 'granite-Lantern-52-quay')).status);
    expect(tries).toEqual([...Array.from({ length: 10 }, () => 400), 429]);
  });

  test('an answer that is kept under an Idempotency-Key is for this user alone', async () => {
    const [user, other] = [await createUser(api, tenant), await createUser(api, tenant)];
    const options = { headers: { 'Idempotency-Key': 'change-once' } };
    const given = { currentPassword: PASSWORD, password: 'granite-Lantern-52-quay' };
    const first = await user.post('/users/me/password', given, options);
    expect(first.status).toBe(200);
    expect((await user.post('/users/me/password', given, options)).body).toEqual(first.body);
    expect(await other.post('/users/me/password', given, options)).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused' },
    });
  });

  test('403 for an API key', async () => {
    expect((await change(tenant, PASSWORD, 'granite-Lantern-52-quay')).status).toBe(403);
    expect((await tenant.get('/users/me')).status).toBe(403);
  });
});

test('what a user does is theirs in the event log', async () => {
  const user = await createUser(api, tenant, 'COMPLIANCE');
  const { id } = await createTransaction(user);
  const { body: events } = await user.get<EventView[]>(`/transactions/${id}/events`);
  expect(events.at(-1)).toMatchObject({ actor: 'USER', userId: user.user.id, apiKeyId: null });
});
