import { queueEndingKeys } from '../../../db/mails/queue-ending-keys.ts';
import { findOutgoingDelivery } from '../../../db/webhooks/outgoing-delivery.ts';
import { recordGone, type AttemptResult } from '../../../db/webhooks/record-attempt.ts';
import type { ApiKey } from '../../../domain/api-keys/schema.ts';
import type { SignedIn } from '../../../domain/users/schema.ts';
import type { WebhookDelivery } from '../../../domain/webhooks/schema.ts';
import { withConnection } from '../../../db/postgres.ts';
import type { Json, TestApi } from '../../api-client.ts';
import { queuedMails } from '../../factories/queued-mails.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { createUser, PASSWORD } from '../../factories/user.ts';
import { startSecondApi, useApi } from '../../use-api.ts';

const { api, database } = useApi();
let behindProxy: TestApi;
beforeAll(async () => {
  behindProxy = await startSecondApi(api, { config: { TRUST_PROXY: true } });
});
beforeEach(async () => await database.pool.query('delete from counted_tries'));

const EMAIL = 'compliance@alpine.example';
const withEmail = async (overrides: Json = {}) => await createTenant(api, { email: EMAIL, ...overrides });
const mailsOf = async ({ id }: TestTenant) => await queuedMails(api, id);
const changeUrl = async (tenant: TestTenant, webhookUrl: string | null, rest: Json = {}) =>
  await tenant.patch('/tenant/me', { webhookUrl, ...rest });

describe('webhookUrl was changed', () => {
  test('is told to the e-mail address before the change, by hosts alone; the first address is no change', async () => {
    const tenant = await withEmail();
    await changeUrl(tenant, 'https://hooks.example/in?token=secret-1');
    expect(await mailsOf(tenant)).toEqual([]);
    await changeUrl(tenant, 'https://evil.example/x?token=secret-2', { email: 'thief@evil.example' });
    const mails = await mailsOf(tenant);
    expect(mails.map(({ kind, to }) => `${kind} ${to}`).toSorted()).toEqual([
      `EMAIL_CHANGED ${EMAIL}`,
      `WEBHOOK_URL_CHANGED ${EMAIL}`,
    ]);
    const mail = mails.find(({ kind }) => kind === 'WEBHOOK_URL_CHANGED');
    expect(mail?.subject).toBe(`${tenant.name}: the address of webhooks was changed`);
    expect(mail?.text).toContain('went to hooks.example:443; now they go to evil.example:443');
    expect(mail?.text).not.toMatch(/token|secret-/);
    const { rows } = await database.pool.query('select workflow, summary from outbox where subject_id = $1', [
      mail?.id,
    ]);
    expect(rows).toEqual([{ workflow: 'mailDelivery', summary: 'Mail WEBHOOK_URL_CHANGED' }]);
    await changeUrl(tenant, null);
    expect((await mailsOf(tenant)).at(-1)).toMatchObject({ to: 'thief@evil.example' });
    expect((await mailsOf(tenant)).at(-1)?.text).toContain('now none are sent');
  });

  test('is not told when nothing changes, when the change is refused, or more than 20 times a day', async () => {
    const tenant = await withEmail({ webhookUrl: 'https://hooks.example/in' });
    await changeUrl(tenant, 'https://hooks.example/in');
    await tenant.patch('/tenant/me', { legalName: 'Alpine Exchange AG' });
    expect((await changeUrl(tenant, 'http://10.0.0.1/')).status).toBe(400);
    expect(await mailsOf(tenant)).toEqual([]);
    for (let n = 0; n < 22; n += 1) await changeUrl(tenant, `https://hooks.example/in/${n}`);
    expect(await mailsOf(tenant)).toHaveLength(20);
    await database.pool.query(
      `update mails set created_at = created_at - interval '1 day' where tenant_id = $1`,
      [tenant.id],
    );
    await changeUrl(tenant, null);
    expect(await mailsOf(tenant)).toHaveLength(21);
  });

  test('goes to the administrators of a tenant without an e-mail address, those who can come in', async () => {
    const tenant = await createTenant(api, { webhookUrl: 'https://hooks.example/in' });
    await changeUrl(tenant, 'https://hooks.example/1');
    expect(await mailsOf(tenant)).toEqual([]);
    const [first, second] = [await createUser(api, tenant), await createUser(api, tenant)];
    const disabled = await createUser(api, tenant);
    await tenant.patch(`/users/${disabled.user.id}`, { disabled: true });
    await createUser(api, tenant, 'COMPLIANCE');
    await createUser(api, await createTenant(api));
    await tenant.post('/users/invitations', { email: `new-${first.email}`, role: 'ADMIN' });
    await changeUrl(tenant, 'https://hooks.example/2');
    const [mail] = (await mailsOf(tenant)).filter(({ kind }) => kind === 'WEBHOOK_URL_CHANGED');
    expect(mail?.to).toBe(`${first.email}, ${second.email}`);
  });
});

