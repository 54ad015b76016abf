import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { findBrakeOnOutgoing, findBrakeOnWay } from '../../../db/brakes/find-brake.ts';
import { tidyCustomerSums } from '../../../db/customer-sums/tidy.ts';
import type { Database } from '../../../db/database.ts';
import { readScreeningContext } from '../../../db/lifecycle/read-screening-context.ts';
import { claimDueEntries } from '../../../db/outbox.ts';
import type { Queryable } from '../../../db/postgres.ts';
import { removeExpired } from '../../../db/housekeeping/remove-expired.ts';
import { readFigures } from '../../../db/metrics/read-figures.ts';
import { FIRST_CURSOR, outboxRoom, queueUnfinished } from '../../../db/reconcile/queue-unfinished.ts';
import type { UnfinishedKind } from '../../../db/reconcile/unfinished-rows.ts';
import { KEPT_SECONDS, type KeptForATime } from '../../../domain/retention.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import {
  bulkClaims,
  bulkDeliveries,
  bulkTenants,
  bulkTransactions,
  bulkVerifications,
} from '../../factories/bulk-rows.ts';
import { transactionRecord } from '../../factories/transaction-record.ts';

const ROWS = 100_000;
/** Fewer rows lie further apart in time, so that as large a part of them is old. */
const APART = 100_000 / ROWS;
/** The kinds of unfinished rows that there are many of. */
const FILLED: UnfinishedKind[] = ['claim', 'transaction', 'wallet_verification', 'webhook_delivery'];
/** Pages of 8 kB that a statement may look at; the tables have many times as many. */
const FEW_PAGES = 600;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  await fill(database.pool);
});
afterAll(async () => await database.drop());

