import { CounterpartyUnreachable, type MessageNetwork } from '../../activities/network/network.ts';
import { readFigures } from '../../db/metrics/read-figures.ts';
import { verifyEvents } from '../../db/events/verify-events.ts';
import type { Transaction } from '../../domain/transactions/schema.ts';
import { queueOverdue } from '../../worker/reconcile.ts';
import { startTestApi } from '../api-client.ts';
import { eventually } from '../eventually.ts';
import { clientOf, createTenant, type TestTenant } from '../factories/tenant.ts';
import { createTransaction, evmAddress } from '../factories/transaction.ts';
import { startTestSystem, type TestSystem } from '../system.ts';
import { ownTemporal, type OwnTemporal } from '../temporal.ts';
import { startReceiver, status, type Receiver } from '../workflows/webhook-system.ts';

const OPEN = {
  delivered: 150,
  /** Delivered too, and the webhook about it has not arrived. */
  notified: 50,
  unrouted: 150,
  unreachable: 50,
  /** Accepted while Temporal was away. */
  accepted: 100,
};
const ALL = 500;
const LIMIT_MS = 60_000;
const NEWCOMER = 'Newcomer';
const OUT_OF_REACH = evmAddress();

let temporal: OwnTemporal;
let system: TestSystem;
let receiver: Receiver;
let alpine: TestTenant;
let harbour: TestTenant;
let unreachable = true;

beforeAll(async () => {
  temporal = await ownTemporal();
  await temporal.start();
  receiver = await startReceiver(status(503));
  system = await startTestSystem({
    temporalAddress: temporal.address,
    config: { WEBHOOK_ALLOWED_HOSTS: ['127.0.0.1'] },
    wrapNetwork: (native): MessageNetwork => ({
      deliver: async (message) => {
        if (unreachable && message.record.destination === OUT_OF_REACH) throw new CounterpartyUnreachable();
        return await native.deliver(message);
      },
    }),
  });
  [alpine, harbour] = [await createTenant(system), await createTenant(system)];
});
afterAll(async () => {
  await system.stop();
  await receiver.stop();
  await temporal.remove();
});

/** Runs `work` for each item, 16 at a time. */
async function forEach<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const queue = [...items];
  const next = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: 16 }, next));
}

async function send(count: number, receiverName: string, blockchainInfo = {}): Promise<void> {
  const body = { vaspInfo: { beneficiaryVaspName: receiverName }, blockchainInfo };
  await forEach(
    Array.from({ length: count }, (_, index) => index),
    async () => await createTransaction(alpine, body),
  );
}

const countRows = async (from: string) =>
  (await system.db.pool.query<{ count: number }>(`select count(*) as count from ${from}`)).rows[0]?.count;
const untilThereAre = async (wanted: number, from: string) =>
  await eventually(
    async () => await countRows(from),
    (there) => there === wanted,
    LIMIT_MS,
  );
const untilRunning = async (kind: string, wanted: number | undefined) =>
  await eventually(
    async () =>
      (await system.client.workflow.count(`TrKind = '${kind}' and ExecutionStatus = 'Running'`)).count,
    (there) => there === wanted,
    LIMIT_MS,
  );

const isUndelivered = `webhook_deliveries where status <> 'DELIVERED'`;
const isDelivered = `transactions where direction = 'OUTGOING' and status = 'DELIVERED'`;

async function openAll(): Promise<void> {
  await send(OPEN.delivered, harbour.name);
  await send(OPEN.unrouted, NEWCOMER);
  await send(OPEN.unreachable, harbour.name, { destination: OUT_OF_REACH });
  await untilThereAre(OPEN.delivered, isDelivered);
  await harbour.patch('/tenant/me', { webhookUrl: receiver.url });
  await send(OPEN.notified, harbour.name);
  await untilThereAre(OPEN.delivered + OPEN.notified, isDelivered);
  await untilThereAre(OPEN.unrouted, `transactions where sub_status = 'VASP_NOT_FOUND'`);
  await untilThereAre(OPEN.unreachable, `transactions where sub_status = 'VASP_NOT_REACHABLE'`);
}

