import { randomUUID } from 'node:crypto';
import { outboxRoom } from '../../../db/reconcile/queue-unfinished.ts';
import { findOutgoingDelivery } from '../../../db/webhooks/outgoing-delivery.ts';
import type { WebhookDelivery } from '../../../domain/webhooks/schema.ts';
import type { Json, TestApi } from '../../api-client.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { attempted, DELIVERIES, startWebhookApi, tenantWithHook, testEvent } from './webhook-fixtures.ts';

const REDELIVER = `${DELIVERIES}/redeliver`;
const ALL = { from: '2020-01-01T00:00:00Z', to: '2099-01-01T00:00:00Z' };

let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  api = await startWebhookApi();
});
beforeEach(async () => {
  tenant = await tenantWithHook(api);
});
afterAll(async () => await api.stop());

const redeliver = async (body: Json, options = {}) => await tenant.post(REDELIVER, body, options);
const read = async (id: string) => (await tenant.get<WebhookDelivery>(`${DELIVERIES}/${id}`)).body;

/** One delivery of each status, made one after the other; their outbox rows are gone. */
async function oneOfEach() {
  const pending = await testEvent(tenant);
  const delivered = await testEvent(tenant);
  const failed = await testEvent(tenant);
  const gaveUp = await testEvent(tenant);
  await attempted(api, delivered.id, { statusCode: 200 });
  await attempted(api, failed.id, { statusCode: 500, retryAt: new Date('2099-01-01') });
  await attempted(api, gaveUp.id, { statusCode: 500 });
  await api.db.pool.query('delete from outbox where tenant_id = $1', [tenant.id]);
  return { pending, delivered, failed, gaveUp };
}

/** As many that were given up, made in the same millisecond each `perMs`. */
async function manyGivenUp(count: number, perMs: number): Promise<void> {
  await api.db.pool.query(
    `insert into webhook_deliveries (id, tenant_id, kind, resource_kind, resource_id, resource_version, body, status,
       attempts, last_error, created_at, finished_at)
     select gen_random_uuid(), $1, 'test', 'TENANT', $1, 1, '', 'GAVE_UP', 12, 'TIMEOUT',
       timestamptz '2026-11-01T00:00:00Z' + (n / $3::int) * interval '1 millisecond', now()
     from generate_series(0, $2::int - 1) n`,
    [tenant.id, count, perMs],
  );
}

interface Waiting {
  subject_id: string;
  due_at: Date;
}

async function readOutbox(): Promise<Waiting[]> {
  const { rows } = await api.db.pool.query<Waiting>(
    `select subject_id, due_at from outbox where tenant_id = $1 order by due_at`,
    [tenant.id],
  );
  return rows;
}

