import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MockActivityEnvironment } from '@temporalio/testing';
import { deliveryActivities } from '../../../activities/webhooks/attempt-delivery.ts';
import { firstAttemptActivities, type FirstAttempt } from '../../../activities/webhooks/attempt-first.ts';
import { untilLeaseEnds, type DeliveryStep } from '../../../activities/webhooks/delivery-step.ts';
import { findOutgoingDelivery } from '../../../db/webhooks/outgoing-delivery.ts';
import { createOutgoingHttp } from '../../../outside/outgoing-http.ts';
import { createHandedOverRequests } from '../../../activities/webhooks/handed-over.ts';
import { createTroubledEndpoints } from '../../../activities/webhooks/troubled-endpoints.ts';
import type { OutboxEntry } from '../../../db/outbox.ts';
import type { WebhookDelivery } from '../../../domain/webhooks/schema.ts';
import { eventually } from '../../eventually.ts';
import { leasedTurns } from '../../factories/leased-turns.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { useApi } from '../../use-api.ts';

// The first attempt of a webhook within the workflow that caused it, against a real database and real receivers.

const { api } = useApi({ config: { WEBHOOK_ALLOWED_HOSTS: ['127.0.0.1'] } });
const servers: Server[] = [];
const https: { close: () => Promise<void> }[] = [];
const reported: unknown[] = [];

afterEach(async () => {
  for (const http of https.splice(0)) await http.close();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
  expect(reported).toEqual([]);
});

/** A receiver that answers when it is told to. */
async function startReceiver() {
  const open: ServerResponse[] = [];
  const receiver = { url: '', open, answer: (status: number) => open.shift()?.writeHead(status).end() };
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => open.push(response));
  });
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  return receiver;
}

/** For what must end before it is handed over: a loaded machine takes longer than the product's second. */
const PATIENT_MS = 60_000;
const HASTY = { handOverMs: 1_000 };

/** The webhook activities of one worker, with this number of places at each endpoint. */
function newWorker({ places = 8, handOverMs = PATIENT_MS } = {}) {
  const http = createOutgoingHttp({ environment: 'sandbox', allowedHosts: ['127.0.0.1'] });
  const turns = leasedTurns(api.db.pool, { maxInFlight: places });
  https.push(http, { close: async () => await Promise.resolve(turns.close()) });
  const started: OutboxEntry[] = [];
  const deps = {
    db: api.db,
    http,
    turns,
    troubled: createTroubledEndpoints(),
    handedOver: createHandedOverRequests(),
    handOverMs,
    now: () => new Date(),
    notifyWorkflows: (outbox: readonly OutboxEntry[]) => void started.push(...outbox),
    report: (_activity: string, error: unknown) => void reported.push(error),
  };
  const first = firstAttemptActivities(deps);
  const own = deliveryActivities(deps);
  const inActivity = async <T>(work: () => Promise<T>): Promise<T> =>
    (await new MockActivityEnvironment({ isLocal: false }).run(work)) as T;
  return {
    http,
    handedOver: deps.handedOver,
    /** Begins an attempt by the delivery's own workflow that can be cancelled. */
    cancellable: (id: string) => {
      const activity = new MockActivityEnvironment({ isLocal: true });
      const step = activity.run(async () => await own.attemptDelivery({ id })) as Promise<DeliveryStep>;
      return { step, cancel: () => activity.cancel() };
    },
    /** Deliveries whose own workflow was started or woken. */
    started: () => started.map(({ subjectId }) => subjectId),
    attemptFirst: async (webhook: Awaited<ReturnType<typeof newWebhook>>): Promise<FirstAttempt> =>
      await inActivity(async () => await first.attemptFirst(webhook)),
    attemptDelivery: async (id: string): Promise<DeliveryStep> =>
      await inActivity(async () => await own.attemptDelivery({ id })),
  };
}

async function newWebhook(tenant: TestTenant) {
  const { id } = (await tenant.post<WebhookDelivery>('/tenant/me/webhook/test')).body;
  const { rows } = await api.db.pool.query<{ id: number; summary: string }>(
    'select id, summary from outbox where subject_id = $1',
    [id],
  );
  const [entry] = rows;
  if (!entry) throw new Error('the webhook has no outbox entry');
  return { tenantId: tenant.id, id, outboxId: entry.id, summary: entry.summary };
}

const read = async (tenant: TestTenant, id: string) =>
  (await tenant.get<WebhookDelivery>(`/tenant/me/webhook-deliveries/${id}`)).body;

async function isQueued(outboxId: number): Promise<boolean> {
  const { rowCount } = await api.db.pool.query('select 1 from outbox where id = $1', [outboxId]);
  return rowCount === 1;
}

async function requestAt(receiver: { open: ServerResponse[] }, count = 1) {
  await eventually(
    () => receiver.open.length,
    (length) => length >= count,
  );
}

