import { randomUUID } from 'node:crypto';
import { findOutgoingDelivery } from '../../../db/webhooks/outgoing-delivery.ts';
import type { ResentWebhooks, WebhookDelivery } from '../../../domain/webhooks/schema.ts';
import { sealedMessages } from '../../factories/sealed-messages.ts';
import { createTenant, WEBHOOK_URL, type TestTenant } from '../../factories/tenant.ts';
import { createTransaction } from '../../factories/transaction.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';
import { attempted, DELIVERIES } from './webhook-fixtures.ts';

const { api } = useApi();
const tenant = useTenantPerTest(api, { webhookUrl: WEBHOOK_URL });

const pathOf = (id: string) => `/transactions/${id}/webhooks/resend`;
const resend = async (id: string, body?: unknown, options = {}) =>
  await tenant.post<ResentWebhooks>(pathOf(id), body, options);
const read = async (id: string) => (await tenant.get<WebhookDelivery>(`${DELIVERIES}/${id}`)).body;

/** The webhooks of a transaction, oldest first. */
async function webhooksOf(owner: Pick<TestTenant, 'get'>, id: string): Promise<WebhookDelivery[]> {
  const { body } = await owner.get<WebhookDelivery[]>(`${DELIVERIES}?_resourceId=${id}&_sort=createdAt`);
  return body;
}

/** A cancelled transaction with two webhooks: of the cancellation, and of the hash that came later. */
async function cancelled(): Promise<{ id: string; first: string; second: string }> {
  const { id } = await createTransaction(tenant);
  await tenant.patch(`/transactions/${id}`, { status: 'CANCELLED' });
  const [first] = await webhooksOf(tenant, id);
  await api.db.pool.query(
    `insert into webhook_deliveries (id, tenant_id, kind, resource_kind, resource_id, resource_version, masked, body,
       status, wake_at, created_at)
     select gen_random_uuid(), tenant_id, kind, resource_kind, resource_id, resource_version + 1, masked, body,
       status, wake_at, created_at + interval '1 second'
     from webhook_deliveries where id = $1`,
    [first?.id],
  );
  const [, second] = await webhooksOf(tenant, id);
  return { id, first: first?.id ?? '', second: second?.id ?? '' };
}

