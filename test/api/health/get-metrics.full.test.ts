import { join } from 'node:path';
import { readFile } from 'node:fs/promises';
import { Registry } from 'prom-client';
import { projectRoot } from '../../../standalone/project-root.ts';
import { UNFINISHED_KINDS } from '../../../db/reconcile/unfinished-rows.ts';
import { registerDatabaseMetrics } from '../../../process/database-metrics.ts';
import { inTransaction } from '../../../db/postgres.ts';
import { giveUpDelivery } from '../../../db/webhooks/give-up-delivery.ts';
import { findOutgoingDelivery } from '../../../db/webhooks/outgoing-delivery.ts';
import { recordAttempt } from '../../../db/webhooks/record-attempt.ts';
import type { WebhookDelivery } from '../../../domain/webhooks/schema.ts';
import { startMetricsServer } from '../../../process/metrics-server.ts';
import { startTestApi, type TestApi } from '../../api-client.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { eventually } from '../../eventually.ts';
import { createTenant, WEBHOOK_URL, type TestTenant } from '../../factories/tenant.ts';
import { createTransaction } from '../../factories/transaction.ts';

// A new deployment for each test: the figures are those of all tenants.
let database: TestDatabase;
let api: TestApi;
beforeEach(async () => {
  database = await testDatabase();
  api = await startTestApi(database);
});
afterEach(async () => {
  await api.stop();
  await database.drop();
});

const scrape = async (path = '/metrics') => await (await fetch(api.url + path)).text();
/** A fresh look at the database, whenever the one before was. */
async function look(): Promise<string> {
  const registry = new Registry();
  registerDatabaseMetrics(registry, api.db.pool);
  return await registry.metrics();
}
/** The samples of a metric as `labels: value`. */
function samplesOf(text: string, name: string): Record<string, number> {
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(name.length, at), Number(line.slice(at + 1))];
    }),
  );
}
const sql = async (text: string, values: unknown[] = []) => await database.pool.query(text, values);

async function withEndpoint(): Promise<TestTenant> {
  return await createTenant(api, { webhookUrl: WEBHOOK_URL });
}
const sendTest = async (tenant: TestTenant) =>
  (await tenant.post<WebhookDelivery>('/tenant/me/webhook/test')).body.id;

const NAMES = [
  'waybill_database_pool_waiting',
  'waybill_database_up',
  'waybill_guarded_rule_configurations',
  'waybill_oldest_undelivered_webhook_seconds',
  'waybill_outbox_lag_seconds',
  'waybill_outbox_rows',
  'waybill_rows_without_workflow',
  'waybill_sanctions_index_behind_seconds',
  'waybill_sanctions_list_age_seconds',
  'waybill_sanctions_list_entries',
  'waybill_sanctions_updates_rejected_total',
  'waybill_unsent_mails',
  'waybill_webhook_deliveries_total',
  'http_request_duration_seconds',
];

test.each(NAMES)('%s is told with what it means', async (name) => {
  expect(await scrape()).toMatch(new RegExp(`^# HELP ${name} \\S+ .*\\.$`, 'm'));
});

