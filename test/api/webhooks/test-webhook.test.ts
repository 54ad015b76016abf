import { randomUUID } from 'node:crypto';
import { findOutgoingDelivery, openDelivery } from '../../../db/webhooks/outgoing-delivery.ts';
import type { WebhookDelivery } from '../../../domain/webhooks/schema.ts';
import type { TestApi } from '../../api-client.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { DELIVERIES, startWebhookApi, TEST_WEBHOOK, tenantWithHook } from './webhook-fixtures.ts';

let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  api = await startWebhookApi();
});
beforeEach(async () => {
  tenant = await tenantWithHook(api);
});
afterAll(async () => await api.stop());

describe('202', () => {
  test('an event of type test is on its way, and its workflow is told', async () => {
    const answer = await tenant.post<WebhookDelivery>(TEST_WEBHOOK);
    expect(answer).toMatchObject({
      status: 202,
      body: { eventType: 'test', resourceId: tenant.id, status: 'PENDING', attempts: 0, attemptLog: [] },
    });
    expect(api.outbox.at(-1)).toMatchObject({ workflow: 'webhookDelivery', subjectId: answer.body.id });
    const delivery = await findOutgoingDelivery(api.db.pool, answer.body.id);
    const opened = delivery && (await openDelivery(api.db, delivery, new Date()));
    expect(JSON.parse(opened?.body.toString() ?? '')).toEqual({
      id: answer.body.id,
      type: 'test',
      createdAt: answer.body.createdAt,
      message: expect.any(String) as string,
    });
  });

  test('a repeat under the same Idempotency-Key is one event', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await tenant.post(TEST_WEBHOOK, undefined, { headers });
    const second = await tenant.post(TEST_WEBHOOK, undefined, { headers });
    expect(second.body).toEqual(first.body);
    expect((await tenant.get(DELIVERIES)).body).toHaveLength(1);
  });
});

test('400: a body with a field is refused', async () => {
  const answer = await tenant.post(TEST_WEBHOOK, { url: 'https://elsewhere.example' });
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: '/url' }] } });
});

test('401: without a key', async () => {
  expect((await api.request('POST', TEST_WEBHOOK)).status).toBe(401);
});

test('403: only a key of role ADMIN may', async () => {
  const compliance = await tenant.as('COMPLIANCE');
  expect((await compliance.post(TEST_WEBHOOK)).status).toBe(403);
});

describe('409', () => {
  test('there is no webhook URL', async () => {
    const silent = await createTenant(api);
    expect(await silent.post(TEST_WEBHOOK)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect((await silent.get(DELIVERIES)).body).toEqual([]);
  });

  test('the endpoint is switched off', async () => {
    await api.db.pool.query(`update tenants set webhook_status = 'DISABLED' where id = $1`, [tenant.id]);
    expect(await tenant.post(TEST_WEBHOOK)).toMatchObject({ status: 409, body: { code: 'conflict' } });
  });
});