describe('202', () => {
  test('every webhook that was attempted is due now under its old event id, the oldest first', async () => {
    const { id, first, second } = await cancelled();
    await attempted(api, first, { statusCode: 200 });
    await attempted(api, second, { statusCode: 500, retryAt: new Date('2099-01-01') });
    const told = api.outbox.length;
    const answer = await resend(id);
    expect(answer).toMatchObject({ status: 202, body: { count: 2, eventIds: [first, second] } });
    for (const event of [first, second]) {
      expect(await read(event)).toMatchObject({
        status: 'PENDING',
        attempts: 1,
        lastError: null,
        finishedAt: null,
        nextAttemptAt: expect.any(String) as string,
      });
      expect((await findOutgoingDelivery(api.db.pool, event))?.scheduleFrom).toBe(1);
    }
    expect(api.outbox.slice(told)).toMatchObject([
      { workflow: 'webhookDelivery', subjectId: first, resourceId: id },
      { workflow: 'webhookDelivery', subjectId: second, resourceId: id },
    ]);
  });

  test('status takes only those; one that waits for its first attempt stays as it is', async () => {
    const { id, first, second } = await cancelled();
    expect((await resend(id)).body).toEqual({ count: 0, eventIds: [] });
    await attempted(api, first, { statusCode: 200 });
    await attempted(api, second, { statusCode: 500 });
    expect((await resend(id, { status: 'GAVE_UP' })).body.eventIds).toEqual([second]);
    expect((await resend(id, { status: ['FAILED', 'DELIVERED'] })).body.eventIds).toEqual([first]);
  });

  test('webhooks of other records and bodies that were deleted are left alone', async () => {
    const [one, other] = [await cancelled(), await cancelled()];
    for (const { first, second } of [one, other])
      for (const event of [first, second]) await attempted(api, event, { statusCode: 200 });
    await api.db.pool.query('update webhook_deliveries set body = null where id = $1', [one.first]);
    expect((await resend(one.id)).body).toEqual({ count: 1, eventIds: [one.second] });
    for (const event of [one.first, other.first, other.second])
      expect((await read(event)).status).toBe('DELIVERED');
  });

  test('a sealed record sends the webhook that hides the parties, and none that shows them', async () => {
    const holder = await createTenant(api, { webhookUrl: WEBHOOK_URL });
    const [incomingId = ''] = (await sealedMessages(api, tenant, holder, 1)).incomingIds;
    const [masked] = await webhooksOf(holder, incomingId);
    await attempted(api, masked?.id ?? '', { statusCode: 200 });
    expect((await holder.post<ResentWebhooks>(pathOf(incomingId))).body.eventIds).toEqual([masked?.id]);
    await attempted(api, masked?.id ?? '', { statusCode: 200 });
    await api.db.pool.query('update webhook_deliveries set masked = false where id = $1', [masked?.id]);
    expect((await holder.post<ResentWebhooks>(pathOf(incomingId))).body).toEqual({ count: 0, eventIds: [] });
  });

  test('a repeat under the same Idempotency-Key gets the first answer and sends nothing again', async () => {
    const { id, first } = await cancelled();
    await attempted(api, first, { statusCode: 200 });
    const headers = { 'Idempotency-Key': randomUUID() };
    const answer = await resend(id, undefined, { headers });
    await attempted(api, first, { statusCode: 200 });
    const repeat = await resend(id, undefined, { headers });
    expect([repeat.headers.get('Idempotency-Replayed'), repeat.body]).toEqual(['true', answer.body]);
    expect((await read(first)).status).toBe('DELIVERED');
    await tenant.delete(`/transactions/${id}`);
    expect((await resend(id, undefined, { headers })).status).toBe(404);
  });

  test('a key of role COMPLIANCE may', async () => {
    const { id } = await cancelled();
    expect((await (await tenant.as('COMPLIANCE')).post(pathOf(id))).status).toBe(202);
  });
});

test.each([
  [{ status: 'PENDING' }, '/status'],
  [{ status: [] }, '/status'],
  [{ statuses: ['FAILED'] }, '/statuses'],
])('400: %j', async (body, pointer) => {
  const answer = await tenant.post<{ errors: { pointer: string }[] }>(pathOf(randomUUID()), body);
  expect([answer.status, answer.body.errors[0]?.pointer]).toEqual([400, pointer]);
});

test('401: without a key', async () => {
  expect((await api.request('POST', pathOf(randomUUID()))).status).toBe(401);
});

test('403: an observer may not', async () => {
  const { id } = await cancelled();
  expect((await (await tenant.as('OBSERVER')).post(pathOf(id))).status).toBe(403);
});

describe('404', () => {
  test("another tenant's transaction, one that does not exist and what is no id look alike", async () => {
    const { id, first } = await cancelled();
    await attempted(api, first, { statusCode: 200 });
    const stranger = await createTenant(api, { webhookUrl: WEBHOOK_URL });
    for (const other of [id, randomUUID(), 'latest'])
      expect(await stranger.post(pathOf(other))).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect((await read(first)).status).toBe('DELIVERED');
  });

  test('a deleted transaction', async () => {
    const { id, first } = await cancelled();
    await attempted(api, first, { statusCode: 200 });
    await tenant.delete(`/transactions/${id}`);
    expect((await resend(id)).status).toBe(404);
    expect((await read(first)).status).toBe('DELIVERED');
  });
});

describe('409', () => {
  test('there is no webhook URL; nothing changes', async () => {
    const { id, first } = await cancelled();
    await attempted(api, first, { statusCode: 200 });
    await tenant.patch('/tenant/me', { webhookUrl: null });
    expect(await resend(id)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect((await read(first)).status).toBe('DELIVERED');
  });

  test('the endpoint is switched off', async () => {
    const { id } = await cancelled();
    await api.db.pool.query(`update tenants set webhook_status = 'DISABLED' where id = $1`, [tenant.id]);
    expect(await resend(id)).toMatchObject({ status: 409, body: { code: 'conflict' } });
  });
});