async function setUp(options = {}) {
  const receiver = await startReceiver();
  const tenant = await createTenant(api, { webhookUrl: receiver.url });
  return { receiver, tenant, worker: newWorker(options), webhook: await newWebhook(tenant) };
}

test('a receiver that answers at once gets its webhook, and no workflow of the delivery is started', async () => {
  const { receiver, tenant, worker, webhook } = await setUp();
  const first = worker.attemptFirst(webhook);
  await requestAt(receiver);
  receiver.answer(204);
  expect(await first).toBe('DELIVERED');
  expect(await read(tenant, webhook.id)).toMatchObject({ status: 'DELIVERED', attempts: 1 });
  expect(await isQueued(webhook.outboxId)).toBe(false);
  expect(worker.started()).toEqual([]);
});

test('after a failure the delivery has its own workflow, and so have the next ones until one arrives', async () => {
  const { receiver, tenant, worker, webhook } = await setUp();
  const first = worker.attemptFirst(webhook);
  await requestAt(receiver);
  receiver.answer(500);
  expect(await first).toBe('FAILED');
  expect(await read(tenant, webhook.id)).toMatchObject({
    status: 'FAILED',
    attempts: 1,
    lastError: 'HTTP_STATUS',
  });
  expect(worker.started()).toEqual([webhook.id]);
  expect(await isQueued(webhook.outboxId)).toBe(true);

  const next = await newWebhook(tenant);
  expect(await worker.attemptFirst(next)).toBe('NOT_ATTEMPTED');
  expect(worker.started()).toEqual([webhook.id, next.id]);
  const own = worker.attemptDelivery(next.id);
  await requestAt(receiver);
  receiver.answer(200);
  expect(await own).toMatchObject({ outcome: 'DELIVERED' });

  const last = worker.attemptFirst(await newWebhook(tenant));
  await requestAt(receiver);
  receiver.answer(200);
  expect(await last).toBe('DELIVERED');
});

test('an answer that takes longer is waited for under a lease: the event is sent once and its result is kept', async () => {
  const { receiver, tenant, worker, webhook } = await setUp(HASTY);
  const first = worker.attemptFirst(webhook);
  await requestAt(receiver);
  expect(await first).toBe('HANDED_OVER');
  expect(worker.started()).toEqual([webhook.id]);

  const other = newWorker();
  expect(await other.attemptDelivery(webhook.id)).toMatchObject({
    outcome: 'WAIT',
    waitingFor: 'RUNNING_ATTEMPT',
  });
  expect(receiver.open).toHaveLength(1);
  // A worker that stops waits for the answer and its result.
  const ended = worker.handedOver.ended();
  expect(await Promise.race([ended, new Promise((resolve) => setImmediate(resolve, 'RUNNING'))])).toBe(
    'RUNNING',
  );
  receiver.answer(200);
  await ended;
  expect(await read(tenant, webhook.id)).toMatchObject({ status: 'DELIVERED', attempts: 1 });
  await eventually(
    () => worker.started(),
    (started) => started.length === 2,
  );
  expect(await read(tenant, webhook.id)).toMatchObject({ status: 'DELIVERED', attempts: 1 });
  expect(await other.attemptDelivery(webhook.id)).toMatchObject({ outcome: 'DONE', status: 'DELIVERED' });
  expect(await isQueued(webhook.outboxId)).toBe(false);
});

test('of many workers that attempt one webhook at the same time, one sends it', async () => {
  const { receiver, webhook } = await setUp();
  const workers = Array.from({ length: 6 }, () => newWorker());
  const attempts = workers.map(async (worker, index) =>
    index % 2 === 0 ? await worker.attemptFirst(webhook) : await worker.attemptDelivery(webhook.id),
  );
  await requestAt(receiver);
  const others = workers.length - 1;
  let ended = 0;
  for (const attempt of attempts) void attempt.then(() => (ended += 1));
  await eventually(
    () => ended,
    (count) => count >= others,
  );
  expect(receiver.open).toHaveLength(1);
  receiver.answer(200);
  await Promise.all(attempts);
});

test('the attempt of a worker that died is made again when its lease is over', async () => {
  const { receiver, tenant, worker, webhook } = await setUp();
  await api.db.pool.query(
    `update webhook_deliveries set leased_until = now() + interval '1 hour' where id = $1`,
    [webhook.id],
  );
  expect(await worker.attemptDelivery(webhook.id)).toMatchObject({ outcome: 'WAIT' });
  expect(await worker.attemptFirst(webhook)).toBe('NOT_ATTEMPTED');
  // A minute ago: a machine that sets its clock back by a little must not bring the lease back.
  await api.db.pool.query(
    `update webhook_deliveries set leased_until = now() - interval '1 minute' where id = $1`,
    [webhook.id],
  );
  const again = worker.attemptDelivery(webhook.id);
  await Promise.race([requestAt(receiver), again]);
  receiver.answer(200);
  expect(await again).toMatchObject({ outcome: 'DELIVERED' });
  expect(await read(tenant, webhook.id)).toMatchObject({ status: 'DELIVERED', attempts: 1 });
});

