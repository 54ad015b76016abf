import { randomBytes } from 'node:crypto';
import type { User } from '../../../domain/users/schema.ts';
import type { Json } from '../../api-client.ts';
import { createUser } from '../../factories/user.ts';
import { createVerification } from '../../factories/verification.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenant(api);
const mute = useApi({ config: { ENVIRONMENT: 'production' } });

interface Made {
  tenant: { id: string };
  apiKey: { apiKey: string };
  adminUser: User | null;
}

const create = async (body: Json, at = api) =>
  await at.request<Made>('POST', '/operator/tenants', {
    operatorKey: at.operatorKey,
    body: { name: `Tenant ${randomBytes(6).toString('hex')}`, ...body },
  });
const freshEmail = () => `admin-${randomBytes(6).toString('hex')}@delta.example`;

describe('POST /operator/tenants with an admin', () => {
  test('201: the user is of role ADMIN, and the mail with their link is queued', async () => {
    const email = freshEmail();
    const { status, body } = await create({ admin: { email: email.toUpperCase(), name: 'Ida Brandt' } });
    expect(status).toBe(201);
    expect(body.adminUser).toMatchObject({ email, name: 'Ida Brandt', role: 'ADMIN', lastSignInAt: null });
    const { body: users } = await api.request<User[]>('GET', '/users', { key: body.apiKey.apiKey });
    expect(users).toEqual([body.adminUser]);
    const { rows } = await database.pool.query('select kind, status from mails where tenant_id = $1', [
      body.tenant.id,
    ]);
    expect(rows).toEqual([{ kind: 'INVITATION', status: 'PENDING' }]);
    expect(api.outbox).toContainEqual(
      expect.objectContaining({ workflow: 'mailDelivery', tenantId: body.tenant.id }),
    );
  });

  test('201 without one: there is no user', async () => {
    expect((await create({ email: 'desk@delta.example' })).body.adminUser).toBeNull();
  });

  test('409 for an address that a user has, and no tenant is made', async () => {
    const { email } = await createUser(api, tenant);
    const name = 'Never Made';
    expect(await create({ name, admin: { email } })).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    });
    const { rowCount } = await database.pool.query('select 1 from tenants where name = $1', [name]);
    expect(rowCount).toBe(0);
  });

  test.each([
    [{ email: 'nobody' }, '/admin/email'],
    [{ name: 'Ida Brandt' }, '/admin/email'],
    [{ email: 'a@delta.example', role: 'OBSERVER' }, '/admin/role'],
    [{ email: 'a@delta.example', password: 'seven quiet otters juggle' }, '/admin/password'],
  ])('400 for %j', async (admin, pointer) => {
    expect(await create({ admin })).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
  });

  test('409 where no mail can be sent', async () => {
    expect((await create({ admin: { email: freshEmail() } }, mute.api)).status).toBe(409);
    expect((await create({}, mute.api)).status).toBe(201);
  });
});

describe('GET /operator/deployment', () => {
  test('numbers and versions, and nothing of a tenant', async () => {
    const email = freshEmail();
    const { body: made } = await create({ email, webhookUrl: 'https://hooks.delta.example/in' });
    await api.request('POST', `/operator/tenants/${made.tenant.id}/suspend`, {
      operatorKey: api.operatorKey,
    });
    const answer = await api.request('GET', '/operator/deployment', { operatorKey: api.operatorKey });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        version: '0.1.0',
        environment: 'sandbox',
        degraded: [],
        migrations: { missing: [] },
        suspendedTenants: 1,
        partners: 0,
        queues: null,
        oldestWebhookSeconds: 0,
      },
    });
    expect(answer.body['tenants']).toBeGreaterThan(1);
    expect(JSON.stringify(answer.body)).not.toMatch(new RegExp(`${made.tenant.id}|${email}|hooks`));
    expect((await tenant.get('/operator/deployment')).status).toBe(401);
  });
});

test('GET /operator/wallet-verification/{id}/events: the log of a deleted verification, and nothing of others', async () => {
  const read = async (id: string) =>
    await api.request<Json[]>('GET', `/operator/wallet-verification/${id}/events`, {
      operatorKey: api.operatorKey,
    });
  const { id } = await createVerification(tenant);
  expect((await read(id)).status).toBe(404);
  expect((await tenant.delete(`/wallet-verification/${id}`)).status).toBe(204);
  const { status, body } = await read(id);
  expect([status, body.at(-1)?.['type']]).toEqual([200, 'CREATED']);
  expect(api.log).toContainEqual(
    expect.objectContaining({ audit: 'DELETED_LOG_READ', operator: 'operator', verificationId: id }),
  );
  expect((await read(tenant.id)).status).toBe(404);
  expect((await tenant.get(`/operator/wallet-verification/${id}/events`)).status).toBe(401);
});
