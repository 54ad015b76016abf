import { randomUUID } from 'node:crypto';
import { findOutgoingDelivery } from '../../../db/webhooks/outgoing-delivery.ts';
import type { WebhookDelivery } from '../../../domain/webhooks/schema.ts';
import type { TestApi } from '../../api-client.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import {
  attempted,
  DELIVERIES,
  HOOK,
  startWebhookApi,
  tenantWithHook,
  testEvent,
} from './webhook-fixtures.ts';

let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  api = await startWebhookApi();
});
beforeEach(async () => {
  tenant = await tenantWithHook(api);
});
afterAll(async () => await api.stop());

const redeliver = async (id: string, options = {}) =>
  await tenant.post<WebhookDelivery>(`${DELIVERIES}/${id}/redeliver`, undefined, options);
const entriesOf = (id: string) => api.outbox.filter((entry) => entry.subjectId === id);

describe('202', () => {
  test.each([
    ['DELIVERED', { statusCode: 200 }],
    ['FAILED', { statusCode: 500, retryAt: new Date('2099-01-01') }],
    ['GAVE_UP', { statusCode: 500 }],
  ])('one that is %s is due now, counts on, and has a schedule that begins anew', async (status, outcome) => {
    const { id, createdAt } = await testEvent(tenant);
    await attempted(api, id, outcome);
    expect((await tenant.get(`${DELIVERIES}/${id}`)).body['status']).toBe(status);
    const before = Date.now();
    const answer = await redeliver(id);
    expect(answer).toMatchObject({
      status: 202,
      body: { id, createdAt, status: 'PENDING', attempts: 1, lastError: null, finishedAt: null },
    });
    expect(answer.body.attemptLog).toHaveLength(1);
    const dueMs = Date.parse(answer.body.nextAttemptAt ?? '');
    expect(dueMs).toBeGreaterThanOrEqual(before);
    expect(dueMs).toBeLessThanOrEqual(Date.now());
    expect((await findOutgoingDelivery(api.db.pool, id))?.scheduleFrom).toBe(1);
    // One entry for the creation, one for this.
    expect(entriesOf(id)).toHaveLength(2);
    expect(entriesOf(id)[1]).toMatchObject({ workflow: 'webhookDelivery', summary: 'Webhook test' });
  });

  test('one that waits for its first attempt stays as it is', async () => {
    const sent = await testEvent(tenant);
    const answer = await redeliver(sent.id);
    expect(answer).toMatchObject({ status: 202, body: sent });
    expect(entriesOf(sent.id)).toHaveLength(1);
  });

  test('a repeat under the same Idempotency-Key gets the first answer and sends nothing again', async () => {
    const { id } = await testEvent(tenant);
    await attempted(api, id, { statusCode: 200 });
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await redeliver(id, { headers });
    await attempted(api, id, { statusCode: 200 });
    const second = await redeliver(id, { headers });
    expect(second.headers.get('Idempotency-Replayed')).toBe('true');
    expect(second.body).toEqual(first.body);
    expect((await tenant.get(`${DELIVERIES}/${id}`)).body['status']).toBe('DELIVERED');
  });

  test('a key of role COMPLIANCE may', async () => {
    const { id } = await testEvent(tenant);
    const compliance = await tenant.as('COMPLIANCE');
    expect((await compliance.post(`${DELIVERIES}/${id}/redeliver`)).status).toBe(202);
  });
});

test('401: without a key', async () => {
  expect((await api.request('POST', `${DELIVERIES}/${randomUUID()}/redeliver`)).status).toBe(401);
});

test('403: an observer may not', async () => {
  const { id } = await testEvent(tenant);
  const observer = await tenant.as('OBSERVER');
  expect((await observer.post(`${DELIVERIES}/${id}/redeliver`)).status).toBe(403);
});

test("404: another tenant's delivery, which is left alone", async () => {
  const { id } = await testEvent(tenant);
  await attempted(api, id, { statusCode: 200 });
  const stranger = await createTenant(api, { webhookUrl: HOOK });
  expect((await stranger.post(`${DELIVERIES}/${id}/redeliver`)).status).toBe(404);
  expect((await stranger.post(`${DELIVERIES}/${randomUUID()}/redeliver`)).status).toBe(404);
  expect((await tenant.get(`${DELIVERIES}/${id}`)).body['status']).toBe('DELIVERED');
});

describe('409', () => {
  test('there is no webhook URL; nothing changes', async () => {
    const { id } = await testEvent(tenant);
    await attempted(api, id, { statusCode: 200 });
    await tenant.patch('/tenant/me', { webhookUrl: null });
    expect(await redeliver(id)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect((await tenant.get(`${DELIVERIES}/${id}`)).body['status']).toBe('DELIVERED');
  });

  test('the endpoint is switched off', async () => {
    const { id } = await testEvent(tenant);
    await api.db.pool.query(`update tenants set webhook_status = 'DISABLED' where id = $1`, [tenant.id]);
    expect(await redeliver(id)).toMatchObject({ status: 409, body: { code: 'conflict' } });
  });
});