/** Of the rows of each kind most are finished; of 200 tenants one has all the deliveries that are open. */
async function fill(pool: pg.Pool): Promise<void> {
  const tenants = await bulkTenants(pool, 200);
  const minutes = (number: string) => `${number} * ${APART} * interval '1 minute'`;
  await bulkTransactions(pool, tenants, {
    count: ROWS,
    wakeAt: `case when n % 10 = 0 then now() + ${minutes('(n - 500)')} end`,
  });
  await bulkClaims(pool, tenants, {
    count: ROWS,
    wakeAt: `case when n % 10 = 0 then now() + ${minutes('(n - 20000)')} end`,
  });
  await bulkVerifications(pool, tenants, {
    count: ROWS,
    wakeAt: `case when n % 10 = 0 then now() + ${minutes('(n - 20000)')} end`,
  });
  await bulkDeliveries(pool, tenants, {
    count: ROWS,
    wakeAt: `case when n % 200 = 7 then now() + ${minutes('(n - 10000)')} end`,
    createdAt: `now() - ${minutes('n')}`,
    finishedAt: `now() - ${minutes('n')}`,
  });
  await pool.query(
    `insert into webhook_attempts (delivery_id, attempt, tenant_id, started_at, duration_ms)
     select id, 1, tenant_id, created_at - interval '100 days', 1 from webhook_deliveries`,
  );
  await pool.query(
    `insert into idempotency_keys (tenant_id, key, fingerprint, status, sealed_by, sealed_by_id, created_at)
     select ($1::uuid[])[1 + n % 200], n::text, '', 201, 'TENANT', gen_random_uuid(), now() - n * $3::int * interval '1 second'
     from generate_series(1, $2::int) n`,
    [tenants, ROWS, APART],
  );
  await pool.query(
    `insert into screenings (id, tenant_id, kind, sanctioned, complete, total_matches, suppressed_matches, answered_by,
       engine_version, lists, asked_by, name_token, subject_token, subject, answer, created_at)
     select gen_random_uuid(), ($1::uuid[])[1 + n % 200], 'NAME', false, true, 0, 0, 'INDEX', '1', '[]', '{}', 0, 0, '', '',
       now() - n * $3::int * interval '1 hour' from generate_series(1, $2::int) n`,
    [tenants, ROWS, APART],
  );
  await pool.query(
    `insert into aml_checks (id, tenant_id, provider, request_key, kind, blockchain, value, state, created_at, fetched_at)
     select gen_random_uuid(), ($1::uuid[])[1 + n % 200], 'builtin', '', 'wallet', 'ethereum', '', 'DONE',
       now() - n * $3::int * interval '1 hour', now() - n * $3::int * interval '1 hour' from generate_series(1, $2::int) n`,
    [tenants, ROWS, APART],
  );
  await pool.query(
    `insert into address_answers (tenant_id, address_normal, blockchain_key, tag, is_own, answered_at)
     select ($1::uuid[])[1 + n % 200], n::text, 'ethereum', '', false, now() - n * $3::int * interval '1 minute'
     from generate_series(1, $2::int) n`,
    [tenants, ROWS, APART],
  );
  await pool.query(
    `insert into wallet_checks (tenant_id, id, body, created_at)
     select ($1::uuid[])[1 + n % 200], gen_random_uuid(), '', now() - n * $3::int * interval '1 hour'
     from generate_series(1, $2::int) n`,
    [tenants, ROWS, APART],
  );
  await pool.query(
    `with made as (
       insert into users (id, tenant_id, email_hash, personal, role, created_at, updated_at)
       select gen_random_uuid(), tenant, uuid_send(gen_random_uuid()), '', 'ADMIN', now(), now() from unnest($1::uuid[]) tenant
       returning id, tenant_id
     ), numbered as (select id, tenant_id, row_number() over () as k, count(*) over () as of from made)
     insert into user_sessions (id, tenant_id, user_id, refresh_hash, refreshed_at, created_at, expires_at)
     select gen_random_uuid(), tenant_id, id, '', now(), now(), now() - n * $3::int * interval '1 hour'
     from generate_series(1, $2::int) n join numbered on k = 1 + n % of`,
    [tenants, ROWS, APART],
  );
  await pool.query(
    `insert into monthly_reports (id, tenant_id, month, state, created_at, object_key, record_key, time_zone, rows, totals,
       size_bytes, sha256, generated_at)
     select gen_random_uuid(), tenant, to_char(now() - n * interval '1 month', 'YYYY-MM'), 'STORED', now(), 'key', '', 'UTC', 1,
       '{}', 1, '', now()
     from unnest($1::uuid[]) tenant, generate_series(1, 36) n`,
    [tenants],
  );
  await pool.query(
    `insert into mails (id, tenant_id, kind, status, created_at)
     select gen_random_uuid(), tenant, 'INVITATION', 'SENT', now() - n * $2::int * interval '1 hour'
     from generate_series(1, $1::int) n cross join lateral (select id as tenant from tenants limit 1) t`,
    [ROWS, APART],
  );
  await pool.query(
    `insert into trp_transfers (id, tenant_id, direction, sent_id, request_identifier, token_hash, body_hash, sealed, created_at,
       updated_at)
     select gen_random_uuid(), ($1::uuid[])[1 + n % 200], 'OUTGOING', gen_random_uuid(), n::text,
       uuid_send(gen_random_uuid()), '', '', now(), now() from generate_series(1, $2::int) n`,
    [tenants, ROWS],
  );
  await pool.query(
    `insert into user_links (hash, tenant_id, user_id, purpose, created_at, expires_at)
     select uuid_send(gen_random_uuid()), tenant_id, id, 'INVITATION', now(), now() - n * $2::int * interval '1 hour'
     from generate_series(1, $1::int) n cross join lateral (select id, tenant_id from users limit 1) u`,
    [ROWS, APART],
  );
  await pool.query(
    `insert into counted_tries (hash, count, since)
     select uuid_send(gen_random_uuid()), 1, now() - n * $2::int * interval '1 hour' from generate_series(1, $1::int) n`,
    [ROWS, APART],
  );
  await pool.query(
    `insert into rule_configurations (id, tenant_id, direction, draft_updated_at, created_at)
     select gen_random_uuid(), tenant, direction, now(), now()
     from unnest($1::uuid[]) tenant cross join (values ('OUTGOING'), ('INCOMING')) d (direction)`,
    [tenants],
  );
  await pool.query('vacuum analyze');
  // Nearly all of these ids of no time are in the default partition.
  const { rows: small } = await pool.query<{ name: string }>(
    `select relname as name from pg_class where relname like 'webhook_attempts_%' and relkind = 'r' and relpages <= 20`,
  );
  SMALL.push(...small.map(({ name }) => name));
}

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

