import type { Transaction } from '../../domain/transactions/schema.ts';
import type { WebhookDelivery } from '../../domain/webhooks/schema.ts';
import { workflowId } from '../../workflows/contract.ts';
import { eventually } from '../eventually.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { createTransaction } from '../factories/transaction.ts';
import { startTestSystem, type TestSystem } from '../system.ts';
import { deliveryWith, sendTest, startReceiver, status, type Receiver } from '../workflows/webhook-system.ts';
import { DAY_MS, HOUR_MS } from '../../domain/durations.ts';

// The queries that the documentation gives to operators.
const STUCK_DELIVERIES = 'TrStuck = true AND ExecutionStatus = "Running"';
const transactionsPastDeadline = (now: Date) =>
  `TrKind = "transactionLifecycle" AND TrDeadline < "${now.toISOString()}" AND ExecutionStatus = "Running"`;

let system: TestSystem;
let receiver: Receiver;
let tenant: TestTenant;
/** From which failed attempt on the waits are of an hour. */
let slowFrom = 6;

beforeAll(async () => {
  receiver = await startReceiver(status(503));
  system = await startTestSystem({
    config: { WEBHOOK_ALLOWED_HOSTS: ['127.0.0.1'] },
    activities: { nextDelayMs: (failures) => (failures < slowFrom ? 5 : HOUR_MS) },
  });
  tenant = await createTenant(system);
});
afterAll(async () => {
  await system.stop();
  await receiver.stop();
});

async function find(query: string): Promise<string[]> {
  const found: string[] = [];
  for await (const run of system.client.workflow.list({ query })) found.push(run.workflowId);
  return found.toSorted();
}

const untilFound = async (query: string, ids: string[]) =>
  await eventually(
    async () => await find(query),
    (found) => JSON.stringify(found) === JSON.stringify(ids.toSorted()),
  );

test('one query finds all stuck deliveries and nothing else, and a signal wakes one', async () => {
  await tenant.patch('/tenant/me', { webhookUrl: receiver.url });
  const stuck: WebhookDelivery[] = [];
  for (let sent = 0; sent < 3; sent += 1) stuck.push(await sendTest(tenant));
  for (const { id } of stuck) await deliveryWith(tenant, id, (delivery) => delivery.attempts === 6);
  slowFrom = 1;
  const failedOnce = await sendTest(tenant);
  await deliveryWith(tenant, failedOnce.id, (delivery) => delivery.status === 'FAILED');
  receiver.respond = status(200);
  const delivered = await sendTest(tenant);
  await deliveryWith(tenant, delivered.id, (delivery) => delivery.status === 'DELIVERED');

  const ids = stuck.map(({ id }) => workflowId('webhookDelivery', id));
  await untilFound(STUCK_DELIVERIES, ids);
  const [woken = '', ...others] = ids;
  await system.client.workflow.getHandle(woken).signal('wake');
  await deliveryWith(tenant, stuck[0]?.id ?? '', (delivery) => delivery.status === 'DELIVERED');
  await untilFound(STUCK_DELIVERIES, others);
});

test('one query finds all transactions past their deadline and nothing else, and a signal wakes one', async () => {
  const harbour = await createTenant(system);
  const send = async (name: string) =>
    await createTransaction(tenant, { vaspInfo: { beneficiaryVaspName: name } });
  const late = [await send(harbour.name), await send('Nobody'), await send(harbour.name)];
  const inTime = [await send(harbour.name), await send('Nobody')];
  const idOf = (id: string) => workflowId('transactionLifecycle', id);
  const everything = [...late, ...inTime].map(({ id }) => idOf(id));
  await untilFound(transactionsPastDeadline(new Date(Date.now() + 91 * DAY_MS)), everything);
  await system.db.pool.query('update transactions set deadline_at = $2 where id = any($1)', [
    late.map(({ id }) => id),
    new Date(Date.now() + DAY_MS),
  ]);
  for (const { id } of late) await system.wake('transactionLifecycle', id);

  // What an operator sees two days later, when no worker has noticed.
  const now = new Date(Date.now() + 2 * DAY_MS);
  const [woken = '', ...others] = late.map(({ id }) => idOf(id));
  await untilFound(transactionsPastDeadline(now), [woken, ...others]);
  // Only this one is really late: a clock set forward would end the others too at their next look.
  await system.db.pool.query('update transactions set deadline_at = $2 where id = $1', [
    late[0]?.id,
    new Date(Date.now() - 1),
  ]);
  await system.client.workflow.getHandle(woken).signal('rowChanged');
  await eventually(
    async () => (await tenant.get<Transaction>(`/transactions/${late[0]?.id}`)).body.subStatus,
    (subStatus) => subStatus === 'EXPIRED',
  );
  await untilFound(transactionsPastDeadline(now), others);
});
