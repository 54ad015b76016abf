import { get } from 'node:http';
import pg from 'pg';
import type { SignedIn, User } from '../../../domain/users/schema.ts';
import type { Json } from '../../api-client.ts';
import { bearerClient, createTenant } from '../../factories/tenant.ts';
import { codeOf, switchOnFactor } from '../../factories/second-factor.ts';
import { createUser, PASSWORD } from '../../factories/user.ts';
import { startSecondApi, useApi, useTenant } from '../../use-api.ts';
import { sealingContext } from '../../../db/vault/contexts.ts';
import type { MailContent } from '../../../domain/mails/mail.ts';

const { api, database } = useApi();
const tenant = useTenant(api);
const NEW_PASSWORD = 'granite-Lantern-52-quay';
let count = 0;
const someone = () => `guest-${(count += 1)}@alpine.example`;

const ask = async (email: string) =>
  await api.request<Json>('POST', '/auth/password-reset', { body: { email } });
const setPassword = async (token: string, password = NEW_PASSWORD, rest: Json = {}) =>
  await api.request<SignedIn & Json>('POST', '/auth/password', { body: { token, password, ...rest } });
const signIn = async (email: string, password: string) =>
  await api.request<SignedIn>('POST', '/auth/signin', { body: { email, password } });
const invite = async (email: string, rest: Json = {}) =>
  await tenant.post<User & Json>('/users/invitations', { email, role: 'COMPLIANCE', ...rest });
/** The limits of an hour begin anew. */
const anHourPasses = async () =>
  await database.pool.query("update counted_tries set since = since - interval '61 minutes'");
beforeEach(anHourPasses);

/** The mails to an address, the newest first, as they wait to be sent. */
async function mailsTo(email: string): Promise<(MailContent & { id: string })[]> {
  const { rows } = await database.pool.query<{ id: string; tenant_id: string; content: Buffer }>(
    'select id, tenant_id, content from mails where content is not null order by created_at desc, id desc',
  );
  const mails = await Promise.all(
    rows.map(async ({ id, tenant_id: tenantId, content }) => {
      const keys = await api.db.vault.tenantKeys(tenantId);
      return { id, ...keys.open<MailContent>(sealingContext.mail.content(tenantId, id), content) };
    }),
  );
  return mails.filter(({ to }) => to === email);
}

async function tokenFor(email: string): Promise<string> {
  const [mail] = await mailsTo(email);
  const [, token = ''] = /\/password#([\w-]{43})\s/.exec(mail?.text ?? '') ?? [];
  return token;
}

describe('POST /users/invitations', () => {
  test('201: the user sets a password by the link of the mail, once, and is in', async () => {
    const email = someone();
    const { status, body: user } = await invite(email, { name: 'Marco Bianchi' });
    expect([status, user]).toEqual([
      201,
      expect.objectContaining({ email, role: 'COMPLIANCE', lastSignInAt: null }),
    ]);
    const [mail] = await mailsTo(email);
    expect(mail?.subject).toContain(tenant.name);
    expect(api.outbox).toContainEqual(
      expect.objectContaining({ workflow: 'mailDelivery', subjectId: mail?.id }),
    );
    expect((await signIn(email, PASSWORD)).status).toBe(401);
    const token = await tokenFor(email);
    expect(await setPassword(token, 'password1234')).toMatchObject({ status: 400 });
    const { status: set, body: signedIn } = await setPassword(token);
    expect([set, signedIn.user.id]).toEqual([201, user.id]);
    expect((await bearerClient(api, signedIn.accessToken).get('/transactions')).status).toBe(200);
    expect((await setPassword(token)).status).toBe(401);
    expect((await signIn(email, NEW_PASSWORD)).status).toBe(201);
  });

  test('of two at once with one link one comes in', async () => {
    const email = someone();
    await invite(email);
    const token = await tokenFor(email);
    const both = await Promise.all([setPassword(token), setPassword(token, PASSWORD)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 401]);
  });

  test('401 for a link after its week, and after another one; the user asks for a new one', async () => {
    const [late, again] = [someone(), someone()];
    for (const email of [late, again]) await invite(email);
    const old = [await tokenFor(late), await tokenFor(again)];
    await database.pool.query(
      `update user_links set expires_at = now() where user_id in (select id from users where role = 'COMPLIANCE')`,
    );
    for (const email of [late, again]) expect((await ask(email)).status).toBe(202);
    for (const token of [...old, 'x'.repeat(43)]) expect((await setPassword(token)).status).toBe(401);
    for (const email of [late, again]) expect((await setPassword(await tokenFor(email))).status).toBe(201);
  });

  test('an invitation is not ended by whoever asks for a new password; the link that is used first ends the other', async () => {
    const email = someone();
    await invite(email);
    const invitation = await tokenFor(email);
    await ask(email);
    const reset = await tokenFor(email);
    expect(reset).not.toBe(invitation);
    expect((await setPassword(invitation)).status).toBe(201);
    expect((await setPassword(reset)).status).toBe(401);
  });

  test('409 for a taken address, whoever has it, and nothing is sent; 403 below ADMIN', async () => {
    const { email } = await createUser(api, await createTenant(api));
    expect((await invite(email)).status).toBe(409);
    expect(await mailsTo(email)).toEqual([]);
    const officer = await createUser(api, tenant, 'COMPLIANCE');
    expect((await officer.post('/users/invitations', { email: someone(), role: 'ADMIN' })).status).toBe(403);
  });

  test.each([{ role: undefined }, { role: 'OWNER' }, { role: 'AUDITOR' }, { password: PASSWORD }])(
    '400: %j',
    async (given) => {
      expect((await invite(someone(), given)).status).toBe(400);
    },
  );

  test('a user who was disabled meanwhile stays out', async () => {
    const email = someone();
    const { body: user } = await invite(email);
    await tenant.patch(`/users/${user.id}`, { disabled: true });
    expect((await setPassword(await tokenFor(email))).status).toBe(401);
  });
});