describe('the e-mail address was changed', () => {
  const changeEmail = async (tenant: TestTenant, email: string | null) =>
    await tenant.patch('/tenant/me', { email });
  const changes = async (tenant: TestTenant) =>
    (await mailsOf(tenant)).filter(({ kind }) => kind === 'EMAIL_CHANGED');

  test('is told to the address before, by the domain of the new one alone; the same address is no change', async () => {
    const tenant = await withEmail();
    await changeEmail(tenant, EMAIL);
    expect(await changes(tenant)).toEqual([]);
    await changeEmail(tenant, 'thief@evil.example');
    const [mail] = await changes(tenant);
    expect(mail).toMatchObject({ to: EMAIL, subject: `${tenant.name}: the e-mail address was changed` });
    expect(mail?.text).toContain('they go to another address, at evil.example.');
    expect(mail?.text).not.toContain('thief');
    await changeEmail(tenant, null);
    expect((await changes(tenant)).at(-1)).toMatchObject({ to: 'thief@evil.example' });
    expect((await changes(tenant)).at(-1)?.text).toContain('from now on they go to the administrators');
  });

  test('is told to the administrators, if they have got the mails so far', async () => {
    const tenant = await createTenant(api);
    const { email } = await createUser(api, tenant);
    await changeEmail(tenant, 'thief@evil.example');
    expect(await changes(tenant)).toEqual([expect.objectContaining({ to: email })]);
  });
});

test('a webhook endpoint that was switched off is told once, and again after it was switched on', async () => {
  const tenant = await withEmail({ webhookUrl: 'https://hooks.example/in' });
  const gone = async () => {
    const { id } = (await tenant.post<WebhookDelivery>('/tenant/me/webhook/test')).body;
    const delivery = await findOutgoingDelivery(api.db.pool, id);
    if (!delivery) throw new Error('the delivery is missing');
    const at = new Date();
    const result: AttemptResult = {
      startedAt: at,
      endedAt: at,
      durationMs: 1,
      statusCode: 410,
      error: 'ENDPOINT_GONE',
      retryAt: at,
    };
    return async () => await recordGone(api.db, delivery, result);
  };
  const both = [await gone(), await gone()];
  for (const each of both) await each();
  const mails = await mailsOf(tenant);
  expect(mails).toEqual([expect.objectContaining({ kind: 'WEBHOOK_DISABLED', to: EMAIL })]);
  expect(mails[0]?.text).toContain('The webhook endpoint at hooks.example:443 answered 410 Gone');
  await changeUrl(tenant, 'https://hooks.example/in');
  await (
    await gone()
  )();
  expect(await mailsOf(tenant)).toHaveLength(2);
});

describe('an API key that ends', () => {
  const DAY_MS = 86_400_000;
  const now = () => new Date();
  /** A key that was made 40 days before its end. */
  async function keyEndingIn(tenant: TestTenant, days: number, name?: string): Promise<ApiKey> {
    const expiresAt = new Date(Date.now() + days * DAY_MS).toISOString();
    const body = { role: 'OBSERVER', expiresAt, ...(name !== undefined && { name }) };
    const key = (await tenant.post<ApiKey>('/tenant/me/api-keys', body)).body;
    await database.pool.query(
      `update api_keys set created_at = expires_at - interval '40 days' where id = $1`,
      [key.id],
    );
    return key;
  }

  test('within 14 days is told once, by its name and without the key', async () => {
    const tenant = await withEmail();
    const key = await keyEndingIn(tenant, 13.9, 'Settlement');
    await keyEndingIn(tenant, 14.1);
    const revoked = await keyEndingIn(tenant, 3);
    await tenant.delete(`/tenant/me/api-keys/${revoked.id}`);
    const ended = await keyEndingIn(tenant, 3);
    await database.pool.query(`update api_keys set expires_at = now() - interval '1 s' where id = $1`, [
      ended.id,
    ]);
    await Promise.all([queueEndingKeys(api.db, now()), queueEndingKeys(api.db, now())]);
    await queueEndingKeys(api.db, now());
    const mails = await mailsOf(tenant);
    expect(mails).toEqual([expect.objectContaining({ kind: 'KEY_ENDING', to: EMAIL })]);
    expect(mails[0]?.text).toContain(`The API key "Settlement" (${key.id}) ends at ${key.expiresAt}`);
    expect(mails[0]?.text).not.toContain(key.apiKey);
  });

  test('is not told of keys that were made for two weeks; those of tenants without a recipient are looked at again', async () => {
    const [tenant, silent] = [await withEmail(), await createTenant(api)];
    const short = await keyEndingIn(tenant, 13);
    await database.pool.query('update api_keys set created_at = now() where id = $1', [short.id]);
    await keyEndingIn(silent, 3);
    expect(await queueEndingKeys(api.db, now())).toBe(1);
    expect([...(await mailsOf(tenant)), ...(await mailsOf(silent))]).toEqual([]);
    await silent.patch('/tenant/me', { email: EMAIL });
    await queueEndingKeys(api.db, now());
    expect(await mailsOf(silent)).toHaveLength(1);
    expect(await queueEndingKeys(api.db, now())).toBe(0);
  });
});