/** Runs every statement under EXPLAIN ANALYZE first, in a transaction that is undone, and keeps the plans. */
function explaining(pool: pg.Pool): Queryable & { plans: Plan[] } {
  const plans: Plan[] = [];
  const query = async (statement: string | pg.QueryConfig<unknown[]>, given: unknown[] = []) => {
    const { text, values = [] } =
      typeof statement === 'string' ? { text: statement, values: given } : statement;
    const tx = await pool.connect();
    await tx.query('begin');
    const { rows } = await tx.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
      `explain (analyze, buffers, format json) ${text}`,
      values,
    );
    await tx.query('rollback');
    tx.release();
    plans.push(...(rows[0]?.['QUERY PLAN'].map((plan) => plan.Plan) ?? []));
    return await pool.query(text, values);
  };
  return { plans, query: query as Queryable['query'] };
}

/** Tables that a plan reads from end to end. */
function scanned(plan: Plan): string[] {
  const own = plan['Node Type'] === 'Seq Scan' ? [plan['Relation Name'] ?? ''] : [];
  return [...own, ...(plan.Plans ?? []).flatMap(scanned)];
}

/** By their nature as small as they ever get. */
const SMALL = [
  'webhook_outcomes',
  'prices',
  'outbox',
  'wallet_releases',
  'selfie_analyses',
  'brakes',
  'exports',
  'tenant_erasures',
  'rule_backtests',
  'sanctions_lists',
  'sanctions_versions',
];

function expectCheap({ plans }: { plans: Plan[] }, pages = FEW_PAGES): void {
  expect(plans.length).toBeGreaterThan(0);
  for (const plan of plans) {
    expect(scanned(plan).filter((table) => !SMALL.includes(table))).toEqual([]);
    expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(pages);
  }
}

test('the figures of operators are read from the ends of indexes, whatever is stored', async () => {
  const db = explaining(database.pool);
  const figures = await readFigures(db);
  expect(figures.oldestUndelivered).toHaveLength(1);
  expect(figures.rowsWithoutWorkflow).toMatchObject({ transaction: expect.any(Number) });
  expectCheap(db);
});

test('the sweep reads what is overdue and nothing else', async () => {
  for (const kind of FILLED) {
    const db = explaining(database.pool);
    const { queued } = await queueUnfinished(db, kind, { overdue: true, cursor: FIRST_CURSOR }, 1_000);
    expect(queued).toBeGreaterThan(0);
    // Each row that is queued is written to the outbox: some pages of its own.
    expectCheap(db, FEW_PAGES + 6 * queued);
  }
});

test('a walk over everything unfinished goes on where it stopped', async () => {
  const first = await queueUnfinished(
    database.pool,
    'transaction',
    { overdue: false, cursor: FIRST_CURSOR },
    1_000,
  );
  const db = explaining(database.pool);
  const range = { overdue: false, cursor: first.last ?? FIRST_CURSOR };
  expect((await queueUnfinished(db, 'transaction', range, 1_000)).queued).toBe(1_000);
  expectCheap(db, FEW_PAGES + 6_000);
});

test('with a full outbox of 100,000 rows the figures stay as cheap', async () => {
  await database.pool.query(
    `insert into outbox (tenant_id, workflow, subject_id, summary, due_at)
     select gen_random_uuid(), 'transactionLifecycle', gen_random_uuid(), '', now() from generate_series(1, 100000)`,
  );
  await database.pool.query('vacuum analyze outbox');
  const db = explaining(database.pool);
  expect((await readFigures(db)).outbox.rows).toBe(10_000);
  expect(await outboxRoom(db)).toBe(0);
  expectCheap(db);
  for (const plan of db.plans) expect(scanned(plan)).not.toContain('outbox');
  await database.pool.query('truncate outbox');
});

test('the relay finds the oldest entries of each tenant beside 100,000 of another', async () => {
  const insert = `insert into outbox (tenant_id, workflow, subject_id, summary, due_at)
    select $1, 'transactionLifecycle', gen_random_uuid(), '', now() from generate_series(1, $2::int)`;
  await database.pool.query(insert, [randomUUID(), 100_000]);
  for (let n = 0; n < 100; n += 1) await database.pool.query(insert, [randomUUID(), 1]);
  await database.pool.query('vacuum analyze outbox');
  const db = explaining(database.pool);
  expect(await claimDueEntries(db, 200)).toHaveLength(102);
  // 102 rows are written too; each of the 100,000 is far more.
  expectCheap(db, FEW_PAGES + 6_000);
  for (const plan of db.plans) expect(scanned(plan)).not.toContain('outbox');
  await database.pool.query('truncate outbox');
});

