import { leaseDelivery } from '../../../db/webhooks/lease-delivery.ts';
import { findOutgoingDelivery, openDelivery } from '../../../db/webhooks/outgoing-delivery.ts';
import { recordAttempt } from '../../../db/webhooks/record-attempt.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import type { WebhookDelivery } from '../../../domain/webhooks/schema.ts';
import { createPartner } from '../../factories/partner.ts';
import { WEBHOOK_URL } from '../../factories/tenant.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api } = useApi();
const tenant = useTenant(api, { webhookUrl: WEBHOOK_URL });

async function cancelled(): Promise<{ transactionId: string; id: string }> {
  const created = await tenant.post<Transaction>('/transactions', {
    asset: 'ETH',
    amount: '2',
    blockchainInfo: {
      destination: '0x52908400098527886E0F7030069857D2E4169EE7',
      destinationType: 'CUSTODIAL',
    },
    originator: { name: 'Anna Keller' },
  });
  const transactionId = created.body.id;
  await tenant.patch(`/transactions/${transactionId}`, { status: 'CANCELLED' });
  const list = await tenant.get<WebhookDelivery[]>(
    `/tenant/me/webhook-deliveries?_resourceId=${transactionId}`,
  );
  return { transactionId, id: list.body[0]?.id ?? '' };
}

async function find(id: string) {
  const delivery = await findOutgoingDelivery(api.db.pool, id);
  if (!delivery) throw new Error('the delivery is missing');
  return delivery;
}

test('a stored body opens to the bytes of the view, with the secret that belongs to the URL', async () => {
  const { transactionId, id } = await cancelled();
  const delivery = await find(id);
  const { body, secret } = await openDelivery(api.db, delivery, new Date());
  expect(JSON.parse(body.toString())).toEqual((await tenant.get(`/transactions/${transactionId}`)).body);
  expect(secret).toBe(tenant.webhookSecret);
  expect(delivery).toMatchObject({ webhookUrl: 'https://hooks.example/in', isSuperseded: false });
});

test('a body that is put into another row does not open', async () => {
  const [one, other] = [await find((await cancelled()).id), await find((await cancelled()).id)];
  const swapped = { ...one, sealed: { ...one.sealed, body: other.sealed.body } };
  await expect(openDelivery(api.db, swapped, new Date())).rejects.toThrow();
});

test('a test event is sealed by the tenant and superseded by nothing', async () => {
  const { id } = (await tenant.post<WebhookDelivery>('/tenant/me/webhook/test')).body;
  const delivery = await find(id);
  const { body } = await openDelivery(api.db, delivery, new Date());
  expect(JSON.parse(body.toString())).toMatchObject({ id, type: 'test' });
  expect(delivery.isSuperseded).toBe(false);
});

test('no delivery has the id of another kind of record', async () => {
  expect(await findOutgoingDelivery(api.db.pool, tenant.id)).toBeUndefined();
});

test.each([
  ['with data, record open', { masked: false, sealed: false }, false],
  ['with data, record sealed since', { masked: false, sealed: true }, true],
  ['masked, record sealed', { masked: true, sealed: true }, false],
  ['masked, record released since', { masked: true, sealed: false }, false],
])(
  'a snapshot (%s) is superseded only when it shows what is hidden now',
  async (_case, { masked, sealed }, expected) => {
    const { transactionId, id } = await cancelled();
    await api.db.pool.query('update webhook_deliveries set masked = $2 where id = $1', [id, masked]);
    await api.db.pool.query('update transactions set sealed = $2 where id = $1', [transactionId, sealed]);
    expect((await find(id)).isSuperseded).toBe(expected);
  },
);

test('a snapshot of a deleted record is superseded', async () => {
  const { transactionId, id } = await cancelled();
  await tenant.delete(`/transactions/${transactionId}`);
  expect((await find(id)).isSuperseded).toBe(true);
});

describe('a webhook of a partner', () => {
  async function ofPartner() {
    const webhookUrl = 'https://partner.example/in';
    const { partner } = await createPartner(api, { webhookUrl });
    const { transactionId, id } = await cancelled();
    await api.db.pool.query('update webhook_deliveries set partner_id = $2 where id = $1', [id, partner.id]);
    return { transactionId, id, partner };
  }

  test('goes to its endpoint, signed by its secret, and shows the record of the tenant', async () => {
    const { transactionId, id, partner } = await ofPartner();
    const delivery = await find(id);
    expect(delivery).toMatchObject({ partnerId: partner.id, tenantId: tenant.id, previousSecret: null });
    expect([delivery.webhookUrl, delivery.webhookStatus]).toEqual(['https://partner.example/in', 'ACTIVE']);
    const { body, secret } = await openDelivery(api.db, delivery, new Date());
    expect(secret).toBe(partner.webhookSecret);
    expect(JSON.parse(body.toString())).toMatchObject({ id: transactionId });
  });

  test('is none of the tenant, who neither lists it nor sends it again', async () => {
    const { transactionId, id } = await ofPartner();
    await api.db.pool.query(
      `update webhook_deliveries set status = 'GAVE_UP', wake_at = null where id = $1`,
      [id],
    );
    const list = await tenant.get(`/tenant/me/webhook-deliveries?_resourceId=${transactionId}`);
    expect(list.body).toEqual([]);
    expect((await tenant.get(`/tenant/me/webhook-deliveries/${id}`)).status).toBe(404);
    expect((await tenant.post(`/tenant/me/webhook-deliveries/${id}/redeliver`)).status).toBe(404);
    await tenant.post(`/transactions/${transactionId}/webhooks/resend`, { status: ['GAVE_UP'] });
    const range = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z', status: ['GAVE_UP'] };
    await tenant.post('/tenant/me/webhook-deliveries/redeliver', range);
    expect((await find(id)).status).toBe('GAVE_UP');
  });

  test('counts in no statistics of the tenant, whose own ones do', async () => {
    const count = async () => {
      const { body } = await tenant.get<{ webhooks: unknown }>('/tenant/me/statistics');
      return body.webhooks;
    };
    const giveUp = async (id: string) => {
      const now = new Date();
      const result = { durationMs: 1, statusCode: null, error: 'TIMEOUT', retryAt: null };
      await recordAttempt(api.db.pool, await find(id), { startedAt: now, endedAt: now, ...result });
      expect((await find(id)).status).toBe('GAVE_UP');
    };
    const [{ id }, own] = [await ofPartner(), await cancelled()];
    const before = (await count()) as { gaveUp: number };
    await giveUp(id);
    expect(await count()).toEqual(before);
    await giveUp(own.id);
    expect(await count()).toMatchObject({ gaveUp: before.gaveUp + 1 });
  });

  test('does not wait for a suspended tenant, whose own ones do', async () => {
    const [{ id }, own] = [await ofPartner(), await cancelled()];
    const { operatorKey } = api;
    await api.request('POST', `/operator/tenants/${tenant.id}/suspend`, { operatorKey });
    const lease = async (each: string) =>
      (await leaseDelivery(api.db.pool, { id: each, now: new Date(), atOnce: false }))?.isLeased;
    expect([await lease(id), await lease(own.id)]).toEqual([true, false]);
    await api.request('POST', `/operator/tenants/${tenant.id}/resume`, { operatorKey });
    expect(await lease(own.id)).toBe(true);
  });
});
