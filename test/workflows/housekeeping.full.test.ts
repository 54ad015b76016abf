import { ApplicationFailure } from '@temporalio/common';
import { NativeConnection, Worker } from '@temporalio/worker';
import { KEPT_SECONDS, type KeptForATime } from '../../domain/retention.ts';
import { ensureSchedules } from '../../worker/schedules.ts';
import { workflowId, WORKFLOWS } from '../../workflows/contract.ts';
import { eventually } from '../eventually.ts';
import { makeMonths, monthStart, partitionOfMonth, storeAttempt } from '../factories/attempt-months.ts';
import { bulkTenants } from '../factories/bulk-rows.ts';
import { recordRun } from '../record-history.ts';
import { startTestSystem, type TestSystem } from '../system.ts';
import { TEMPORAL_MS } from '../temporal.ts';
import { workflowOptions } from '../../worker/workflow-options.ts';

let system: TestSystem;
beforeAll(async () => {
  system = await startTestSystem();
});
afterAll(async () => await system.stop());

const schedule = () => system.client.schedule.getHandle(workflowId('housekeeping'));

async function oldKeys(count: number): Promise<void> {
  await system.db.pool.query(
    `insert into idempotency_keys (tenant_id, key, fingerprint, status, sealed_by, sealed_by_id, created_at)
     select gen_random_uuid(), n::text, '', 201, 'TENANT', gen_random_uuid(), now() - interval '2 days'
     from generate_series(1, $1::int) n`,
    [count],
  );
}

/** Runs the schedule once. It is paused: where a full hour strikes during the tests its own run would be one more. */
async function runOnce(): Promise<void> {
  await schedule().pause();
  await schedule().trigger();
}

/** The results of the runs that have ended, the latest first. */
async function results(): Promise<unknown[]> {
  const found: unknown[] = [];
  const query = `TrKind = 'housekeeping' and ExecutionStatus = 'Completed'`;
  for await (const run of system.client.workflow.list({ query })) {
    found.push(await system.client.workflow.getHandle(run.workflowId, run.runId).result());
    await recordRun(system.client, run.workflowId, { type: 'housekeeping', name: 'removed' });
  }
  return found;
}

test('the schedule runs every hour, one run at a time', async () => {
  await ensureSchedules(system.client, [], TEMPORAL_MS);
  const { spec, policies, action } = await schedule().describe();
  expect(spec.intervals).toEqual([expect.objectContaining({ every: 3_600_000 })]);
  expect(policies.overlap).toBe('SKIP');
  expect(action.taskQueue).toBe(WORKFLOWS.housekeeping.taskQueue);
});

test('making the schedule again, by any worker, leaves it as operators have set it', async () => {
  await schedule().pause('looking into something');
  await Promise.all([
    ensureSchedules(system.client, [], TEMPORAL_MS),
    ensureSchedules(system.client, [], TEMPORAL_MS),
  ]);
  const { state } = await schedule().describe();
  expect(state).toMatchObject({ paused: true, note: 'looking into something' });
});

test('a run removes all that is old, batch by batch, and its result says how much', async () => {
  await oldKeys(2_500);
  await system.db.pool.query(
    `insert into prices (asset, source, priced_at) values ('OLD', 'test', now() - interval '8 days')`,
  );
  // A month of attempts that is past, and one to come that has no partition yet.
  const { pool } = system.db;
  await makeMonths(pool, -5, 1);
  const [tenantId = ''] = await bulkTenants(pool, 1);
  await storeAttempt(pool, tenantId, { madeAt: monthStart(-5) });
  await pool.query(`analyze webhook_attempts; drop table ${partitionOfMonth(3)}`);
  await runOnce();
  const [first] = await eventually(results, (ended) => ended.length === 1);
  expect(first).toEqual({
    idempotencyKeys: 2_500,
    webhookBodies: 1,
    webhookAttempts: 1,
    walletImports: 0,
    walletUploads: 0,
    abandonedFiles: 0,
    refusedFiles: 0,
    prices: 1,
    screenings: 0,
    amlChecks: 0,
    walletChecks: 0,
    userSessions: 0,
    countedTries: 0,
    mails: 0,
    userLinks: 0,
    addressAnswers: 0,
  });
  const { rows } = await system.db.pool.query('select 1 from idempotency_keys');
  expect(rows).toEqual([]);
  const { rows: months } = await pool.query<{ past: boolean; next: boolean }>(
    'select to_regclass($1) is null as past, to_regclass($2) is not null as next',
    [partitionOfMonth(-5), partitionOfMonth(3)],
  );
  expect(months).toEqual([{ past: true, next: true }]);
});

test('a run with nothing to do ends with nothing removed', async () => {
  await runOnce();
  const ended = await eventually(results, (all) => all.length === 2);
  expect(ended).toContainEqual({
    idempotencyKeys: 0,
    webhookBodies: 0,
    webhookAttempts: 0,
    walletImports: 0,
    walletUploads: 0,
    abandonedFiles: 0,
    refusedFiles: 0,
    prices: 0,
    screenings: 0,
    amlChecks: 0,
    walletChecks: 0,
    userSessions: 0,
    countedTries: 0,
    mails: 0,
    userLinks: 0,
    addressAnswers: 0,
  });
});

describe('a kind that cannot be removed', () => {
  const TASK_QUEUE = 'housekeeping-in-trouble';

  /** Runs housekeeping with an activity of the test's own. Returns its failure. */
  async function failedRun(removeExpired: (input: { what: KeptForATime }) => Promise<unknown>) {
    const connection = await NativeConnection.connect({
      address: process.env['WAYBILL_TEST_TEMPORAL'] ?? '',
    });
    const worker = await Worker.create({
      connection,
      namespace: system.namespace,
      ...workflowOptions,
      activities: { removeExpired },
      taskQueue: TASK_QUEUE,
    });
    const run = system.client.workflow.execute('housekeeping', {
      taskQueue: TASK_QUEUE,
      workflowId: TASK_QUEUE,
    });
    try {
      return await worker.runUntil(
        run.then(
          () => null,
          (error: unknown) => error,
        ),
      );
    } finally {
      await connection.close();
    }
  }

  test('is tried 8 times, keeps no other from it, and fails the run at its end', async () => {
    const tried: KeptForATime[] = [];
    const failure = await failedRun(({ what }) => {
      tried.push(what);
      if (what !== 'idempotencyKeys') return Promise.resolve({ removed: 1, more: false });
      throw ApplicationFailure.create({ message: 'away', nextRetryDelay: '1 millisecond' });
    });
    const others = Object.keys(KEPT_SECONDS).filter((what) => what !== 'idempotencyKeys');
    expect(tried).toEqual([...Array.from({ length: 8 }, () => 'idempotencyKeys'), ...others]);
    expect(failure).toMatchObject({
      cause: { message: 'Could not be removed in full: idempotencyKeys.', type: 'NOT_REMOVED' },
    });
  });
});
