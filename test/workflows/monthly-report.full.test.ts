import { ApplicationFailure } from '@temporalio/common';
import { NativeConnection, Worker } from '@temporalio/worker';
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeReportFile } from '../../activities/reports/make-report.ts';
import { beginReport, findUnmadeReport, giveReportUp, storeReport } from '../../db/reports/store-report.ts';
import { boundsOf } from '../../domain/reports/month.ts';
import { monthAt } from '../../domain/tenants/local-month.ts';
import type { MonthlyReport } from '../../domain/reports/schema.ts';
import { ensureSchedules } from '../../worker/schedules.ts';
import { setUpTemporal } from '../../worker/temporal-setup.ts';
import { TASK_QUEUES, workflowId } from '../../workflows/contract.ts';
import { connectLazily, createClient } from '../../workflows/start.ts';
import { eventually } from '../eventually.ts';
import { createdAt, download, reportableMonth } from '../factories/reports.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { recordHistory, recordRun } from '../record-history.ts';
import { startTestSystem, type TestSystem } from '../system.ts';
import { TEMPORAL_MS } from '../temporal.ts';
import { workflowOptions } from '../../worker/workflow-options.ts';

let system: TestSystem;
beforeAll(async () => {
  system = await startTestSystem();
});
afterAll(async () => await system.stop());

const month = reportableMonth();
const sql = async <R extends object = object>(text: string, values: unknown[] = []) =>
  (await system.db.pool.query<R>(text, values)).rows;
const list = async (tenant: TestTenant) => (await tenant.get<MonthlyReport[]>('/tenant/me/reports')).body;

/** A tenant as if it had been created this many months ago. */
async function tenantSince(months: number): Promise<TestTenant> {
  const tenant = await createTenant(system);
  await sql(
    `update tenants set created_at = date_trunc('month', now()) - $2 * interval '1 month' where id = $1`,
    [tenant.id, months],
  );
  return tenant;
}

/** A report that is to be made, without a workflow. */
async function queued(tenant: TestTenant, wakeAt = "now() + interval '1 hour'"): Promise<string> {
  const [row] = await sql<{ id: string }>(
    `insert into monthly_reports (id, tenant_id, month, time_zone, state, created_at, wake_at)
     values (gen_random_uuid(), $1, $2, 'UTC', 'MAKING', now(), ${wakeAt}) returning id`,
    [tenant.id, month],
  );
  return row?.id ?? '';
}

