import { randomUUID } from 'node:crypto';
import { claimDueEntries } from '../../db/outbox.ts';
import { testDatabase, type TestDatabase } from '../database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(async () => {
  await database.pool.query('truncate outbox');
});
afterAll(async () => await database.drop());

/** Entries of a new tenant that became due one after another; the first of them `oldestMinutes` ago. */
async function queue(count: number, oldestMinutes: number): Promise<string> {
  const tenantId = randomUUID();
  await database.pool.query(
    `insert into outbox (tenant_id, workflow, subject_id, summary, due_at)
     select $1, 'webhookDelivery', gen_random_uuid(), n::text, now() - $3 * interval '1 minute' + n * interval '1 ms'
     from generate_series(1, $2::int) n`,
    [tenantId, count, oldestMinutes],
  );
  return tenantId;
}

/** The summaries of what one round takes, for each tenant. */
async function claimed(limit: number): Promise<Map<string, number[]>> {
  const entries = await claimDueEntries(database.pool, limit);
  const byTenant = new Map<string, number[]>();
  for (const { tenantId, summary } of entries)
    byTenant.set(
      tenantId,
      [...(byTenant.get(tenantId) ?? []), Number(summary)].sort((a, b) => a - b),
    );
  return byTenant;
}
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test('whoever waits with few entries does not wait for all older ones of another tenant', async () => {
  const busy = await queue(20_000, 600);
  const few = await queue(3, 1);
  const one = await queue(1, 0.1);
  const round = await claimed(90);
  expect(round.get(few)).toEqual(upTo(3));
  expect(round.get(one)).toEqual([1]);
  expect(round.get(busy)).toEqual(upTo(30));
});

test('one tenant alone fills the whole round, oldest first, and what was taken is not taken again', async () => {
  const tenantId = await queue(150, 5);
  expect((await claimed(100)).get(tenantId)).toEqual(upTo(100));
  expect((await claimed(100)).get(tenantId)).toEqual(upTo(150).slice(100));
  expect(await claimed(100)).toEqual(new Map());
});

test('tenants whose entries are all due later take no share of the round', async () => {
  const tenantId = await queue(150, 5);
  for (let later = 0; later < 30; later += 1) await queue(1, -10);
  expect((await claimed(100)).get(tenantId)).toEqual(upTo(100));
});

test('of more tenants than a round can take, those come first whose oldest entry waits longest', async () => {
  const ids: string[] = [];
  for (let age = 12; age > 0; age -= 1) ids.push(await queue(2, age));
  expect([...(await claimed(5)).keys()].sort()).toEqual(ids.slice(0, 5).sort());
  expect([...(await claimed(5)).keys()].sort()).toEqual(ids.slice(0, 5).sort());
});

test('what is due later is left alone', async () => {
  await queue(5, -10);
  expect(await claimed(5)).toEqual(new Map());
});
