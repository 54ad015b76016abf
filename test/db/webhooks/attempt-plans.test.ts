import { readAttempts } from '../../../db/evidence/read-webhooks.ts';
import { removeExpired } from '../../../db/housekeeping/remove-expired.ts';
import { getDelivery } from '../../../db/webhooks/get-delivery.ts';
import type { Queryable } from '../../../db/postgres.ts';
import type pg from 'pg';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { makeMonths, monthStart, partitionOfMonth, storeAttempt } from '../../factories/attempt-months.ts';
import { bulkTenants } from '../../factories/bulk-rows.ts';

/** Months that have partitions with many attempts. */
const MONTHS = [-4, -3, -2, -1, 0];
const PER_MONTH = 3_000;
const BY_INDEX = /^(Index|Bitmap Heap)/;

let database: TestDatabase;
let tenantId: string;
/** Of each month one webhook. */
let ids: string[];
beforeAll(async () => {
  database = await testDatabase();
  const { pool } = database;
  tenantId = (await bulkTenants(pool, 1))[0] ?? '';
  await makeMonths(pool, -4, 1);
  ids = await Promise.all(
    MONTHS.map(
      async (ahead) =>
        await storeAttempt(pool, tenantId, { madeAt: monthStart(ahead), startedAt: new Date() }),
    ),
  );
  // Later in the same month: the last twelve digits count, behind the time of the first.
  for (const id of ids)
    await pool.query(
      `with made as (
         insert into webhook_deliveries (id, tenant_id, kind, resource_kind, resource_id, resource_version, body, status, created_at)
         select (left($1::text, 24) || lpad(to_hex(n), 12, '0'))::uuid, $2, 'transaction', 'TRANSACTION', gen_random_uuid(), 1, '', 'DELIVERED', now()
         from generate_series(1, ${PER_MONTH}) n returning id
       )
       insert into webhook_attempts (delivery_id, attempt, tenant_id, started_at, duration_ms)
       select id, 1, $2, now() - interval '89 days', 1 from made`,
      [id, tenantId],
    );
  await pool.query('vacuum (analyze) webhook_attempts, webhook_deliveries');
});
afterAll(async () => await database.drop());

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Loops': number;
  'Actual Rows': number;
  Plans?: Plan[];
}

/** Partitions of attempts that a plan has read, and how. */
function readIn(plan: Plan): { name: string; by: string }[] {
  const name = plan['Relation Name'] ?? '';
  const own =
    name.startsWith('webhook_attempts') && plan['Node Type'].endsWith('Scan') && plan['Actual Loops'] > 0
      ? [{ name, by: plan['Node Type'] }]
      : [];
  return [...own, ...(plan.Plans ?? []).flatMap(readIn)];
}

/** What the statements of `work` read of attempts; they run once more under EXPLAIN, in a transaction that is undone. */
async function readBy(work: (db: Queryable) => Promise<unknown>): Promise<{ name: string; by: string }[]> {
  const read: { name: string; by: string }[] = [];
  const query = async (text: string, values: unknown[]) => {
    const tx = await database.pool.connect();
    await tx.query('begin');
    const { rows } = await tx.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (analyze, format json) ${text}`,
      values,
    );
    const result = await tx.query<pg.QueryResultRow>(text, values);
    await tx.query('rollback');
    tx.release();
    read.push(...(rows[0]?.['QUERY PLAN'] ?? []).flatMap(({ Plan: plan }) => readIn(plan)));
    return result;
  };
  await work({ query } as unknown as Queryable);
  return read;
}

test.each(MONTHS.map((ahead, index) => [ahead, index]))(
  'the attempts of a webhook of month %i are read in its partition alone',
  async (ahead, index) => {
    const read = await readBy(async (db) => await getDelivery(db, tenantId, ids[index] ?? ''));
    expect(read).toEqual([{ name: partitionOfMonth(ahead), by: expect.stringMatching(BY_INDEX) }]);
  },
);

test('those of a record are read by the ids of its webhooks, in the partitions of these', async () => {
  const { rows } = await database.pool.query<{ id: string }>(
    'select resource_id as id from webhook_deliveries where id = $1',
    [ids.at(-1)],
  );
  const attempts: unknown[] = [];
  const read = await readBy(async (db) => {
    for await (const attempt of readAttempts(db, { tenantId, id: rows[0]?.id ?? '' })) attempts.push(attempt);
  });
  expect(attempts).toHaveLength(1);
  expect(read).toEqual([{ name: partitionOfMonth(0), by: expect.stringMatching(BY_INDEX) }]);
});

test('those that are old are found by their age, in each partition by its index', async () => {
  const read = await readBy(async (db) => {
    expect(await removeExpired(db, 'webhookAttempts', 1_000)).toBe(0);
  });
  const filled = new Set(MONTHS.map(partitionOfMonth));
  const ofFilled = read.filter(({ name }) => filled.has(name));
  expect(new Set(ofFilled.map(({ name }) => name))).toEqual(filled);
  expect(ofFilled.filter(({ by }) => by === 'Seq Scan')).toEqual([]);
});