test('every figure of the product has its line in the documentation', async () => {
  const text = await readFile(join(projectRoot, 'docs', 'operating.md'), 'utf8');
  const alerts = text.slice(text.indexOf('## Alerts'));
  for (const name of NAMES) expect(alerts).toContain(`| \`${name}`);
  const told = [...(await scrape()).matchAll(/^# HELP (waybill_\S+)/gm)].map(([, name]) => name);
  expect(told.toSorted()).toEqual(NAMES.slice(0, -1));
});

test('an idle deployment has nothing to alert on', async () => {
  const text = await scrape();
  expect(samplesOf(text, 'waybill_oldest_undelivered_webhook_seconds')).toEqual({});
  expect(samplesOf(text, 'waybill_outbox_lag_seconds')).toEqual({ '': 0 });
  expect(samplesOf(text, 'waybill_outbox_rows')).toEqual({ '': 0 });
  expect(samplesOf(text, 'waybill_rows_without_workflow')).toEqual(
    Object.fromEntries(UNFINISHED_KINDS.map((kind) => [`{kind="${kind}"}`, 0])),
  );
  expect(samplesOf(text, 'waybill_database_up')).toEqual({ '': 1 });
});

test('the oldest undelivered webhook is told for each tenant that has one', async () => {
  const [failing, fresh, delivered] = [await withEndpoint(), await withEndpoint(), await withEndpoint()];
  const [older, newer] = [await sendTest(failing), await sendTest(failing)];
  await sendTest(fresh);
  const done = await sendTest(delivered);
  const age = async (id: string, interval: string) =>
    await sql('update webhook_deliveries set created_at = now() - $2::interval where id = $1', [
      id,
      interval,
    ]);
  await age(older, '2 hours');
  await age(newer, '1 hour');
  await age(done, '3 hours');
  await sql(`update webhook_deliveries set status = 'FAILED' where id = $1`, [older]);
  await sql(`update webhook_deliveries set status = 'DELIVERED' where id = $1`, [done]);
  const ages = samplesOf(await look(), 'waybill_oldest_undelivered_webhook_seconds');
  expect(Object.keys(ages).toSorted()).toEqual(
    [`{tenant="${failing.id}"}`, `{tenant="${fresh.id}"}`].toSorted(),
  );
  expect(Math.round((ages[`{tenant="${failing.id}"}`] ?? 0) / 60)).toBe(120);
  expect(ages[`{tenant="${fresh.id}"}`]).toBeLessThan(60);
});

test('the lag of the outbox is the age of its oldest row, however often the relay has tried it', async () => {
  const tenant = await createTenant(api);
  await createTransaction(tenant);
  await createTransaction(tenant);
  await sql(`update outbox set created_at = now() - interval '10 minutes'
             where id = (select min(id) from outbox)`);
  await sql(`update outbox set due_at = now() + interval '30 seconds'`);
  const text = await look();
  expect(samplesOf(text, 'waybill_outbox_rows')).toEqual({ '': 2 });
  expect(Math.round((samplesOf(text, 'waybill_outbox_lag_seconds')[''] ?? 0) / 60)).toBe(10);
});

test('a redelivery whose turn has not come is no lag', async () => {
  const tenant = await createTenant(api);
  await createTransaction(tenant);
  await sql(`update outbox set due_at = now() + interval '2 hours', created_at = now() + interval '2 hours'`);
  expect(samplesOf(await look(), 'waybill_outbox_rows')).toEqual({ '': 0 });
  expect(samplesOf(await look(), 'waybill_outbox_lag_seconds')).toEqual({ '': 0 });
});

test('rows that are overdue by more than a minute are counted by kind', async () => {
  const tenant = await withEndpoint();
  for (const age of ['59 seconds', '61 seconds', '1 day']) {
    const { id } = await createTransaction(tenant);
    await sql('update transactions set wake_at = now() - $2::interval where id = $1', [id, age]);
  }
  await sendTest(tenant);
  await sql(`update webhook_deliveries set wake_at = now() - interval '2 minutes'`);
  const counts = samplesOf(await look(), 'waybill_rows_without_workflow');
  expect(counts['{kind="transaction"}']).toBe(2);
  expect(counts['{kind="webhook_delivery"}']).toBeGreaterThan(0);
});

describe('what became of webhooks', () => {
  const now = new Date();
  const result = { startedAt: now, endedAt: now, durationMs: 1, statusCode: 200, error: null, retryAt: null };
  const failed = { ...result, statusCode: 500, error: 'HTTP_STATUS' };

  async function outgoing(tenant: TestTenant) {
    const delivery = await findOutgoingDelivery(api.db.pool, await sendTest(tenant));
    if (!delivery) throw new Error('there is no such delivery');
    return delivery;
  }

  test('is counted in the database, each attempt and each end once', async () => {
    const tenant = await withEndpoint();
    const [one, two, three] = [await outgoing(tenant), await outgoing(tenant), await outgoing(tenant)];
    const { pool } = api.db;
    await recordAttempt(pool, one, { ...failed, retryAt: new Date(now.getTime() + 5_000) });
    // The same attempt, made twice by two workers.
    await recordAttempt(pool, one, { ...failed, retryAt: new Date(now.getTime() + 5_000) });
    await recordAttempt(pool, { ...one, attempts: 1 }, result);
    await recordAttempt(pool, two, failed);
    await giveUpDelivery(pool, three, 'ENDPOINT_DISABLED', now);
    await giveUpDelivery(pool, three, 'ENDPOINT_DISABLED', now);
    const counts = { '{outcome="delivered"}': 1, '{outcome="failed"}': 1, '{outcome="gave_up"}': 2 };
    expect(samplesOf(await look(), 'waybill_webhook_deliveries_total')).toEqual(counts);
  });

  test('is counted right by many at the same time', async () => {
    const tenant = await withEndpoint();
    const all = await Promise.all(Array.from({ length: 40 }, async () => await outgoing(tenant)));
    await Promise.all(all.map(async (delivery) => await recordAttempt(api.db.pool, delivery, result)));
    const counts = samplesOf(await look(), 'waybill_webhook_deliveries_total');
    expect(counts).toEqual({ '{outcome="delivered"}': 40 });
  });
});

describe('the database', () => {
  test('is asked at most once in 5 s, however often figures are asked for', async () => {
    // A loaded machine takes longer than that for what follows: here its clock stands still.
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    try {
      await scrape();
      await createTransaction(await createTenant(api));
      const again = await Promise.all([scrape(), scrape()]);
      for (const text of again) expect(samplesOf(text, 'waybill_outbox_rows')).toEqual({ '': 0 });
      expect(samplesOf(await look(), 'waybill_outbox_rows')).toEqual({ '': 1 });
      clock.mockReturnValue(Date.now() + 5_000);
      expect(samplesOf(await scrape(), 'waybill_outbox_rows')).toEqual({ '': 1 });
    } finally {
      clock.mockRestore();
    }
  });

  test('is not asked again while it has not answered, however long that takes', async () => {
    const registry = new Registry();
    const freshMs = 1;
    registerDatabaseMetrics(registry, api.db.pool, freshMs);
    const asked = jest.spyOn(api.db.pool, 'query');
    const texts = await inTransaction(database.pool, async (tx) => {
      await tx.query('lock table outbox in access exclusive mode');
      const first = registry.metrics();
      await eventually(
        async () =>
          await tx.query(`select from pg_locks where relation = 'outbox'::regclass and not granted
            and database = (select oid from pg_database where datname = current_database())`),
        ({ rowCount }) => rowCount === 1,
      );
      const count = asked.mock.calls.length;
      const second = registry.metrics();
      expect([count > 0, asked.mock.calls.length]).toEqual([true, count]);
      return [first, second];
    });
    for (const text of await Promise.all(texts))
      expect(samplesOf(text, 'waybill_database_up')).toEqual({ '': 1 });
    asked.mockRestore();
  });

  test('may be away: its figures are left out and the others told, with the reason', async () => {
    await sql(`alter table outbox rename to outbox_gone`);
    const answer = await fetch(`${api.url}/metrics`);
    const text = await answer.text();
    expect(answer.status).toBe(200);
    expect(samplesOf(text, 'waybill_database_up')).toEqual({ '': 0 });
    const ofDatabase = NAMES.slice(2, -1).filter((name) => name !== 'waybill_sanctions_index_behind_seconds');
    for (const name of ofDatabase) expect([name, samplesOf(text, name)]).toEqual([name, {}]);
    expect(text).toContain('process_cpu_seconds_total');
    expect(text).toContain('nodejs_eventloop_lag_seconds');
  });
});

describe('METRICS_PORT', () => {
  test('takes the figures from the port of the callers', async () => {
    const config = { ...api.config, METRICS_PORT: 0 };
    const own = await startTestApi(database, { config });
    const server = await startMetricsServer(config, own.deps.metrics.registry, async () => 'others 1\n');
    try {
      expect((await own.request('GET', '/metrics')).status).toBe(404);
      const answer = await fetch(server?.url ?? '');
      expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
      const text = await answer.text();
      for (const part of [...NAMES, 'others 1']) expect(text).toContain(part);
      const elsewhere = (server?.url ?? '').replace('/metrics', '/transactions');
      expect((await fetch(elsewhere)).status).toBe(404);
    } finally {
      await server?.stop();
      await own.stop();
    }
  });

  test('that is not set opens nothing', async () => {
    expect(await startMetricsServer(api.config, new Registry())).toBeUndefined();
  });

  test('that is taken is an error at the start', async () => {
    const config = { HOST: '127.0.0.1', METRICS_PORT: Number(new URL(api.url).port) };
    await expect(startMetricsServer(config, new Registry())).rejects.toThrow('EADDRINUSE');
  });
});
