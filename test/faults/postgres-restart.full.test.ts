import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { verifyEvents } from '../../db/events/verify-events.ts';
import type { Transaction } from '../../domain/transactions/schema.ts';
import type { Json } from '../api-client.ts';
import { eventually } from '../eventually.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { createBody, evmAddress, registerWallet } from '../factories/transaction.ts';
import { startTestSystem, type TestSystem } from '../system.ts';

// All database connections of api and worker end at once, as with a restart of PostgreSQL, while messages are under way.

const MESSAGES = 50;
const RESTARTS = 5;

let system: TestSystem;
let administrator: pg.Pool;
let sender: TestTenant;
let receiver: TestTenant;
/** How often each webhook has arrived. */
const received = new Map<string, number>();

const server = createServer((request, response) => {
  void receive(request).then(() => response.writeHead(204).end());
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const webhookUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  system = await startTestSystem({ config: { WEBHOOK_ALLOWED_HOSTS: ['127.0.0.1'], RATE_LIMIT_WRITES: 0 } });
  administrator = new pg.Pool({ connectionString: system.config.DATABASE_URL, max: 1 });
  sender = await createTenant(system, { webhookUrl });
  receiver = await createTenant(system, { webhookUrl });
});
afterAll(async () => {
  await administrator.end();
  await system.stop();
  server.closeAllConnections();
  server.close();
});

async function restart(): Promise<void> {
  await administrator.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  );
}

const confirming: Promise<unknown>[] = [];

/** The receiver confirms each message as soon as it is told of it. */
async function receive(request: IncomingMessage): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const event = String(request.headers['x-event-id']);
  received.set(event, (received.get(event) ?? 0) + 1);
  const { id, direction, status } = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, string>;
  if (direction === 'INCOMING' && status === 'DELIVERED') confirming.push(confirm(String(id)));
}

async function confirm(id: string): Promise<void> {
  await eventually(
    async () => (await receiver.patch(`/transactions/${id}`, { status: 'CONFIRMED' })).status,
    (status) => status === 200,
  );
}

/** Sends a message; repeats it as a client does after 503. */
async function send(destination: string, reference: string): Promise<void> {
  const body = createBody({
    reference,
    blockchainInfo: { destination, blockchain: 'Ethereum' },
    originator: { name: 'Anna Keller' },
    beneficiary: { name: 'Jonas Brandt' },
  });
  await eventually(
    async () => {
      // A key whose first request nobody answers is free a minute later; here that minute is over.
      await administrator.query(
        `update idempotency_keys set leased_until = now() where leased_until is not null`,
      );
      return await sender.post('/transactions', body, { headers: { 'Idempotency-Key': reference } });
    },
    ({ status }) => status === 201,
  );
}

const rowsOf = async (text: string) => (await administrator.query<Json>(text)).rows;
const confirmed = async () =>
  Number((await rowsOf(`select count(*)::int as n from transactions where status = 'CONFIRMED'`))[0]?.['n']);

test('no message is lost, doubled or told twice', async () => {
  const destination = evmAddress();
  await registerWallet(receiver, destination);
  const sending = Array.from({ length: MESSAGES }, async (_, index) => await send(destination, `m-${index}`));
  for (let restarts = 1; restarts <= RESTARTS; restarts += 1) {
    const before = (restarts * MESSAGES) / (RESTARTS + 1);
    await eventually(
      () => received.size,
      (count) => count >= before,
    );
    await restart();
  }
  await Promise.all(sending);
  await eventually(confirmed, (count) => count === 2 * MESSAGES);
  await Promise.all(confirming);
  await eventually(
    async () => (await rowsOf(`select status from webhook_deliveries where status <> 'DELIVERED'`)).length,
    (count) => count === 0,
  );
  const stories = await rowsOf(
    `select direction, events, count(*)::int as records from (
       select t.direction, (select string_agg(e.type, ' ' order by e.sequence) from events e where e.subject_id = t.id)
         as events from transactions t
     ) told group by 1, 2 order by 1, 2`,
  );
  expect(stories).toEqual([
    { direction: 'INCOMING', events: 'RECEIVED SCREENED STATUS_CHANGED', records: MESSAGES },
    { direction: 'OUTGOING', events: 'CREATED SCREENED DELIVERED STATUS_CHANGED', records: MESSAGES },
  ]);
  const deliveries = (await rowsOf('select id from webhook_deliveries')).map(({ id }) => String(id));
  expect([...received].toSorted()).toEqual(deliveries.toSorted().map((id) => [id, 1]));
  expect((await sender.get<Transaction[]>('/transactions')).headers.get('x-total-count')).toBe(
    String(MESSAGES),
  );
  await eventually(
    async () => (await rowsOf('select id from outbox')).length,
    (count) => count === 0,
  );
  expect(await verifyEvents(system.db)).toMatchObject({ faults: [] });
});
