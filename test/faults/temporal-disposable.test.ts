import { CounterpartyUnreachable, type Network } from '../../activities/network/network.ts';
import { readFigures } from '../../db/metrics/read-figures.ts';
import { verifyEvents } from '../../db/verify-events.ts';
import type { Transaction } from '../../domain/transactions/schema.ts';
import { pokeOverdue } from '../../worker/reconcile.ts';
import { eventually } from '../eventually.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { createTransaction, evmAddress, registerWallet } from '../factories/transaction.ts';
import { startTestSystem, type TestSystem } from '../system.ts';
import { ownTemporal, type OwnTemporal } from '../temporal.ts';
import { startReceiver, status, type Receiver } from '../workflows/webhook-system.ts';

const OPEN = { delivered: 200, unrouted: 150, unreachable: 50, accepted: 100 };
const ALL = 500;
const LIMIT_MS = 60_000;
const NEWCOMER = 'Newcomer of the Disposable Test';

let temporal: OwnTemporal;
let system: TestSystem;
let receiver: Receiver;
let alpine: TestTenant;
let harbour: TestTenant;
let destination: string;
let unreachable = true;
const unreachableDestination = evmAddress();

beforeAll(async () => {
  temporal = await ownTemporal();
  await temporal.start();
  receiver = await startReceiver(status(503));
  system = await startTestSystem({
    temporalAddress: temporal.address,
    config: { WEBHOOK_ALLOWED_HOSTS: ['127.0.0.1'] },
    wrapNetwork: (native): Network => ({
      deliver: async (record, ...rest) => {
        if (unreachable && record.destination === unreachableDestination) throw new CounterpartyUnreachable();
        return await native.deliver(record, ...rest);
      },
    }),
  });
  [alpine, harbour] = [await createTenant(system), await createTenant(system)];
  destination = evmAddress();
  await registerWallet(harbour, destination);
  await registerWallet(harbour, unreachableDestination);
  await alpine.patch('/tenant/me', { webhookUrl: receiver.url });
}, 60_000);
afterAll(async () => {
  await system.stop();
  await receiver.stop();
  await temporal.remove();
}, 60_000);

/** Runs `work` for each item, 16 at a time. */
async function forEach<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const queue = [...items];
  const next = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: 16 }, next));
}

async function send(count: number, body: Parameters<typeof createTransaction>[1]): Promise<void> {
  await forEach(
    Array.from({ length: count }, (_, index) => index),
    async () => await createTransaction(alpine, body),
  );
}

const count = async (sql: string) =>
  (await system.db.pool.query<{ count: number }>(`select count(*) as count from ${sql}`)).rows[0]?.count ?? 0;
const untilThereAre = async (wanted: number, sql: string) =>
  await eventually(
    async () => await count(sql),
    (there) => there === wanted,
    LIMIT_MS,
  );
const running = async (kind: string) =>
  (await system.client.workflow.count(`TrKind = '${kind}' and ExecutionStatus = 'Running'`)).count;

/** What a minute and more of waiting does, without the waiting. */
async function letTimePass(table: string): Promise<void> {
  await system.db.pool.query(
    `update ${table} set wake_at = now() - interval '2 minutes' where wake_at > now() and wake_at < now() + interval '1 hour'`,
  );
}

async function answerAll(tenant: TestTenant, wanted: number): Promise<void> {
  await untilThereAre(wanted, `transactions where tenant_id = '${tenant.id}' and direction = 'INCOMING'`);
  for (;;) {
    const { body } = await tenant.get<Transaction[]>('/transactions?_status=DELIVERED');
    if (body.length === 0) return;
    await forEach(body, async ({ id }) => await tenant.patch(`/transactions/${id}`, { status: 'DECLINED' }));
  }
}

test('with the whole database of Temporal deleted under 500 open transactions, all of them finish', async () => {
  await system.sweep();
  await send(OPEN.delivered, { blockchainInfo: { destination } });
  await send(OPEN.unrouted, { vaspInfo: { beneficiaryVaspName: NEWCOMER } });
  await send(OPEN.unreachable, { blockchainInfo: { destination: unreachableDestination } });
  await untilThereAre(OPEN.delivered, `transactions where direction = 'OUTGOING' and status = 'DELIVERED'`);
  await untilThereAre(OPEN.unrouted, `transactions where sub_status = 'VASP_NOT_FOUND'`);
  await untilThereAre(OPEN.unreachable, `transactions where sub_status = 'VASP_NOT_REACHABLE'`);
  await temporal.stop();
  await send(OPEN.accepted, { blockchainInfo: { destination } });
  expect(await count('transactions where deadline_at is not null')).toBe(ALL);

  temporal.forgetEverything();
  await temporal.start();
  await system.sweep();
  await eventually(
    () => running('transactionLifecycle'),
    (there) => there === ALL,
    LIMIT_MS,
  );
  const undelivered = `webhook_deliveries where status <> 'DELIVERED'`;
  expect(await running('webhookDelivery')).toBe(await count(undelivered));

  receiver.respond = status(200);
  unreachable = false;
  const newcomer = await createTenant(system, { name: NEWCOMER });
  await letTimePass('transactions');
  await letTimePass('webhook_deliveries');
  await system.sweep();
  await answerAll(harbour, OPEN.delivered + OPEN.unreachable + OPEN.accepted);
  await answerAll(newcomer, OPEN.unrouted);
  await untilThereAre(ALL, `transactions where direction = 'OUTGOING' and status = 'DECLINED'`);
  await untilThereAre(0, undelivered);
  await untilThereAre(0, 'outbox');
  await eventually(
    () => running('transactionLifecycle'),
    (there) => there === 0,
    LIMIT_MS,
  );
  expect(await pokeOverdue(system.db.pool)).toEqual({ transaction: 0, webhook_delivery: 0 });
  expect((await readFigures(system.db.pool)).oldestUndelivered).toEqual([]);
  expect((await verifyEvents(system.db.pool, undefined)).faults).toEqual([]);
}, 240_000);