describe('a sign-in from a new address', () => {
  const signIn = async (email: string, address: string, password = PASSWORD) =>
    await behindProxy.request<SignedIn>('POST', '/auth/signin', {
      headers: { 'X-Forwarded-For': address },
      body: { email, password },
    });
  const told = async (tenant: TestTenant) =>
    (await mailsOf(tenant)).filter(({ kind }) => kind === 'SIGN_IN_FROM_NEW_ADDRESS');

  test('is told, after the first one and once for each address, with half of the address', async () => {
    const tenant = await withEmail();
    const { email } = await createUser(api, tenant, 'COMPLIANCE', { name: 'Vera Amstutz' });
    for (const address of ['203.0.113.7', '203.0.113.7']) await signIn(email, address);
    expect(await told(tenant)).toEqual([]);
    expect((await signIn(email, '198.51.100.9', 'guess-Guess-1')).status).toBe(401);
    expect(await told(tenant)).toEqual([]);
    for (const address of ['198.51.100.9', '203.0.113.7', '198.51.100.9']) await signIn(email, address);
    const mails = await told(tenant);
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatchObject({
      to: EMAIL,
      subject: expect.stringContaining('a sign-in from a new address'),
    });
    expect(mails[0]?.text).toMatch(/^Vera Amstutz signed in at \S+Z from 198\.51\.…, /);
    await signIn(email, '2001:db8:0:1ff::1');
    expect((await told(tenant)).at(-1)?.text).toContain(' from 2001:db8:…, ');
  });

  test('is told of two at once, once; the addresses of a user say nothing of those of another', async () => {
    const tenant = await withEmail();
    const [one, other] = [await createUser(api, tenant), await createUser(api, tenant)];
    await signIn(one.email, '203.0.113.1');
    await signIn(other.email, '203.0.113.2');
    const both = await Promise.all([1, 2].map(async () => await signIn(one.email, '203.0.113.2')));
    expect(both.map(({ status }) => status)).toEqual([201, 201]);
    expect(await told(tenant)).toHaveLength(1);
    const { rows } = await database.pool.query<{ text: string }>(
      'select json_agg(a)::text as text from user_addresses a',
    );
    expect(rows[0]?.text).not.toContain('203.0');
  });

  test('an address that was not seen for 90 days is new', async () => {
    const tenant = await withEmail();
    const { email, user } = await createUser(api, tenant);
    for (const address of ['203.0.113.1', '203.0.113.2']) await signIn(email, address);
    await database.pool.query(
      `update user_addresses set seen_at = seen_at - interval '91 days' where user_id = $1`,
      [user.id],
    );
    await signIn(email, '203.0.113.2');
    const seen = async () =>
      (await database.pool.query('select 1 from user_addresses where user_id = $1', [user.id])).rowCount;
    expect([(await told(tenant)).length, await seen()]).toEqual([1, 1]);
    await signIn(email, '203.0.113.1');
    expect(await told(tenant)).toHaveLength(2);
  });

  test('if the mail cannot be stored nobody is signed in: both are one transaction', async () => {
    const tenant = await withEmail();
    const { email, user } = await createUser(api, tenant);
    await signIn(email, '203.0.113.1');
    const sessions = async () =>
      (await database.pool.query('select 1 from user_sessions where user_id = $1', [user.id])).rowCount;
    const before = await sessions();
    await withConnection(database.pool, async (client) => {
      await client.query('alter table mails add constraint refuses check (created_at is null) not valid');
      expect((await signIn(email, '203.0.113.2')).status).toBe(500);
      await client.query('alter table mails drop constraint refuses');
    });
    expect(await sessions()).toBe(before);
    await signIn(email, '203.0.113.2');
    expect(await told(tenant)).toHaveLength(1);
  });
});
