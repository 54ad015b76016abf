import { findOutgoingDelivery, type OutgoingDelivery } from '../../../db/webhooks/outgoing-delivery.ts';
import { giveUpDelivery } from '../../../db/webhooks/give-up-delivery.ts';
import { postponeDelivery } from '../../../db/webhooks/postpone-delivery.ts';
import { recordAttempt, recordGone, type AttemptResult } from '../../../db/webhooks/record-attempt.ts';
import type { WebhookDelivery } from '../../../domain/webhooks/schema.ts';
import { WEBHOOK_URL } from '../../factories/tenant.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api } = useApi();
const tenant = useTenant(api, { webhookUrl: WEBHOOK_URL });

async function newDelivery(): Promise<string> {
  return (await tenant.post<WebhookDelivery>('/tenant/me/webhook/test')).body.id;
}

async function find(id: string): Promise<OutgoingDelivery> {
  const delivery = await findOutgoingDelivery(api.db.pool, id);
  if (!delivery) throw new Error('the delivery is missing');
  return delivery;
}

const read = async (id: string) =>
  (await tenant.get<WebhookDelivery>(`/tenant/me/webhook-deliveries/${id}`)).body;
const redeliver = async (id: string) => await tenant.post(`/tenant/me/webhook-deliveries/${id}/redeliver`);

const RETRY_AT = new Date('2026-11-21T10:00:00.000Z');
const result = (overrides: Partial<AttemptResult> = {}): AttemptResult => ({
  startedAt: new Date('2026-11-20T10:00:00.000Z'),
  endedAt: new Date('2026-11-20T10:00:01.000Z'),
  durationMs: 1_000,
  statusCode: 500,
  error: 'HTTP_STATUS',
  retryAt: RETRY_AT,
  ...overrides,
});
const success = result({ statusCode: 200, error: null });

test('of two that made the same attempt the first counts, the second changes and logs nothing', async () => {
  const id = await newDelivery();
  const seen = await find(id);
  expect(await recordAttempt(api.db.pool, seen, result())).toMatchObject({ status: 'FAILED', attempts: 1 });
  expect(await recordAttempt(api.db.pool, seen, success)).toBeUndefined();
  const delivery = await read(id);
  expect(delivery).toMatchObject({ status: 'FAILED', attempts: 1, nextAttemptAt: RETRY_AT.toISOString() });
  expect(delivery.attemptLog).toEqual([
    {
      attempt: 1,
      startedAt: '2026-11-20T10:00:00.000Z',
      statusCode: 500,
      durationMs: 1_000,
      error: 'HTTP_STATUS',
    },
  ]);
});

test('an attempt under way does not undo the redelivery that was asked for meanwhile', async () => {
  const id = await newDelivery();
  await recordAttempt(api.db.pool, await find(id), result());
  const seen = await find(id);
  await redeliver(id);
  const due = await read(id);
  expect(await recordAttempt(api.db.pool, seen, result({ retryAt: null }))).toMatchObject({
    status: 'PENDING',
  });
  expect(await read(id)).toMatchObject({
    status: 'PENDING',
    attempts: 2,
    nextAttemptAt: due.nextAttemptAt,
    finishedAt: null,
  });
});

test('an attempt whose outcome comes after the delivery was given up is not written', async () => {
  const id = await newDelivery();
  const seen = await find(id);
  await giveUpDelivery(api.db.pool, seen, 'NO_ENDPOINT', new Date());
  expect(await recordAttempt(api.db.pool, seen, success)).toBeUndefined();
  expect((await read(id)).status).toBe('GAVE_UP');
});

test('neither a turn at the endpoint nor giving up overrules a redelivery that came first', async () => {
  const id = await newDelivery();
  await recordAttempt(api.db.pool, await find(id), result());
  const seen = await find(id);
  await redeliver(id);
  const due = await read(id);
  await postponeDelivery(api.db.pool, seen, RETRY_AT);
  await giveUpDelivery(api.db.pool, seen, 'NO_ENDPOINT', new Date());
  expect(await read(id)).toEqual(due);
});

test('410 of the URL that holds switches it off, 410 of one that was replaced is a failure like any other', async () => {
  const id = await newDelivery();
  const gone = result({ statusCode: 410, error: 'ENDPOINT_GONE', startedAt: new Date() });
  const replaced = { ...(await find(id)), webhookUrl: 'https://hooks.example/before' };
  expect(await recordGone(api.db, replaced, gone)).toMatchObject({ status: 'FAILED' });
  expect((await tenant.get('/tenant/me')).body['webhookStatus']).toBe('ACTIVE');
  expect(await recordGone(api.db, await find(id), gone)).toMatchObject({ status: 'GAVE_UP', wakeAt: null });
  expect((await tenant.get('/tenant/me')).body['webhookStatus']).toBe('DISABLED');
});

test('410 that was sent before the tenant enabled the same URL again leaves it enabled', async () => {
  const enable = async () => await tenant.patch('/tenant/me', { webhookUrl: WEBHOOK_URL });
  await enable();
  const [first, second] = [await newDelivery(), await newDelivery()];
  const gone = result({ statusCode: 410, error: 'ENDPOINT_GONE', startedAt: new Date() });
  const late = await find(second);
  expect(await recordGone(api.db, await find(first), gone)).toMatchObject({ status: 'GAVE_UP' });
  await enable();
  expect(await recordGone(api.db, late, gone)).toMatchObject({ status: 'FAILED' });
  expect((await tenant.get('/tenant/me')).body['webhookStatus']).toBe('ACTIVE');
});