/** The files in the storage that hold something of the tenant. */
async function filesOf(tenant: TestTenant): Promise<string[]> {
  const folder = join(system.config.STORAGE_DIR ?? '', tenant.id);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

let runs = 0;
/** Runs the schedule once; returns the result. */
async function runSchedule(): Promise<unknown> {
  await ensureSchedules(system.client, [], TEMPORAL_MS);
  const schedule = system.client.schedule.getHandle(workflowId('monthlyReport'));
  // Its own run, ten minutes past the hour, would be one more and find what this one is to find.
  await schedule.pause();
  await schedule.trigger();
  runs += 1;
  const query = `TrKind = 'monthlyReport' and ExecutionStatus = 'Completed'`;
  const ended = await eventually(
    async () => {
      const found = [];
      for await (const run of system.client.workflow.list({ query })) found.push(run);
      return found;
    },
    (all) => all.length === runs,
  );
  const [latest] = ended.toSorted((a, b) => b.startTime.getTime() - a.startTime.getTime());
  if (latest) await recordRun(system.client, latest.workflowId, { type: 'monthlyReport', name: 'queued' });
  return await system.client.workflow.getHandle(latest?.workflowId ?? '', latest?.runId).result();
}

describe('the schedule', () => {
  test('runs ten minutes past each hour, one run at a time', async () => {
    await ensureSchedules(system.client, [], TEMPORAL_MS);
    const schedule = system.client.schedule.getHandle(workflowId('monthlyReport'));
    const { spec, policies } = await schedule.describe();
    expect(spec.intervals).toEqual([{ every: 3_600_000, offset: 600_000 }]);
    expect(policies.overlap).toBe('SKIP');
  });

  test('makes the months of each tenant that are over and lack a report, and none twice', async () => {
    const [old, young] = [await tenantSince(3), await tenantSince(0)];
    expect(await runSchedule()).toEqual({ queued: 3, removed: 0 });
    const made = await eventually(
      async () => await list(old),
      (reports) => reports.length === 3,
    );
    expect(made.map((report) => report.month)).toEqual([0, 1, 2].map(reportableMonth));
    expect(await list(young)).toEqual([]);
    const [row] = await sql<{ id: string }>(
      'select id from monthly_reports where tenant_id = $1 and month = $2',
      [old.id, month],
    );
    await recordHistory(system.client, 'reportGeneration', row?.id ?? '', 'stored');
    const described = await system.client.workflow
      .getHandle(workflowId('reportGeneration', row?.id ?? ''))
      .describe();
    expect(await described.staticSummary()).toBe(`Report of ${month}`);
    expect(await runSchedule()).toEqual({ queued: 0, removed: 0 });
  });

  test('a month is over where the tenant is, whatever the clock in UTC says', async () => {
    const [east, west] = [await tenantSince(1), await tenantSince(1)];
    await east.patch('/tenant/me/settings', { timeZone: 'Pacific/Kiritimati' });
    await west.patch('/tenant/me/settings', { timeZone: 'Pacific/Pago_Pago' });
    const current = monthAt(new Date(), 'UTC');
    // Six hours before the current month ends in UTC: where the days begin 14 hours earlier it is over.
    system.clock.offsetMs =
      boundsOf({ month: current, timeZone: 'UTC' }).until.getTime() - 6 * 3_600_000 - Date.now();
    await runSchedule();
    await eventually(
      async () => await list(east),
      (reports) => reports.some((report) => report.month === current),
    );
    system.clock.offsetMs = 0;
    expect((await list(west)).map((report) => report.month)).not.toContain(current);
  });

  test('removes reports of months that are no longer listed, with their files', async () => {
    const tenant = await createTenant(system);
    await tenant.post(`/tenant/me/reports/${month}`);
    await tenant.post(`/tenant/me/reports/${reportableMonth(1)}`);
    await sql('update monthly_reports set month = $3 where tenant_id = $1 and month = $2', [
      tenant.id,
      reportableMonth(1),
      '2020-01',
    ]);
    expect(await filesOf(tenant)).toHaveLength(2);
    expect(await runSchedule()).toMatchObject({ removed: 1 });
    expect((await list(tenant)).map((report) => report.month)).toEqual([month]);
    expect(await filesOf(tenant)).toHaveLength(1);
  });
});

describe('a report whose worker died', () => {
  test('is made anew after the sweep, and nothing of the half file is left', async () => {
    const tenant = await createTenant(system);
    const id = await createdAt(system, tenant, `${month}-02T12:00:00Z`);
    const reportId = await queued(tenant);
    const unmade = await findUnmadeReport(system.db.pool, reportId);
    if (!unmade) throw new Error('nothing to make');
    const attempt = await beginReport(system.db, unmade);
    const half = join(system.config.STORAGE_DIR ?? '', `${attempt?.objectKey}.part`);
    await mkdir(dirname(half), { recursive: true });
    await writeFile(half, 'half');
    expect(await list(tenant)).toEqual([]);
    await sql("update monthly_reports set wake_at = now() - interval '2 minutes' where id = $1", [reportId]);
    await system.sweep();
    await eventually(
      async () => await list(tenant),
      (reports) => reports.length === 1,
    );
    expect((await download(system, tenant, month)).lines.map((line) => line['id'])).toEqual([id]);
    expect(await filesOf(tenant)).toHaveLength(1);
  });

  test('is not replaced by what an attempt before writes late', async () => {
    const tenant = await createTenant(system);
    const unmade = await findUnmadeReport(system.db.pool, await queued(tenant));
    if (!unmade) throw new Error('nothing to make');
    const late = await beginReport(system.db, unmade);
    const deps = { db: system.db, storage: system.deps.storage, now: () => new Date() };
    const next = await findUnmadeReport(system.db.pool, unmade.id);
    if (!late || !next) throw new Error('no attempt');
    await makeReportFile(deps, next, new AbortController().signal);
    const [before] = await list(tenant);
    const totals = before?.totals ?? ({} as never);
    const content = { rows: 7, totals, sizeBytes: 1, sha256: createHash('sha256').digest('hex') };
    expect(await storeReport(system.db, late, content, new Date())).toBe(false);
    // The attempt of a step that Temporal has started twice cannot begin.
    await expect(makeReportFile(deps, unmade, new AbortController().signal)).rejects.toThrow(
      'Another attempt',
    );
    expect(await list(tenant)).toEqual([before]);
    expect(await filesOf(tenant)).toHaveLength(1);
  });

  test.each(['ENOSPC in the storage', 'a stopping worker'])(
    '%s leaves no half file and no report',
    async (what) => {
      const tenant = await createTenant(system);
      for (const day of ['01', '02']) await createdAt(system, tenant, `${month}-${day}T12:00:00Z`);
      const unmade = await findUnmadeReport(system.db.pool, await queued(tenant));
      if (!unmade) throw new Error('nothing to make');
      const { storage } = system.deps;
      const full: typeof storage.put = async (key, content) =>
        await storage.put(
          key,
          (async function* () {
            yield* content;
            throw new Error('ENOSPC');
          })(),
        );
      const isStopping = what === 'a stopping worker';
      const deps = {
        db: system.db,
        storage: isStopping ? storage : { ...storage, put: full },
        now: () => new Date(),
      };
      const signal = isStopping ? AbortSignal.abort(new Error('ENOSPC')) : new AbortController().signal;
      await expect(makeReportFile(deps, unmade, signal)).rejects.toThrow('ENOSPC');
      expect([await list(tenant), await filesOf(tenant)]).toEqual([[], []]);
      const open = `select pid from pg_stat_activity where datname = current_database() and state like 'idle in trans%'`;
      await eventually(
        async () => await sql(open),
        ({ length }) => length === 0,
      );
      // Another attempt succeeds.
      const again = await findUnmadeReport(system.db.pool, unmade.id);
      if (!again) throw new Error('nothing to make');
      await makeReportFile({ ...deps, storage }, again, new AbortController().signal);
      expect((await list(tenant))[0]?.rows).toBe(2);
      expect(await filesOf(tenant)).toHaveLength(1);
    },
  );
});

describe('a report that cannot be made', () => {
  test('leaves the earlier one, and the month can be made again', async () => {
    const tenant = await createTenant(system);
    const earlier = (await tenant.post<MonthlyReport>(`/tenant/me/reports/${month}`)).body;
    await giveReportUp(system.db.pool, await queued(tenant));
    expect(await list(tenant)).toEqual([earlier]);
    expect((await tenant.post(`/tenant/me/reports/${month}`)).status).toBe(201);
  });

  test('is tried 8 times and then given up, which its workflow says', async () => {
    const address = process.env['WAYBILL_TEST_TEMPORAL'] ?? '';
    const namespace = `test-${randomUUID()}`;
    const lazy = connectLazily(address);
    await setUpTemporal(lazy, namespace);
    const connection = await NativeConnection.connect({ address });
    const acts: string[] = [];
    const activities = {
      makeReport: () => {
        acts.push('makeReport');
        throw ApplicationFailure.create({ message: 'away', nextRetryDelay: '1 millisecond' });
      },
      giveReportUp: async ({ id }: { id: string }) => await Promise.resolve(void acts.push(`give up ${id}`)),
    };
    const base = { connection, namespace, ...workflowOptions, activities };
    const [core, reports] = [
      await Worker.create({ ...base, taskQueue: TASK_QUEUES.core }),
      await Worker.create({ ...base, taskQueue: TASK_QUEUES.reports }),
    ];
    const options = { taskQueue: TASK_QUEUES.core, workflowId: 'report/1', args: [{ id: '1' }] };
    const run = createClient(lazy, namespace).workflow.execute('reportGeneration', options);
    expect(await core.runUntil(reports.runUntil(run))).toBe('FAILED');
    expect(acts).toEqual([...Array.from({ length: 8 }, () => 'makeReport'), 'give up 1']);
    await connection.close();
    await lazy.close();
  });
});
