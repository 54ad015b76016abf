import { randomUUID } from 'node:crypto';
import type { WebhookDelivery } from '../../../domain/webhooks/schema.ts';
import type { TestApi } from '../../api-client.ts';
import { attempted, DELIVERIES, startWebhookApi, tenantWithHook, testEvent } from './webhook-fixtures.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startWebhookApi();
});
afterAll(async () => await api.stop());

test('200: an observer reads the delivery with its attempts in order', async () => {
  const tenant = await tenantWithHook(api);
  const { id } = await testEvent(tenant);
  for (let attempt = 1; attempt <= 11; attempt += 1) {
    await attempted(api, id, { statusCode: 500, retryAt: new Date() });
  }
  const observer = await tenant.as('OBSERVER');
  const answer = await observer.get<WebhookDelivery>(`${DELIVERIES}/${id}`);
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ id, status: 'FAILED', attempts: 11 });
  expect(answer.body.attemptLog.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
});

test('401: without a key', async () => {
  expect((await api.request('GET', `${DELIVERIES}/${randomUUID()}`)).status).toBe(401);
});

test("404: another tenant's delivery, one that does not exist and what is no id look alike", async () => {
  const { id } = await testEvent(await tenantWithHook(api));
  const stranger = await tenantWithHook(api);
  const answers = await Promise.all(
    [id, randomUUID(), 'latest'].map(async (other) => await stranger.get(`${DELIVERIES}/${other}`)),
  );
  expect(answers.map((answer) => [answer.status, answer.body['code']])).toEqual([
    [404, 'not_found'],
    [404, 'not_found'],
    [404, 'not_found'],
  ]);
});