/** The worker repeats it after 5 s: a server that was set up anew does not know its own namespace at once. */
async function sweepUntilSetUp(): Promise<void> {
  const tryOnce = async () => await system.sweep().then(() => 'set up', String);
  await eventually(tryOnce, (outcome) => outcome === 'set up', LIMIT_MS);
}

/** What some minutes do, without the wait for them: deadlines that are not far off are over. */
async function letTimePass(): Promise<void> {
  for (const table of ['transactions', 'webhook_deliveries']) {
    await system.db.pool.query(
      `update ${table} set wake_at = now() - interval '2 minutes' where wake_at < now() + interval '1 hour'`,
    );
  }
}

/** Declines all that arrives until `wanted` have. */
async function answerAll(tenant: TestTenant, wanted: number): Promise<void> {
  await untilThereAre(wanted, `transactions where tenant_id = '${tenant.id}' and direction = 'INCOMING'`);
  for (;;) {
    const { body } = await tenant.get<Transaction[]>('/transactions?_status=DELIVERED');
    if (body.length === 0) return;
    await forEach(body, async ({ id }) => await tenant.patch(`/transactions/${id}`, { status: 'DECLINED' }));
  }
}

describe('with the whole database of Temporal deleted under open transactions', () => {
  test('every unfinished row has its workflow again, also those that were accepted meanwhile', async () => {
    await system.sweep();
    await openAll();
    await temporal.stop();
    await send(OPEN.accepted, harbour.name);
    expect(await countRows('transactions where wake_at is not null')).toBe(ALL);
    expect(await countRows(isUndelivered)).toBe(OPEN.notified);

    temporal.forgetEverything();
    await temporal.start();
    await sweepUntilSetUp();
    await untilRunning('transactionLifecycle', ALL);
    await untilThereAre(OPEN.delivered + OPEN.notified + OPEN.accepted, isDelivered);
    await untilRunning('webhookDelivery', OPEN.notified + OPEN.accepted);
  });

  test('all of them finish, and nothing is left behind', async () => {
    receiver.respond = status(200);
    unreachable = false;
    const newcomer = await createTenant(system, { name: NEWCOMER });
    await letTimePass();
    await system.sweep();
    await answerAll(harbour, OPEN.delivered + OPEN.notified + OPEN.unreachable + OPEN.accepted);
    await answerAll(newcomer, OPEN.unrouted);
    await untilThereAre(ALL, `transactions where direction = 'OUTGOING' and status = 'DECLINED'`);
    await untilThereAre(0, isUndelivered);
    await untilThereAre(0, 'outbox');
    await untilRunning('transactionLifecycle', 0);
    await untilRunning('webhookDelivery', 0);
    expect(await queueOverdue(system.db.pool)).toMatchObject({ transaction: 0, webhook_delivery: 0 });
    expect(await readFigures(system.db.pool)).toMatchObject({ oldestUndelivered: [], outbox: { rows: 0 } });
    expect((await verifyEvents(system.db)).faults).toEqual([]);
  });
});

test('a row whose outbox entry was lost comes back by itself when it is overdue by a minute', async () => {
  // An api that was killed before it told anybody, and whose outbox row was told to a server that then lost it.
  const killed = await startTestApi({ url: system.config.DATABASE_URL }, { config: system.config });
  const { id } = await createTransaction(clientOf(killed, alpine.apiKey), {
    vaspInfo: { beneficiaryVaspName: harbour.name },
  });
  await system.db.pool.query('delete from outbox where subject_id = $1', [id]);
  await killed.stop();
  const place = `transactions where id = '${id}'`;

  await system.sweep();
  expect(await countRows(`outbox where subject_id = '${id}'`)).toBe(0);
  expect(await countRows(`${place} and sub_status = 'ROUTING'`)).toBe(1);
  await letTimePass();
  await system.sweep();
  await untilThereAre(1, `${place} and status = 'DELIVERED'`);
});
