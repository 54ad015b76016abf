import { createUser, PASSWORD } from '../../factories/user.ts';
import { createTenant } from '../../factories/tenant.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api } = useApi({ config: { RATE_LIMIT_WRITES: 0 } });
const victim = useTenant(api);
/** More than may wait for their password to be hashed. */
const AT_ONCE = 60;

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