describe('POST /auth/password-reset', () => {
  test('takes as many connections and statements whether somebody has the address or not', async () => {
    const { email } = await createUser(api, tenant);
    const costOf = async (asked: string) => {
      const statements = jest.spyOn(pg.Client.prototype, 'query');
      let lent = 0;
      const noteLent = () => (lent += 1);
      api.db.pool.on('acquire', noteLent);
      const { status } = await ask(asked);
      api.db.pool.off('acquire', noteLent);
      const cost = [status, lent, statements.mock.calls.length];
      statements.mockRestore();
      await anHourPasses();
      return cost.join(' ');
    };
    // What the process does beside may come into one of them.
    const costsOf = async (asked: string) =>
      [await costOf(asked), await costOf(asked), await costOf(asked)].toSorted()[0];
    expect(await costsOf(`nobody-${email}`)).toEqual(await costsOf(email));
  });

  test('202: the link sets a new password and ends all sessions; a second link ends the first', async () => {
    const user = await createUser(api, tenant);
    await ask(user.email.toUpperCase());
    const first = await tokenFor(user.email);
    await ask(user.email);
    const second = await tokenFor(user.email);
    expect((await setPassword(first)).status).toBe(401);
    expect((await signIn(user.email, PASSWORD)).status).toBe(201);
    expect((await setPassword(second)).status).toBe(201);
    expect((await user.get('/users/me')).status).toBe(401);
    expect((await signIn(user.email, PASSWORD)).status).toBe(401);
    expect((await signIn(user.email, NEW_PASSWORD)).status).toBe(201);
  });

  test('a second factor is asked for; a link takes ten tries, and a user ten wrong codes a day by whichever links', async () => {
    const user = await createUser(api, tenant);
    const { secret } = await switchOnFactor(database.pool, user);
    await ask(user.email);
    const first = await tokenFor(user.email);
    const wrong: number[] = [(await setPassword(first)).status];
    for (let tries = 0; tries < 9; tries += 1)
      wrong.push((await setPassword(first, NEW_PASSWORD, { code: 'abcde-fghij' })).status);
    expect(wrong).toEqual(Array.from({ length: 10 }, () => 401));
    expect((await setPassword(first, NEW_PASSWORD, { code: codeOf(secret) })).status).toBe(429);
    // Nine wrong codes are counted. Another link gives no new ones.
    await ask(user.email);
    const second = await tokenFor(user.email);
    expect((await setPassword(second, NEW_PASSWORD, { code: 'abcde-fghij' })).status).toBe(401);
    expect((await setPassword(second, NEW_PASSWORD, { code: codeOf(secret) })).status).toBe(429);
    await anHourPasses();
    await ask(user.email);
    const third = await tokenFor(user.email);
    const locked = await setPassword(third, NEW_PASSWORD, { code: codeOf(secret) });
    expect([locked.status, locked.body['detail']]).toEqual([429, expect.stringContaining('wrong codes')]);
    // Whoever has only the mailbox locks nobody out who knows the password.
    const signedIn = { email: user.email, password: PASSWORD, code: codeOf(secret) };
    expect((await api.request('POST', '/auth/signin', { body: signedIn })).status).toBe(201);
    await database.pool.query("update counted_tries set since = since - interval '24 hours'");
    expect((await setPassword(third, NEW_PASSWORD, { code: codeOf(secret, 1) })).status).toBe(201);
  });

  test('the same answer for an address that nobody has, and for a disabled user; neither gets a mail', async () => {
    const user = await createUser(api, tenant);
    const known = await ask(user.email);
    await tenant.patch(`/users/${user.user.id}`, { disabled: true });
    const others = [await ask(`no-${user.email}`), await ask(user.email)];
    for (const { status, body } of others) expect([status, body]).toEqual([known.status, known.body]);
    expect(await mailsTo(`no-${user.email}`)).toEqual([]);
    expect(await mailsTo(user.email)).toHaveLength(1);
  });

  test('429 from the fourth in an hour on, whether the account exists or not', async () => {
    const { email } = await createUser(api, tenant);
    for (const tried of [email, `no-${email}`]) {
      const statuses: number[] = [];
      for (let tries = 0; tries < 4; tries += 1) statuses.push((await ask(tried)).status);
      expect(statuses).toEqual([202, 202, 202, 429]);
    }
  });

  test('409 in production without a mail server: nobody waits for a mail that never comes', async () => {
    const config = { SMTP_URL: undefined };
    const deps = { settings: { ...api.config, ENVIRONMENT: 'production' as const, ...config } };
    const other = await startSecondApi(api, { deps });
    const body = { email: someone() };
    expect((await other.request('POST', '/auth/password-reset', { body })).status).toBe(409);
    expect(
      (
        await other.request('POST', '/users/invitations', {
          key: tenant.apiKey,
          body: { ...body, role: 'ADMIN' },
        })
      ).status,
    ).toBe(409);
  });
});

