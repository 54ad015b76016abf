import type { Transaction } from '../../domain/transactions/schema.ts';
import type { WebhookDelivery } from '../../domain/webhooks/schema.ts';
import { readFigures } from '../../db/metrics/read-figures.ts';
import { eventually } from '../eventually.ts';
import { createReceivers } from '../fakes/receivers.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { createBody, evmAddress } from '../factories/transaction.ts';
import { startTestSystem, type TestSystem } from '../system.ts';

let system: TestSystem;
let alpine: TestTenant;
let harbour: TestTenant;
let hooks: { seen: { hits: number }; url: string };
const receivers = createReceivers();

beforeAll(async () => {
  system = await startTestSystem({ config: { WEBHOOK_ALLOWED_HOSTS: ['127.0.0.1'] } });
  hooks = await receivers.receiver((_request, response) => void response.end());
  alpine = await createTenant(system);
  harbour = await createTenant(system, { webhookUrl: hooks.url });
});
afterAll(async () => {
  await system.stop();
  await receivers.end();
});
afterEach(async () => await act('resume'));

const act = async (act: 'suspend' | 'resume') =>
  await system.request('POST', `/operator/tenants/${harbour.id}/${act}`, { operatorKey: system.operatorKey });

async function send(overrides: Record<string, unknown> = {}): Promise<Transaction> {
  const answer = await alpine.post<Transaction>('/transactions', createBody(overrides));
  expect(answer.status).toBe(201);
  return answer.body;
}

const becomes = async (id: string, status: string, subStatus: string) =>
  await eventually(
    async () => (await alpine.get<Transaction>(`/transactions/${id}`)).body,
    (now) => now.status === status && now.subStatus === subStatus,
  );

const deliveries = async () => (await harbour.get<WebhookDelivery[]>('/tenant/me/webhook-deliveries')).body;

async function statusesOfDeliveries(): Promise<string[]> {
  const { rows } = await system.db.pool.query<{ status: string }>(
    'select distinct status from webhook_deliveries where tenant_id = $1 and finished_at is null',
    [harbour.id],
  );
  return rows.map(({ status }) => status);
}

test('messages to a suspended tenant wait with their senders, by name and by address, and arrive after a resume', async () => {
  const destination = evmAddress();
  await harbour.post('/wallets', { address: destination, asset: 'ETH', blockchain: 'Ethereum' });
  await act('suspend');
  const byName = await send({ vaspInfo: { beneficiaryVaspName: harbour.name } });
  const byAddress = await send({
    blockchainInfo: { destination, destinationType: 'CUSTODIAL', blockchain: 'Ethereum' },
  });
  for (const { id } of [byName, byAddress]) {
    const waiting = await becomes(id, 'PENDING', 'VASP_NOT_REACHABLE');
    expect(waiting.clearance).toMatchObject({ outcome: 'WAIT', nextAction: 'WAIT_FOR_COUNTERPARTY' });
  }
  const { rowCount } = await system.db.pool.query('select 1 from transactions where tenant_id = $1', [
    harbour.id,
  ]);
  expect(rowCount).toBe(0);
  expect((await act('resume')).status).toBe(200);
  for (const { id } of [byName, byAddress]) await becomes(id, 'DELIVERED', 'AWAITING_COUNTERPARTY');
});

test('an answer that the tenant gave before reaches the sender, and its own webhook waits for a resume', async () => {
  const sent = await send({ vaspInfo: { beneficiaryVaspName: harbour.name } });
  await becomes(sent.id, 'DELIVERED', 'AWAITING_COUNTERPARTY');
  await eventually(deliveries, (all) => all.length > 0 && all.every(({ status }) => status === 'DELIVERED'));
  const hits = hooks.seen.hits;
  await act('suspend');
  // The sender takes the message back: its receiver is told, later.
  expect((await alpine.patch(`/transactions/${sent.id}`, { status: 'CANCELLED' })).status).toBe(200);
  const outbox = async () =>
    (await system.db.pool.query('select 1 from outbox where tenant_id = $1', [harbour.id])).rowCount;
  await eventually(outbox, (left) => left === 0);
  await system.db.pool.query(
    `update webhook_deliveries set wake_at = now() - interval '1 hour' where tenant_id = $1 and status = 'PENDING'`,
    [harbour.id],
  );
  await system.sweep();
  expect(await outbox()).toBe(0);
  expect(await statusesOfDeliveries()).toEqual(['PENDING']);
  const { oldestUndelivered, rowsWithoutWorkflow } = await readFigures(system.db.pool);
  expect([oldestUndelivered, rowsWithoutWorkflow.webhook_delivery]).toEqual([[], 0]);
  expect(hooks.seen.hits).toBe(hits);

  await act('resume');
  await eventually(deliveries, (all) => all.every(({ status }) => status === 'DELIVERED'));
  expect(hooks.seen.hits).toBe(hits + 1);
});

test('what a tenant had sent before it was suspended still arrives', async () => {
  await act('resume');
  const destination = evmAddress();
  const sent = await harbour.post<Transaction>(
    '/transactions',
    createBody({ blockchainInfo: { destination, destinationType: 'CUSTODIAL', blockchain: 'Ethereum' } }),
  );
  await eventually(
    async () => (await harbour.get<Transaction>(`/transactions/${sent.body.id}`)).body,
    ({ subStatus }) => subStatus === 'VASP_NOT_FOUND',
  );
  await act('suspend');
  await alpine.post('/wallets', { address: destination, asset: 'ETH', blockchain: 'Ethereum' });
  const received = async () =>
    (await alpine.get<Transaction[]>(`/transactions?_direction=INCOMING&_destination=${destination}`)).body;
  await eventually(received, (all) => all.length === 1);
});
