import { randomUUID } from 'node:crypto';
import { findOutgoingDelivery, openDelivery } from '../../../db/webhooks/outgoing-delivery.ts';
import { HOUR_MS } from '../../../domain/durations.ts';
import { createTenant, WEBHOOK_URL } from '../../factories/tenant.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';
import { testEvent } from './webhook-fixtures.ts';

const ROTATE = '/tenant/me/webhook/rotate-secret';

const { api } = useApi();
const tenant = useTenantPerTest(api, { webhookUrl: WEBHOOK_URL });

async function rotate(body?: unknown): Promise<string> {
  const answer = await tenant.post<{ webhookSecret: string }>(ROTATE, body);
  expect(answer.status).toBe(200);
  return answer.body.webhookSecret;
}

/** The secrets that sign an attempt which is made that many hours from now. */
async function signers(inHours = 0) {
  const delivery = await findOutgoingDelivery(api.db.pool, (await testEvent(tenant)).id);
  if (!delivery) throw new Error('the delivery is missing');
  const opened = await openDelivery(api.db, delivery, new Date(Date.now() + inHours * HOUR_MS));
  return [opened.secret, opened.previousSecret];
}

async function previousColumns(): Promise<unknown> {
  const { rows } = await api.db.pool.query(
    `select webhook_secret_previous as secret, webhook_secret_previous_until as until, webhook_secret_previous_host as host
     from tenants where id = $1`,
    [tenant.id],
  );
  return rows[0];
}

const NONE = { secret: null, until: null, host: null };

describe('200', () => {
  test('the tenant with its new secret, which is what it reads from now on', async () => {
    const { body: before } = await tenant.get('/tenant/me');
    const answer = await tenant.post(ROTATE, { overlapHours: 1 });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        ...before,
        updatedAt: expect.any(String) as string,
        webhookSecret: expect.any(String) as string,
      },
    });
    expect(answer.body['webhookSecret']).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(answer.body['webhookSecret']).not.toBe(tenant.webhookSecret);
    expect(Date.parse(String(answer.body['updatedAt']))).toBeGreaterThan(
      Date.parse(String(before['updatedAt'])),
    );
    expect((await tenant.get('/tenant/me')).body).toEqual(answer.body);
  });

  test.each([
    [undefined, 24],
    [{}, 24],
    [{ overlapHours: 1 }, 1],
    [{ overlapHours: 168 }, 168],
  ])('%j: the secret before signs too for %i hours and not longer', async (body, hours) => {
    const secret = await rotate(body);
    expect(await signers(hours - 0.01)).toEqual([secret, tenant.webhookSecret]);
    expect(await signers(hours)).toEqual([secret, null]);
  });

  test('overlapHours 0: the secret before is gone at once', async () => {
    const secret = await rotate({ overlapHours: 0 });
    expect(await signers()).toEqual([secret, null]);
    expect(await previousColumns()).toEqual(NONE);
  });

  test('a second rotation ends the overlap of the first', async () => {
    const second = await rotate();
    const third = await rotate({ overlapHours: 2 });
    expect(await signers()).toEqual([third, second]);
    expect(await signers(2)).toEqual([third, null]);
    const fourth = await rotate({ overlapHours: 0 });
    expect(await signers()).toEqual([fourth, null]);
  });

  test('without a webhook URL there is nowhere for the secret before to sign', async () => {
    Object.assign(tenant, await createTenant(api));
    const secret = await rotate();
    expect(secret).not.toBe(tenant.webhookSecret);
    expect(await previousColumns()).toEqual(NONE);
  });

  test('a repeat under the same Idempotency-Key gets the same secret', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await tenant.post(ROTATE, undefined, { headers });
    const second = await tenant.post(ROTATE, undefined, { headers });
    expect(second.headers.get('Idempotency-Replayed')).toBe('true');
    expect(second.body).toEqual(first.body);
    expect(await signers()).toEqual([first.body['webhookSecret'], tenant.webhookSecret]);
  });

  test('of ten at once each gives a secret of its own, and the last one holds', async () => {
    const secrets = await Promise.all(Array.from({ length: 10 }, async () => await rotate()));
    expect(new Set(secrets).size).toBe(10);
    const [present, previous] = await signers();
    expect(secrets).toContain(present);
    expect(secrets).toContain(previous);
    expect(previous).not.toBe(present);
  });

  test('the secret before is kept sealed, and not as the present one is', async () => {
    await rotate();
    await api.db.pool.query('update tenants set webhook_secret = webhook_secret_previous where id = $1', [
      tenant.id,
    ]);
    await expect(signers()).rejects.toThrow();
  });
});