test('neither tokens nor mails are stored or logged readable', async () => {
  const email = someone();
  await invite(email);
  const token = await tokenFor(email);
  const { rows } = await database.pool.query<{ text: string }>(
    `select (select json_agg(m) from mails m)::text || (select json_agg(l) from user_links l)::text as text`,
  );
  for (const secret of [email, token]) {
    expect(rows[0]?.text).not.toContain(secret);
    expect(rows[0]?.text).not.toContain(Buffer.from(secret).toString('hex'));
    expect(JSON.stringify(api.log)).not.toContain(secret);
  }
});

describe('/mailbox', () => {
  const page = async (url: string, headers: Record<string, string> = {}) =>
    await fetch(`${url}/mailbox`, { headers });

  /** The status of a request with another Host, which `fetch` does not send. */
  const statusFor = async (host: string) =>
    await new Promise((resolve, reject) => {
      get(`${api.url}/mailbox`, { headers: { Host: host } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      }).on('error', reject);
    });

  test('shows mails that nothing was there to send, to whoever sits at this machine', async () => {
    const email = someone();
    await invite(email);
    const [mail] = await mailsTo(email);
    expect(await (await page(api.url)).text()).not.toContain(email);
    await database.pool.query(`update mails set status = 'KEPT', wake_at = null where id = $1`, [mail?.id]);
    const answer = await page(api.url);
    expect(answer.headers.get('content-type')).toContain('text/plain');
    expect(await answer.text()).toContain(mail?.text ?? 'no mail');
    // Of a page elsewhere, whose name leads here.
    expect(await statusFor('rebound.example')).toBe(404);
    expect(await statusFor('127.0.0.1.rebound.example:80')).toBe(404);
    expect(await statusFor('localhost:3000')).toBe(200);
    expect((await page(api.url, { 'X-Forwarded-For': '127.0.0.1' })).status).toBe(404);
  });

  test('404 with a mail server, in production, behind a proxy, and on other addresses than loopback', async () => {
    const settings = [
      { SMTP_URL: 'smtp://127.0.0.1:2525' },
      { ENVIRONMENT: 'production' as const },
      { TRUST_PROXY: true },
      { HOST: '0.0.0.0' },
      { PUBLIC_URL: 'https://travel-rule.example' },
    ];
    for (const each of settings) {
      const other = await startSecondApi(api, { deps: { settings: { ...api.config, ...each } } });
      expect([each, (await page(other.url)).status]).toEqual([each, 404]);
    }
  });
});

test('the page of the links is served and runs its own script alone', async () => {
  const page = await fetch(`${api.url}/password`);
  expect([page.status, page.headers.get('content-security-policy')]).toEqual([
    200,
    expect.stringContaining("script-src 'self'"),
  ]);
  expect(await page.text()).toContain('src="password.js"');
  const script = await fetch(`${api.url}/password.js`);
  expect([script.status, await script.text()]).toEqual([200, expect.stringContaining('auth/password')]);
});