test('a delivery finds the brake on its way beside 100,000 that have ended and 1,000 towards other counterparties', async () => {
  await database.pool.query(
    `insert into brakes (id, tenant_id, kind, counterparty_entity_id, reason, set_by_kind, set_by, set_at, released_at, released_by,
       released_by_kind)
     select gen_random_uuid(), t.id, case when n % 2 = 0 then 'OUTGOING' else 'INCOMING' end, gen_random_uuid(), '', 'USER', 'u', now(),
       case when n > 5 then now() end, case when n > 5 then 'u' end, case when n > 5 then 'USER' end
     from (select id, row_number() over (order by id) as place from tenants limit 200) t cross join generate_series(1, 500) n`,
  );
  await database.pool.query('vacuum analyze brakes');
  const { rows } = await database.pool.query<{ id: string; entity: string }>(
    `select tenant_id as id, counterparty_entity_id as entity from brakes
     where kind = 'OUTGOING' and released_at is null order by tenant_id limit 1`,
  );
  const [sender, other] = [rows[0]!, randomUUID()];
  const way = { senderTenantId: sender.id, receiverTenantId: other, senderEntityId: other };
  const db = explaining(database.pool);
  expect(await findBrakeOnWay(db, { ...way, receiverEntityId: sender.entity })).toEqual(expect.any(String));
  expect(await findBrakeOnWay(db, { ...way, receiverEntityId: other })).toBeUndefined();
  expect(await findBrakeOnOutgoing(db, sender.id)).toBeUndefined();
  for (const plan of db.plans) {
    // The directory is empty here.
    expect(scanned(plan).filter((table) => table !== 'entities')).toEqual([]);
    expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(30);
  }
  await database.pool.query('truncate brakes');
});

test('the day of a customer with 10,000 transfers is summed up from some rows, and the many that were noted become few', async () => {
  const { rows } = await database.pool.query<{ tenantId: string }>(
    'select tenant_id as "tenantId" from transactions limit 1',
  );
  await database.pool.query(`insert into deployment (environment) values ('sandbox') on conflict do nothing`);
  await database.pool.query(
    `insert into transactions (id, tenant_id, direction, status, asset, origin_type, destination, destination_normal,
       destination_type, record_key, personal, version, sequence, head, created_at, updated_at, subject_token, amount_eur)
     select gen_random_uuid(), $1, 'OUTGOING', 'PENDING', 'ETH', 'CUSTODIAL', 'd', 'd', 'CUSTODIAL', '', '', 1, 1, '', at, at,
       case when n % 2 = 0 then 7 else n + 100 end, 1.5
     from generate_series(1, 20000) n cross join lateral (
       select now() - interval '20 minutes' - n * (case when n % 2 = 0 then interval '120 ms' else interval '4 s' end) as at) a`,
    [rows[0]?.tenantId],
  );
  while (await tidyCustomerSums(database.pool));
  await database.pool.query('vacuum analyze transactions, customer_sums');
  const db = explaining(database.pool);
  const record = transactionRecord({
    tenantId: rows[0]?.tenantId ?? '',
    amountEur: '2',
    createdAt: new Date(),
    personal: { originator: { name: 'Anna Keller', customerIdentification: 'c' } },
  });
  const vault = { tenantKeys: () => Promise.resolve({ token: () => 7n }) };
  const read = readScreeningContext({ pool: db, vault } as unknown as Database, record, null, new Date());
  expect((await read).rolling24h).toEqual({ count: '10001', knownEur: '15002', isComplete: true });
  for (const plan of db.plans) {
    expect(scanned(plan)).not.toContain('transactions');
    expect(scanned(plan)).not.toContain('customer_sums');
    expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(100);
  }
  const tidying = explaining(database.pool);
  expect(await tidyCustomerSums(tidying)).toBe(false);
  expectCheap(tidying);
  await database.pool.query('delete from transactions where subject_token is not null');
});

/** Of these there are no rows here. */
const NOT_FILLED: KeptForATime[] = ['walletImports', 'walletUploads', 'abandonedFiles', 'refusedFiles'];

test.each((Object.keys(KEPT_SECONDS) as KeptForATime[]).filter((what) => !NOT_FILLED.includes(what)))(
  'housekeeping finds old %s by their age',
  async (what) => {
    const db = explaining(database.pool);
    const removed = await removeExpired(db, what, 1_000);
    expect(removed).toBe(what === 'prices' ? 0 : 1_000);
    expectCheap(db, FEW_PAGES + 30 * removed);
  },
);