describe('a webhook URL that changes during the overlap', () => {
  const patch = async (webhookUrl: string | null) =>
    String((await tenant.patch('/tenant/me', { webhookUrl })).body['webhookSecret']);

  test.each([
    ['another host', 'https://hooks.example.net/in'],
    ['a host below', 'https://eu.hooks.example/in'],
    ['another port', 'https://hooks.example:8443/in'],
  ])('%s never gets a signature by the secret before, not even after a return', async (_what, url) => {
    await rotate();
    const secret = await patch(url);
    expect(await signers()).toEqual([secret, null]);
    expect(await previousColumns()).toEqual(NONE);
    expect(await signers()).toEqual([secret, null]);
    const back = await patch(WEBHOOK_URL);
    expect(await signers()).toEqual([back, null]);
  });

  test('another path of the same host, its port spelt out, goes on with the secret before and has a new one', async () => {
    const rotated = await rotate();
    const secret = await patch('https://HOOKS.example:443/other');
    expect(secret).not.toBe(rotated);
    expect(await signers()).toEqual([secret, tenant.webhookSecret]);
  });

  test('taken away, the secret before is gone', async () => {
    await rotate();
    await patch(null);
    expect(await previousColumns()).toEqual(NONE);
  });

  test('a secret whose host is not that of the URL does not sign, however that came about', async () => {
    const secret = await rotate();
    await api.db.pool.query(`update tenants set webhook_url = 'https://other.example/' where id = $1`, [
      tenant.id,
    ]);
    expect(await signers()).toEqual([secret, null]);
  });

  test('other changes of the tenant leave the overlap alone', async () => {
    const secret = await rotate();
    await tenant.patch('/tenant/me', { legalName: 'Alp AG', webhookUrl: WEBHOOK_URL });
    expect(await signers()).toEqual([secret, tenant.webhookSecret]);
  });
});

test.each([
  [{ overlapHours: -1 }, '/overlapHours'],
  [{ overlapHours: 169 }, '/overlapHours'],
  [{ overlapHours: 1.5 }, '/overlapHours'],
  [{ overlapHours: '24' }, '/overlapHours'],
  [{ overlapHours: null }, '/overlapHours'],
  [{ overlapDays: 1 }, '/overlapDays'],
])('400: %j is refused and nothing changes', async (body, pointer) => {
  expect(await tenant.post(ROTATE, body)).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
  expect(await signers()).toEqual([tenant.webhookSecret, null]);
});

test('401: without a key', async () => {
  expect((await api.request('POST', ROTATE)).status).toBe(401);
});

test.each(['COMPLIANCE', 'OBSERVER'] as const)('403: a key of role %s may not', async (role) => {
  expect((await (await tenant.as(role)).post(ROTATE)).status).toBe(403);
  expect(await signers()).toEqual([tenant.webhookSecret, null]);
});

test('422: the Idempotency-Key of another request', async () => {
  const headers = { 'Idempotency-Key': randomUUID() };
  await tenant.post(ROTATE, { overlapHours: 1 }, { headers });
  const answer = await tenant.post(ROTATE, { overlapHours: 2 }, { headers });
  expect(answer).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
});