describe('202', () => {
  test('failed and given up ones are due again, with a whole schedule ahead; others stay as they are', async () => {
    const { pending, delivered, failed, gaveUp } = await oneOfEach();
    const before = await Promise.all([pending, delivered].map(async ({ id }) => await read(id)));
    const outbox = api.outbox.length;
    expect(await redeliver(ALL)).toMatchObject({ status: 202, body: { count: 2, nextFrom: null } });
    for (const { id, createdAt } of [failed, gaveUp]) {
      const again = { id, createdAt, status: 'PENDING', attempts: 1, lastError: null, finishedAt: null };
      expect(await read(id)).toMatchObject(again);
      expect((await findOutgoingDelivery(api.db.pool, id))?.scheduleFrom).toBe(1);
    }
    expect(await Promise.all([pending, delivered].map(async ({ id }) => await read(id)))).toEqual(before);
    // The relay tells the workflows, the oldest first, when each is due.
    expect(api.outbox).toHaveLength(outbox);
    const waiting = await readOutbox();
    expect(waiting.map((row) => row.subject_id)).toEqual([failed.id, gaveUp.id]);
    expect((await read(gaveUp.id)).nextAttemptAt).toBe(waiting[1]?.due_at.toISOString());
    expect(Number(waiting[1]?.due_at) - Number(waiting[0]?.due_at)).toBe(20);
  });

  test.each([
    ['DELIVERED', ['delivered']],
    [['FAILED'], ['failed']],
    [
      ['GAVE_UP', 'DELIVERED', 'FAILED'],
      ['delivered', 'failed', 'gaveUp'],
    ],
  ] as const)('status %j takes these alone', async (status, taken) => {
    const made = await oneOfEach();
    expect((await redeliver({ ...ALL, status })).body).toEqual({ count: taken.length, nextFrom: null });
    expect((await readOutbox()).map((row) => row.subject_id)).toEqual(taken.map((name) => made[name].id));
  });

  test('both ends of the range belong to it', async () => {
    const { delivered, failed, gaveUp } = await oneOfEach();
    const status = ['DELIVERED', 'FAILED', 'GAVE_UP'];
    const before = new Date(Date.parse(failed.createdAt) - 1).toISOString();
    expect(new Set([delivered, failed, gaveUp].map(({ createdAt }) => createdAt)).size).toBe(3);
    expect((await redeliver({ from: delivered.createdAt, to: before, status })).body['count']).toBe(1);
    expect((await redeliver({ from: failed.createdAt, to: failed.createdAt, status })).body['count']).toBe(1);
    expect((await readOutbox()).map((row) => row.subject_id)).toEqual([delivered.id, failed.id]);
  });

  test('nothing there is a count of 0', async () => {
    expect(await redeliver(ALL)).toMatchObject({ status: 202, body: { count: 0, nextFrom: null } });
  });

  test('those without a body any more are left out', async () => {
    const { failed, gaveUp } = await oneOfEach();
    await api.db.pool.query('update webhook_deliveries set body = null where id = $1', [gaveUp.id]);
    expect((await redeliver(ALL)).body['count']).toBe(1);
    expect((await readOutbox()).map((row) => row.subject_id)).toEqual([failed.id]);
  });

  test('a long range goes on at nextFrom, misses none that was made in the same millisecond, and queues up', async () => {
    await manyGivenUp(10_300, 300);
    const first = await redeliver(ALL);
    // 33 milliseconds hold 9,900: the 34th is taken whole.
    expect(first.body).toEqual({ count: 10_200, nextFrom: '2026-11-01T00:00:00.034Z' });
    const second = await redeliver({ ...ALL, from: first.body['nextFrom'] });
    expect(second.body).toEqual({ count: 100, nextFrom: null });
    const dueMs = (await readOutbox()).map((row) => row.due_at.getTime());
    expect(dueMs).toHaveLength(10_300);
    const inOneSecond = dueMs.map((start, index) => (dueMs[index + 51] ?? Infinity) - start);
    expect(Math.min(...inOneSecond)).toBeGreaterThanOrEqual(980);
    // What waits for its turn does not keep the sweep from finding rows without a workflow.
    expect(await outboxRoom(api.db.pool)).toBeGreaterThan(5_000);
  });

  test('of two calls at once each delivery belongs to one', async () => {
    await manyGivenUp(500, 10);
    const answers = await Promise.all([redeliver(ALL), redeliver(ALL), redeliver(ALL)]);
    expect(answers.map((answer) => answer.status)).toEqual([202, 202, 202]);
    expect(answers.reduce((sum, answer) => sum + Number(answer.body['count']), 0)).toBe(500);
    expect(new Set((await readOutbox()).map((row) => row.subject_id)).size).toBe(500);
    expect(await readOutbox()).toHaveLength(500);
  });

  test('a repeat under the same Idempotency-Key gets the first answer and takes nothing', async () => {
    const { failed } = await oneOfEach();
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await redeliver(ALL, { headers });
    await attempted(api, failed.id, { statusCode: 500 });
    const second = await redeliver(ALL, { headers });
    expect(second).toMatchObject({ status: 202, body: first.body });
    expect(second.headers.get('Idempotency-Replayed')).toBe('true');
    expect((await read(failed.id)).status).toBe('GAVE_UP');
  });

  test('a key of role COMPLIANCE may', async () => {
    expect((await (await tenant.as('COMPLIANCE')).post(REDELIVER, ALL)).status).toBe(202);
  });

  test("another tenant's deliveries are left alone", async () => {
    const { gaveUp } = await oneOfEach();
    const stranger = await tenantWithHook(api);
    expect((await stranger.post(REDELIVER, ALL)).body['count']).toBe(0);
    expect((await read(gaveUp.id)).status).toBe('GAVE_UP');
  });
});

test.each([
  [{ to: ALL.to }, '/from', 'required'],
  [{ from: ALL.from }, '/to', 'required'],
  [{ from: ALL.to, to: ALL.from }, '/to', 'before_from'],
  [{ ...ALL, from: 'yesterday' }, '/from', 'invalid_format'],
  [{ ...ALL, status: 'PENDING' }, '/status', 'invalid_type'],
  [{ ...ALL, status: ['FAILED', 'PENDING'] }, '/status/1', 'invalid_value'],
  [{ ...ALL, status: [] }, '/status', 'too_small'],
  [{ ...ALL, limit: 5 }, '/limit', 'unknown_field'],
])('400: %j', async (body, pointer, code) => {
  expect(await redeliver(body)).toMatchObject({ status: 400, body: { errors: [{ pointer, code }] } });
});

test('400: no body', async () => {
  expect((await tenant.post(REDELIVER)).status).toBe(400);
});

test('401: without a key', async () => {
  expect((await api.request('POST', REDELIVER, { body: ALL })).status).toBe(401);
});

test('403: an observer may not', async () => {
  expect((await (await tenant.as('OBSERVER')).post(REDELIVER, ALL)).status).toBe(403);
});

describe('409', () => {
  test('there is no webhook URL; nothing changes', async () => {
    const { gaveUp } = await oneOfEach();
    await tenant.patch('/tenant/me', { webhookUrl: null });
    expect(await redeliver(ALL)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect((await read(gaveUp.id)).status).toBe('GAVE_UP');
    expect(await (await createTenant(api)).post(REDELIVER, ALL)).toMatchObject({ status: 409 });
  });

  test('the endpoint is switched off', async () => {
    await api.db.pool.query(`update tenants set webhook_status = 'DISABLED' where id = $1`, [tenant.id]);
    expect(await redeliver(ALL)).toMatchObject({ status: 409, body: { code: 'conflict' } });
  });
});

test('422: the Idempotency-Key of another request', async () => {
  const headers = { 'Idempotency-Key': randomUUID() };
  await redeliver(ALL, { headers });
  const answer = await redeliver({ ...ALL, status: 'FAILED' }, { headers });
  expect(answer).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
});
