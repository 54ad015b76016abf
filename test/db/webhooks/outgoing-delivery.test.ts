import { findOutgoingDelivery, openDelivery } from '../../../db/webhooks/outgoing-delivery.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import type { WebhookDelivery } from '../../../domain/webhooks/schema.ts';
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
