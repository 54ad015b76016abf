import { passwordHashing } from '../../../api/password-hashing.ts';
import { tenantKnownFrom } from '../../../db/users/note-address.ts';
import type { TestApi } from '../../api-client.ts';
import { createUser, PASSWORD } from '../../factories/user.ts';
import { createTenant } from '../../factories/tenant.ts';
import { startSecondApi, useApi, useTenant } from '../../use-api.ts';

const { api } = useApi({ config: { RATE_LIMIT_WRITES: 0 } });
const victim = useTenant(api);
/** More than may wait for their password to be hashed. */
const AT_ONCE = 260;

describe('a tenant that makes users without end', () => {
  test('keeps nobody of another tenant from signing in, from a new password and from being made', async () => {
    const user = await createUser(api, victim);
    const { email } = user;
    const hostile = await createTenant(api);
    let made = 0;
    let refused = 0;
    let isOver = false;
    let onRefused = (): void => undefined;
    const isFull = new Promise<void>((resolve) => (onRefused = resolve));
    const flood = async () => {
      while (!isOver) {
        const body = { email: `flood-${(made += 1)}@mallory.example`, password: PASSWORD };
        const { status } = await hostile.post('/users', body);
        if (status !== 429) continue;
        refused += 1;
        onRefused();
      }
    };
    const flooding = Array.from({ length: AT_ONCE }, flood);
    await isFull;
    const statuses: number[] = [];
    const signIn = { body: { email, password: PASSWORD } };
    for (let n = 0; n < 3; n += 1) statuses.push((await api.request('POST', '/auth/signin', signIn)).status);
    const passwords = { currentPassword: PASSWORD, password: `${PASSWORD}-2` };
    statuses.push((await user.post('/users/me/password', passwords)).status);
    const colleague = { email: `colleague-of-${email}`, password: PASSWORD };
    statuses.push((await victim.post('/users', colleague)).status);
    isOver = true;
    await Promise.all(flooding);
    expect(statuses).toEqual([201, 201, 201, 200, 201]);
    expect(refused).toBeGreaterThan(0);
  });
});

describe('strangers that sign in from many addresses', () => {
  let behindProxy: TestApi;
  beforeAll(async () => {
    behindProxy = await startSecondApi(api, { config: { TRUST_PROXY: true } });
  });
  const signIn = async (address: string, email: string) =>
    await behindProxy.request('POST', '/auth/signin', {
      headers: { 'X-Forwarded-For': address },
      body: { email, password: PASSWORD },
    });

  test('refuse nobody a sign-in, from a known address or a new one, nor a tenant its new user', async () => {
    const { email } = await createUser(api, victim);
    expect((await signIn('198.51.100.7', email)).status).toBe(201);
    // One /48 of IPv6 has 256 networks of 56 bits, each of which counts as an address.
    const strangers = Array.from(
      { length: 60 },
      async (_, n) => await signIn(`2001:db8:1:${(n << 8).toString(16)}::1`, `nobody-${n}@nowhere.example`),
    );
    const colleague = { email: `colleague-beside-${email}`, password: PASSWORD };
    const answers = await Promise.all([
      signIn('198.51.100.7', email),
      signIn('198.51.100.8', email),
      behindProxy.request('POST', '/users', { key: victim.apiKey, body: colleague }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set((await Promise.all(strangers)).map(({ status }) => status))).toEqual(new Set([401]));
  });

  test('have places of their own, apart from those of tenants and of addresses that the account knows', async () => {
    const passwords = passwordHashing();
    let end = (): void => undefined;
    const work = new Promise<void>((resolve) => (end = resolve));
    const strangers = Array.from(
      { length: 1_001 },
      async (_, n) => await passwords.inTurnOfStrangers(`${n}`, async () => await work),
    );
    const next = passwords.inTurnOfStrangers('next', async () => await work);
    await expect(next).rejects.toMatchObject({ code: 'rate_limited' });
    expect(await passwords.inTurn('tenant', async () => await Promise.resolve('ran'))).toBe('ran');
    end();
    await Promise.all(strangers);
  });

  test('wait apart unless the account has signed in from their address', async () => {
    const { email } = await createUser(api, victim);
    await signIn('198.51.100.9', email);
    const known = async (address: string, of = email) =>
      await tenantKnownFrom(api.db, { email: of, address });
    expect(await known('198.51.100.9')).toBe(victim.id);
    expect([await known('198.51.100.10'), await known('198.51.100.9', `not-${email}`)]).toEqual([null, null]);
  });
});
