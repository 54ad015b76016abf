import { CounterpartyUnreachable, type Network } from '../../activities/network/network.ts';
import { readFigures } from '../../db/metrics/read-figures.ts';
import { verifyEvents } from '../../db/verify-events.ts';
import type { Transaction } from '../../domain/transactions/schema.ts';
import { pokeOverdue } from '../../worker/reconcile.ts';
import { eventually } from '../eventually.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { createTransaction, evmAddress } from '../factories/transaction.ts';
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
  await harbour.patch('/tenant/me', { webhookUrl: receiver.url });
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

/** As the worker does it: a server that was set up anew does not know its own namespace at once. */
async function sweepUntilSetUp(): Promise<void> {
  const tryOnce = async () => await system.sweep().then(() => 'set up', String);
  await eventually(tryOnce, (outcome) => outcome === 'set up', LIMIT_MS);
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
  const toHarbour = { vaspInfo: { beneficiaryVaspName: harbour.name } };
  process.stderr.write('T ' + Math.round(performance.now()) + ' const toHarbour = { vaspInfo: { beneficiaryVaspName: harbour' + '\n');
  await system.sweep();
  process.stderr.write('T ' + Math.round(performance.now()) + ' await system.sweep();' + '\n');
  await send(OPEN.delivered, toHarbour);
  process.stderr.write('T ' + Math.round(performance.now()) + ' await send(OPEN.delivered, toHarbour);' + '\n');
  await send(OPEN.unrouted, { vaspInfo: { beneficiaryVaspName: NEWCOMER } });
  process.stderr.write('T ' + Math.round(performance.now()) + ' await send(OPEN.unrouted, { vaspInfo: { beneficiaryVaspName:' + '\n');
  await send(OPEN.unreachable, { ...toHarbour, blockchainInfo: { destination: unreachableDestination } });
  process.stderr.write('T ' + Math.round(performance.now()) + ' await send(OPEN.unreachable, { ...toHarbour, blockchainInfo:' + '\n');
  await untilThereAre(OPEN.delivered, `transactions where direction = 'OUTGOING' and status = 'DELIVERED'`);
  process.stderr.write('T ' + Math.round(performance.now()) + ' await untilThereAre(OPEN.delivered, `transactions where dire' + '\n');
  await untilThereAre(OPEN.unrouted, `transactions where sub_status = 'VASP_NOT_FOUND'`);
  process.stderr.write('T ' + Math.round(performance.now()) + ' await untilThereAre(OPEN.unrouted, `transactions where sub_s' + '\n');
  await untilThereAre(OPEN.unreachable, `transactions where sub_status = 'VASP_NOT_REACHABLE'`);
  process.stderr.write('T ' + Math.round(performance.now()) + ' await untilThereAre(OPEN.unreachable, `transactions where su' + '\n');
  await temporal.stop();
  process.stderr.write('T ' + Math.round(performance.now()) + ' await temporal.stop();' + '\n');
  await send(OPEN.accepted, toHarbour);
  process.stderr.write('T ' + Math.round(performance.now()) + ' await send(OPEN.accepted, toHarbour);' + '\n');
  expect(await count('transactions where deadline_at is not null')).toBe(ALL);
  process.stderr.write('T ' + Math.round(performance.now()) + " expect(await count('transactions where deadline_at is not nu" + '\n');

  temporal.forgetEverything();
  process.stderr.write('T ' + Math.round(performance.now()) + ' temporal.forgetEverything();' + '\n');
  await temporal.start();
  process.stderr.write('T ' + Math.round(performance.now()) + ' await temporal.start();' + '\n');
  await sweepUntilSetUp();
  process.stderr.write('T ' + Math.round(performance.now()) + ' await sweepUntilSetUp();' + '\n');
  await eventually(
    () => running('transactionLifecycle'),
    (there) => there === ALL,
    LIMIT_MS,
  );
  process.stderr.write('T ' + Math.round(performance.now()) + ' );' + '\n');
  const undelivered = `webhook_deliveries where status <> 'DELIVERED'`;
  process.stderr.write('T ' + Math.round(performance.now()) + " const undelivered = `webhook_deliveries where status <> 'DEL" + '\n');
  await eventually(
    async () => (await running('webhookDelivery')) - (await count(undelivered)),
    (difference) => difference === 0,
    LIMIT_MS,
  );
  process.stderr.write('T ' + Math.round(performance.now()) + ' );' + '\n');

  receiver.respond = status(200);
  process.stderr.write('T ' + Math.round(performance.now()) + ' receiver.respond = status(200);' + '\n');
  unreachable = false;
  process.stderr.write('T ' + Math.round(performance.now()) + ' unreachable = false;' + '\n');
  const newcomer = await createTenant(system, { name: NEWCOMER });
  process.stderr.write('T ' + Math.round(performance.now()) + ' const newcomer = await createTenant(system, { name: NEWCOMER' + '\n');
  await letTimePass('transactions');
  process.stderr.write('T ' + Math.round(performance.now()) + " await letTimePass('transactions');" + '\n');
  await letTimePass('webhook_deliveries');
  process.stderr.write('T ' + Math.round(performance.now()) + " await letTimePass('webhook_deliveries');" + '\n');
  await system.sweep();
  process.stderr.write('T ' + Math.round(performance.now()) + ' await system.sweep();' + '\n');
  await answerAll(harbour, OPEN.delivered + OPEN.unreachable + OPEN.accepted);
  process.stderr.write('T ' + Math.round(performance.now()) + ' await answerAll(harbour, OPEN.delivered + OPEN.unreachable +' + '\n');
  await answerAll(newcomer, OPEN.unrouted);
  process.stderr.write('T ' + Math.round(performance.now()) + ' await answerAll(newcomer, OPEN.unrouted);' + '\n');
  await untilThereAre(ALL, `transactions where direction = 'OUTGOING' and status = 'DECLINED'`);
  process.stderr.write('T ' + Math.round(performance.now()) + " await untilThereAre(ALL, `transactions where direction = 'OU" + '\n');
  await untilThereAre(0, undelivered);
  process.stderr.write('T ' + Math.round(performance.now()) + ' await untilThereAre(0, undelivered);' + '\n');
  await untilThereAre(0, 'outbox');
  process.stderr.write('T ' + Math.round(performance.now()) + " await untilThereAre(0, 'outbox');" + '\n');
  await eventually(
    () => running('transactionLifecycle'),
    (there) => there === 0,
    LIMIT_MS,
  );
  process.stderr.write('T ' + Math.round(performance.now()) + ' );' + '\n');
  expect(await pokeOverdue(system.db.pool)).toEqual({ transaction: 0, webhook_delivery: 0 });
  process.stderr.write('T ' + Math.round(performance.now()) + ' expect(await pokeOverdue(system.db.pool)).toEqual({ transact' + '\n');
  expect((await readFigures(system.db.pool)).oldestUndelivered).toEqual([]);
  process.stderr.write('T ' + Math.round(performance.now()) + ' expect((await readFigures(system.db.pool)).oldestUndelivered' + '\n');
  expect((await verifyEvents(system.db.pool, undefined)).faults).toEqual([]);
  process.stderr.write('T ' + Math.round(performance.now()) + ' expect((await verifyEvents(system.db.pool, undefined)).fault' + '\n');
}, 240_000);
