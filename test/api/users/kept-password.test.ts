import { createHash } from 'node:crypto';
import { resetMail } from '../../../api/auth/user-mails.ts';
import { withConnection } from '../../../db/postgres.ts';
import { makeLink } from '../../../db/users/user-links.ts';
import { canonicalJson } from '../../../domain/canonical-json.ts';
import type { Json } from '../../api-client.ts';
import { untilSomebodyWaits } from '../../factories/hold-commit.ts';
import { createUser, PASSWORD } from '../../factories/user.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenant(api);
const NEW_PASSWORD = 'granite-Lantern-52-quay';

test.each<[string, Json]>([
  ['/users/me/password', { currentPassword: PASSWORD, password: NEW_PASSWORD }],
  ['/users/me/second-factor', { currentPassword: PASSWORD }],
  ['/users/me/second-factor/remove', { currentPassword: PASSWORD }],
])(
  '%s is 401 when the password is changed while it is checked: a reset is not undone',
  async (path, body) => {
    const user = await createUser(api, tenant, 'ADMIN');
    const answer = await withConnection(database.pool, async (client) => {
      await client.query('begin');
      await client.query(`update users set password_hash = 'another one' where id = $1`, [user.user.id]);
      const asking = user.post(path, body);
      await untilSomebodyWaits(database.pool, 'transactionid');
      await client.query('commit');
      return await asking;
    });
    expect(answer.status).toBe(401);
    const { rows } = await database.pool.query(
      'select password_hash, second_factor from users where id = $1',
      [user.user.id],
    );
    expect(rows).toEqual([{ password_hash: 'another one', second_factor: null }]);
  },
);

test.each<[string, (user: Awaited<ReturnType<typeof createUser>>) => Promise<unknown>]>([
  [
    'a change of the password',
    async (user) =>
      await user.post('/users/me/password', { currentPassword: PASSWORD, password: NEW_PASSWORD }),
  ],
  [
    'being disabled for a time',
    async ({ user: { id } }) => {
      for (const disabled of [true, false]) await tenant.patch(`/users/${id}`, { disabled });
    },
  ],
])('%s ends the links of mails', async (_, end) => {
  const user = await createUser(api, tenant, 'ADMIN');
  const { id: userId } = user.user;
  const link = { tenantId: tenant.id, userId, purpose: 'PASSWORD_RESET' as const, now: new Date() };
  const token = await makeLink(database.pool, link);
  await end(user);
  const used = await api.request('POST', '/auth/password', {
    body: { token, password: 'nine-Walrus-whistle-31' },
  });
  expect(used.status).toBe(401);
});

test('what is stored of a request under an Idempotency-Key does not let its password be guessed', async () => {
  const user = await createUser(api, tenant, 'ADMIN');
  const body = { currentPassword: PASSWORD, password: NEW_PASSWORD };
  const change = async (given: Json) =>
    await user.post('/users/me/password', given, { headers: { 'Idempotency-Key': 'guessed' } });
  const first = await change(body);
  expect(first.status).toBe(200);
  const { rows } = await database.pool.query<{ fingerprint: Buffer }>(
    'select fingerprint from idempotency_keys where tenant_id = $1 and key = $2',
    [tenant.id, 'guessed'],
  );
  const stored = rows[0]?.fingerprint;
  expect(stored).toHaveLength(36);
  for (const caller of [`${user.user.id} `, '']) {
    const guess = createHash('sha256')
      .update(`${caller}POST /users/me/password\n${canonicalJson(body)}`)
      .digest();
    expect(stored?.includes(guess)).toBe(false);
  }
  expect((await change(body)).body).toEqual(first.body);
  expect((await change({ ...body, password: 'nine-Walrus-whistle-31' })).status).toBe(422);
});

test('a PUBLIC_URL with a slash at its end leads to the same page', () => {
  const settings = { ...api.config, PUBLIC_URL: 'https://travel-rule.example/' };
  expect(resetMail(settings, { to: 'vera@alpine.example', token: 'T' }).text).toContain(
    '\nhttps://travel-rule.example/password#T\n',
  );
});
