import type pg from 'pg';
import { dropPastAttempts, makeAttemptPartitions } from '../../../db/housekeeping/attempt-partitions.ts';
import { removeExpired } from '../../../db/housekeeping/remove-expired.ts';
import { openPool } from '../../../db/postgres.ts';
import { addMs, DAY_MS } from '../../../domain/durations.ts';
import { KEPT_SECONDS, MONTH_OVER_SECONDS } from '../../../domain/retention.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { eventually } from '../../eventually.ts';
import {
  makeMonths,
  monthStart,
  partitionOfMonth,
  partitionsOf,
  storeAttempt,
} from '../../factories/attempt-months.ts';
import { bulkTenants } from '../../factories/bulk-rows.ts';

let database: TestDatabase;
/** As the product opens it. */
let pool: pg.Pool;
let tenantId: string;
beforeEach(async () => {
  database = await testDatabase();
  pool = openPool(database.url, 4, () => undefined);
  tenantId = (await bulkTenants(pool, 1))[0] ?? '';
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

const daysAgo = (days: number) => addMs(new Date(), -days * DAY_MS);
const middleOf = (ahead: number) => addMs(monthStart(ahead), 14 * DAY_MS);
const attemptIn = async (ahead: number) => await storeAttempt(pool, tenantId, { madeAt: middleOf(ahead) });
const attemptsIn = async (...months: number[]) => {
  const ids: string[] = [];
  for (const ahead of months) ids.push(await attemptIn(ahead));
  return await partitionsOf(pool, ids);
};
const isThere = async (name: string) =>
  (await pool.query('select from pg_class where oid = to_regclass($1)', [name])).rowCount === 1;
/** How many connections wait for a lock in a call of the function. */
const waitingFor = async (name: string) =>
  (
    await pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like $1`,
      [`select ${name}%`],
    )
  ).rowCount;
/** Lets the function wait for a lock until it gets it, on a busy machine too. */
const waitLong = async (name: string) =>
  void (await pool.query(`alter function ${name}() set lock_timeout = 0`));
/** A month whose last day is more than 90 days ago, on each day of the year. */
const PAST = -5;

describe('partitions of the coming months', () => {
  test('are there after an installation; what is stored later than these is kept in the default one', async () => {
    expect(await attemptsIn(0, 1, 2, 3, 4)).toEqual([
      'webhook_attempts_before',
      'webhook_attempts_before',
      partitionOfMonth(2),
      partitionOfMonth(3),
      'webhook_attempts_default',
    ]);
    expect(await makeAttemptPartitions(pool)).toBe(0);
  });

  test('are made three months ahead, by two workers at once too, and are vacuumed as the table was', async () => {
    await makeMonths(pool, -1, 0);
    for (const ahead of [1, 2, 3]) await pool.query(`drop table if exists ${partitionOfMonth(ahead)}`);
    await waitLong('make_attempt_partitions');
    const writer = await pool.connect();
    await writer.query('begin; lock table webhook_deliveries in row exclusive mode');
    const made = Promise.all([makeAttemptPartitions(pool), makeAttemptPartitions(pool)]);
    await eventually(
      async () => await waitingFor('make_attempt_partitions'),
      (count) => count === 2,
    );
    await writer.query('commit');
    writer.release();
    expect((await made).toSorted()).toEqual([0, 3]);
    expect(await attemptsIn(-1, 0, 1, 2, 3)).toEqual([-1, 0, 1, 2, 3].map(partitionOfMonth));
    const { rows } = await pool.query<{ settings: string[] }>(
      `select reloptions as settings from pg_class where oid = any($1::regclass[]::oid[])`,
      [[partitionOfMonth(1), 'webhook_attempts_default', partitionOfMonth(3)]],
    );
    expect(rows).toHaveLength(3);
    for (const { settings } of rows) expect(settings).toContain('autovacuum_vacuum_insert_scale_factor=0.02');
  });

  test('are missing after the worker was away for months: attempts are kept, their month stays where it began', async () => {
    await makeMonths(pool, -6, -4);
    for (const ahead of [2, 3]) await pool.query(`drop table ${partitionOfMonth(ahead)}`);
    expect(await attemptsIn(-7, -3, 0)).toEqual(Array(3).fill('webhook_attempts_default'));
    expect(await makeAttemptPartitions(pool)).toBe(3);
    expect(await attemptsIn(-7, 0, 1, 2, 3)).toEqual([
      'webhook_attempts_default',
      'webhook_attempts_default',
      ...[1, 2, 3].map(partitionOfMonth),
    ]);
  });

  test('that an operator has detached are not made again', async () => {
    await pool.query(`alter table webhook_attempts detach partition ${partitionOfMonth(3)}`);
    expect(await makeAttemptPartitions(pool)).toBe(0);
    expect(await attemptsIn(3)).toEqual(['webhook_attempts_default']);
  });
});

describe('a month of attempts', () => {
  beforeEach(async () => await makeMonths(pool, PAST - 1, 1));

  test('is dropped when the last of them is past 90 days, and not before; no other month goes with it', async () => {
    const old = await attemptIn(PAST);
    const late = await storeAttempt(pool, tenantId, { madeAt: middleOf(PAST), startedAt: daysAgo(89) });
    const others = await Promise.all([-1, 0].map(attemptIn));
    // Of those before and after it that are past and empty.
    expect(await dropPastAttempts(pool)).toBe(0);
    expect(await isThere(partitionOfMonth(PAST - 1))).toBe(false);
    while ((await dropPastAttempts(pool)) !== null);
    expect(await partitionsOf(pool, [old, late])).toEqual(Array(2).fill(partitionOfMonth(PAST)));
    await pool.query('update webhook_attempts set started_at = $2 where delivery_id = $1', [
      late,
      daysAgo(90.1),
    ]);
    await pool.query('analyze webhook_attempts');
    expect(await dropPastAttempts(pool)).toBe(2);
    expect(await isThere(partitionOfMonth(PAST))).toBe(false);
    expect(await dropPastAttempts(pool)).toBeNull();
    expect(await partitionsOf(pool, [old, late, ...others])).toEqual([
      undefined,
      undefined,
      ...[-1, 0].map(partitionOfMonth),
    ]);
    const { rows } = await pool.query<{ count: number }>('select count(*) from webhook_deliveries');
    expect(rows).toEqual([{ count: 4 }]);
  });

  test('is never one of the last 90 days, however old its attempts say they are; nor is the default one', async () => {
    const ids = await Promise.all([
      storeAttempt(pool, tenantId, { madeAt: middleOf(-1), startedAt: daysAgo(400) }),
      storeAttempt(pool, tenantId, { madeAt: middleOf(PAST - 9), startedAt: daysAgo(100) }),
    ]);
    while ((await dropPastAttempts(pool)) !== null);
    expect(await partitionsOf(pool, ids)).toEqual([partitionOfMonth(-1), 'webhook_attempts_default']);
    expect(await isThere(partitionOfMonth(-1))).toBe(true);
  });

  test('stays when an attempt is added while it is looked at', async () => {
    await pool.query(`drop table ${partitionOfMonth(PAST - 1)}`);
    const late = await attemptIn(PAST);
    await waitLong('drop_past_attempts');
    const tx = await pool.connect();
    await tx.query('begin');
    await tx.query(
      `insert into webhook_attempts (delivery_id, attempt, tenant_id, started_at, duration_ms) values ($1, 2, $2, now(), 1)`,
      [late, tenantId],
    );
    const dropped = dropPastAttempts(pool);
    await eventually(
      async () => await waitingFor('drop_past_attempts'),
      (count) => count === 1,
    );
    await tx.query('commit');
    tx.release();
    expect(await dropped).toBeNull();
    expect(await isThere(partitionOfMonth(PAST))).toBe(true);
  });

  test('waits for nobody for long, since all others would wait behind it', async () => {
    await attemptIn(PAST);
    const reader = await pool.connect();
    await reader.query('begin; select from webhook_attempts limit 1');
    await expect(dropPastAttempts(pool)).rejects.toThrow('lock timeout');
    await reader.query('rollback');
    reader.release();
    expect(await dropPastAttempts(pool)).toEqual(expect.any(Number));
  });

  test('is dropped without its attempts being deleted before; one by one go those that hold no month back', async () => {
    const days = (seconds: number) => seconds / 86_400;
    const limit = days(KEPT_SECONDS.webhookAttempts + MONTH_OVER_SECONDS);
    const startedAt = daysAgo(limit - 0.1);
    const [held, kept, beyond] = await Promise.all([
      storeAttempt(pool, tenantId, { madeAt: middleOf(PAST), startedAt: daysAgo(limit + 0.1) }),
      storeAttempt(pool, tenantId, { madeAt: middleOf(PAST), startedAt }),
      storeAttempt(pool, tenantId, { madeAt: middleOf(PAST - 9), startedAt: daysAgo(limit + 0.1) }),
    ]);
    expect(await removeExpired(pool, 'webhookAttempts', 1_000)).toBe(2);
    expect(await partitionsOf(pool, [held, kept, beyond])).toEqual([
      undefined,
      partitionOfMonth(PAST),
      undefined,
    ]);
  });
});

test('one by one, none of another partition is removed that lies in the same place', async () => {
  await makeMonths(pool, PAST, 1);
  const [old, young] = [
    await storeAttempt(pool, tenantId, { madeAt: middleOf(PAST), startedAt: daysAgo(200) }),
    await attemptIn(0),
  ];
  const { rows } = await pool.query<{ places: number }>(
    'select count(distinct ctid) as places from webhook_attempts',
  );
  expect(rows).toEqual([{ places: 1 }]);
  expect(await removeExpired(pool, 'webhookAttempts', 1_000)).toBe(1);
  expect(await partitionsOf(pool, [old, young])).toEqual([undefined, partitionOfMonth(0)]);
});

test('the time in the database is that of the product', async () => {
  const { rows } = await pool.query<{ seconds: string }>(
    `select extract(epoch from substring(prosrc from 'interval ''([^'']+)''')::interval) as seconds
     from pg_proc where proname = 'drop_past_attempts'`,
  );
  expect(rows.map(({ seconds }) => Number(seconds))).toEqual([KEPT_SECONDS.webhookAttempts]);
});

test('a webhook that is deleted takes its attempts along, in whichever partition they are', async () => {
  const ids = await Promise.all([0, 2, 4].map(attemptIn));
  await pool.query('delete from webhook_deliveries where id = any($1::uuid[])', [ids]);
  expect(await partitionsOf(pool, ids)).toEqual([undefined, undefined, undefined]);
});

test('whoever deletes a webhook meanwhile does not stand in the way of a new partition, nor it in theirs', async () => {
  await waitLong('make_attempt_partitions');
  await pool.query(`drop table ${partitionOfMonth(3)}`);
  const id = await attemptIn(5);
  const tx = await pool.connect();
  await tx.query('begin; lock table webhook_deliveries in row exclusive mode');
  const made = makeAttemptPartitions(pool);
  await eventually(
    async () => await waitingFor('make_attempt_partitions'),
    (count) => count === 1,
  );
  await tx.query('delete from webhook_deliveries where id = $1', [id]);
  await tx.query('commit');
  tx.release();
  expect(await made).toBe(1);
  expect(await partitionsOf(pool, [id])).toEqual([undefined]);
});