test('a delivery whose attempt somebody else makes is not given up meanwhile, and looked at a second later at the soonest', async () => {
  const { tenant, worker, webhook } = await setUp();
  const lease = async (seconds: number) =>
    await api.db.pool.query(
      'update webhook_deliveries set leased_until = now() + make_interval(secs => $2) where id = $1',
      [webhook.id, seconds],
    );
  await api.db.pool.query(`update tenants set webhook_status = 'DISABLED' where id = $1`, [tenant.id]);
  await lease(30);
  const step = await worker.attemptDelivery(webhook.id);
  expect(step).toMatchObject({ outcome: 'WAIT', waitingFor: 'RUNNING_ATTEMPT' });
  const now = new Date();
  const delivery = await findOutgoingDelivery(api.db.pool, webhook.id);
  // A lease that is over by the clock of this worker, and not yet by that of the database.
  expect(delivery && untilLeaseEnds({ ...delivery, leasedUntil: now }, now)).toMatchObject({ waitMs: 1_000 });
  expect((await read(tenant, webhook.id)).status).toBe('PENDING');
  await lease(-1);
  expect(await worker.attemptDelivery(webhook.id)).toMatchObject({ outcome: 'GAVE_UP' });
});

test('a request that the end of its worker cuts is no attempt, and the next worker makes it at once', async () => {
  const { receiver, tenant, worker, webhook } = await setUp();
  const first = worker.attemptFirst(webhook);
  await requestAt(receiver);
  await worker.http.close();
  expect(await first).toBe('NOT_ATTEMPTED');
  expect(await read(tenant, webhook.id)).toMatchObject({ status: 'PENDING', attempts: 0 });
  expect(await isQueued(webhook.outboxId)).toBe(true);
  receiver.open.length = 0;

  const own = newWorker().attemptDelivery(webhook.id);
  await requestAt(receiver);
  receiver.answer(200);
  expect(await own).toMatchObject({ outcome: 'DELIVERED' });
});

test('a cancelled attempt keeps its place at the endpoint until its request has ended', async () => {
  const { receiver, tenant, webhook } = await setUp();
  const worker = newWorker({ places: 1 });
  const next = await newWebhook(tenant);
  const { step, cancel } = worker.cancellable(webhook.id);
  await requestAt(receiver);
  cancel();
  expect(await step).toMatchObject({ outcome: 'HAND_OVER' });
  expect(await worker.attemptDelivery(next.id)).toMatchObject({
    outcome: 'WAIT',
    waitingFor: 'ENDPOINT_TURN',
  });
  expect(receiver.open).toHaveLength(1);

  receiver.answer(200);
  const answered = requestAt(receiver).then(() => receiver.answer(200));
  await eventually(
    async () => {
      await api.db.pool.query('update webhook_deliveries set wake_at = null where id = $1', [next.id]);
      return await worker.attemptDelivery(next.id);
    },
    ({ outcome }) => outcome === 'DELIVERED',
  );
  await answered;
});

test('a webhook that may not be sent any more is given up', async () => {
  const { tenant, worker, webhook } = await setUp();
  await api.db.pool.query(`update tenants set webhook_status = 'DISABLED' where id = $1`, [tenant.id]);
  expect(await worker.attemptFirst(webhook)).toBe('NOT_ATTEMPTED');
  expect(await read(tenant, webhook.id)).toMatchObject({ status: 'GAVE_UP', lastError: 'ENDPOINT_DISABLED' });
});

test('endpoints that hang take no more than their share of first attempts', async () => {
  const worker = newWorker(HASTY);
  const hanging = await Promise.all(
    Array.from({ length: 30 }, async () => {
      const receiver = await startReceiver();
      return { receiver, webhook: await newWebhook(await createTenant(api, { webhookUrl: receiver.url })) };
    }),
  );
  const outcomes = await Promise.all(hanging.map(async ({ webhook }) => await worker.attemptFirst(webhook)));
  expect(new Set(outcomes)).toEqual(new Set(['HANDED_OVER', 'NOT_ATTEMPTED']));
  expect(outcomes.filter((outcome) => outcome === 'HANDED_OVER')).toHaveLength(20);
  // What was handed over may arrive later.
  const again = await eventually(
    () => hanging.filter(({ receiver }) => receiver.open.length > 0),
    (reached) => reached.length >= 20,
  );
  expect(again).toHaveLength(20);
  // They are known now: nothing waits for them a second time.
  const known = await Promise.all(again.map(async ({ webhook }) => await worker.attemptFirst(webhook)));
  expect(new Set(known)).toEqual(new Set(['NOT_ATTEMPTED']));
  for (const { receiver } of again) receiver.answer(200);
  await eventually(
    () => worker.started().length,
    (count) => count >= hanging.length + 2 * again.length,
  );
});
