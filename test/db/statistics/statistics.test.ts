import knex from 'knex';
import { down, up } from '../../../db/migrations/20261122_0059_count_statistics.ts';
import { checkCounts } from '../../../db/statistics/check-counts.ts';
import { foldDeltas } from '../../../db/statistics/fold.ts';
import { readStatistics } from '../../../db/statistics/read-statistics.ts';
import { markForRecount, recountNext } from '../../../db/statistics/recount.ts';
import { inTransaction, openPool } from '../../../db/postgres.ts';
import { addMs, HOUR_MS } from '../../../domain/durations.ts';
import type { SanctionsScreening } from '../../../domain/sanctions-screening/schema.ts';
import { statisticsRound } from '../../../worker/statistics-loop.ts';
import { cutConnections } from '../../fakes/cut-connections.ts';
import { createClaim } from '../../factories/claim.ts';
import { bruteForce, expectExact } from '../../factories/brute-force-statistics.ts';
import { countedChanges, makeChanges } from '../../factories/counted-changes.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTenant, WEBHOOK_URL, type TestTenant } from '../../factories/tenant.ts';
import { createTransaction, evmAddress, letPass } from '../../factories/transaction.ts';
import { IS_FULL } from '../../full.ts';
import { useApi } from '../../use-api.ts';

const SEED = 20_261_123;
const CHANGES = IS_FULL ? 2_000 : 250;
/** Offsets of 45 and 30 minutes, midnight that comes twice, the first and the last zone of the day, daylight saving time. */
const ZONES = [
  'UTC',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'America/Havana',
  'Pacific/Kiritimati',
  'Etc/GMT+12',
];
const MONTHS = ['2026-10', '2026-11', '2026-12', '2027-01'];

const { api, database } = useApi();
const pool = () => api.db.pool;
const newTenant = async () => await createTenant(api, { webhookUrl: WEBHOOK_URL });
const read = async (tenant: TestTenant, month?: string) =>
  await readStatistics(pool(), tenant.id, month, new Date());
const rowsOf = async (table: 'statistics_deltas' | 'statistics_counts', tenant: TestTenant) =>
  (await pool().query<Record<string, unknown>>(`select * from ${table} where tenant_id = $1`, [tenant.id]))
    .rows;
const foldAll = async () => {
  while (await foldDeltas(pool()));
};

async function expectAllExact(tenant: TestTenant, zones = ZONES): Promise<void> {
  for (const timeZone of zones) {
    expect((await tenant.patch('/tenant/me/settings', { timeZone })).status).toBe(200);
    for (const month of [...MONTHS, undefined]) {
      const shown = await read(tenant, month);
      expectExact(shown, await bruteForce(pool(), tenant.id, shown.month, timeZone));
    }
  }
}

describe('after a random walk of changes', () => {
  let tenant: TestTenant;
  beforeAll(async () => {
    tenant = await newTenant();
    await makeChanges(api, tenant.id, countedChanges(SEED, CHANGES));
    // Now, since these have the time of their request.
    await activateList(database.pool, 'OFAC_SDN', [listEntry('101', 'RASPUTIN, Grigori Yefimovich')]);
    const search = async (name: string, headers = {}) =>
      await tenant.post<SanctionsScreening>('/sanctions/search', { name }, { headers });
    await search('Nobody Known');
    await search('Nobody Known', { 'Idempotency-Key': 'one' });
    await search('Nobody Known', { 'Idempotency-Key': 'one' });
    expect((await search('Grigori Yefimovich Rasputin')).body).toMatchObject({ sanctioned: true });
    await tenant.patch('/tenant/me/settings', { screening: { matchThreshold: 1 } });
    expect((await search('Grigori Rasputan')).body).toMatchObject({ sanctioned: false, totalMatches: 1 });
    const { id } = await createTransaction(tenant);
    await letPass(api.db, id);
    const claim = await createClaim(tenant);
    await createClaim(tenant);
    await tenant.patch(`/claims/${claim.id}`, { status: 'CANCELLED' });
  });

  test('something of everything was counted', async () => {
    const { rows } = await pool().query<{ measure: string }>(
      'select distinct measure from statistics_deltas where tenant_id = $1',
      [tenant.id],
    );
    expect(rows.map(({ measure }) => measure).sort()).toEqual([
      'ANSWER',
      'CLAIM',
      'REUSE',
      'RULE_DECISION',
      'SCREENING',
      'TRANSACTION',
      'TRANSACTION_SCREENING',
      'VERIFICATION',
      'WEBHOOK',
    ]);
  });

  test('the statistics say what the records do, in every time zone', async () => {
    await expectAllExact(tenant);
  });

  test('so they do once the changes are folded, and after more changes', async () => {
    await foldAll();
    expect(await rowsOf('statistics_deltas', tenant)).toEqual([]);
    await expectAllExact(tenant);
    await makeChanges(api, tenant.id, countedChanges(SEED + 1, 60));
    await expectAllExact(tenant, ['Asia/Kathmandu']);
  });

  test('the check finds nothing wrong, and names a count that the records do not bear out, a month’s too', async () => {
    const faults = async () => {
      for await (const { tenantId, faults: found } of checkCounts(pool()))
        if (tenantId === tenant.id) return found.map(({ measure, key }) => `${measure} ${key}`);
      throw new Error('the tenant was not checked');
    };
    expect(await faults()).toEqual([]);
    await foldAll();
    expect(await faults()).toEqual([]);
    const change = async (table: string, by: number) =>
      await pool().query(
        `insert into statistics_deltas (tenant_id, quarter, measure, key, count) values ($1, '2026-11-15T00:00Z', $2, 'X', $3)`,
        [tenant.id, table, by],
      );
    await change('CLAIM', 1);
    expect(await faults()).toEqual(['CLAIM X']);
    await change('CLAIM', -1);
    expect(await faults()).toEqual([]);
    // Searches leave after five years, and their counts stay.
    await change('SCREENING', 1);
    expect(await faults()).toEqual([]);
    await change('SCREENING', -2);
    expect(await faults()).toEqual(['SCREENING X']);
    await change('SCREENING', 1);
    await foldAll();
    const months = `update statistics_counts set usd = usd + $2 where tenant_id = $1 and span = 'MONTH' and measure = 'TRANSACTION'`;
    await pool().query(months, [tenant.id, 1]);
    expect((await faults()).length).toBeGreaterThan(0);
    await pool().query(months, [tenant.id, -1]);
    expect(await faults()).toEqual([]);
  });

  test('a count of all records anew comes to the same, and repairs what was wrong', async () => {
    await foldAll();
    const before = await Promise.all(MONTHS.map(async (month) => await read(tenant, month)));
    await pool().query('update statistics_counts set count = count + 1 where tenant_id = $1', [tenant.id]);
    await pool().query(
      `insert into statistics_deltas (tenant_id, quarter, measure, key, count) values ($1, '2026-11-15T00:00Z', 'REUSE', 'HIGH', 7)`,
      [tenant.id],
    );
    await markForRecount(pool());
    expect(await read(tenant, '2026-11')).toMatchObject({ complete: false });
    while (await statisticsRound(pool()));
    const after = await Promise.all(MONTHS.map(async (month) => await read(tenant, month)));
    expect(after.map((each) => ({ ...each, asOf: '' }))).toEqual(
      before.map((each) => ({ ...each, asOf: '' })),
    );
    await expectAllExact(tenant, ['America/Havana']);
  });
});

test('changes, folding by two workers and counting anew at the same time lose nothing and count nothing twice', async () => {
  const tenant = await newTenant();
  let isOver = false;
  const work = async () => {
    while (!isOver) {
      await foldDeltas(pool());
      await recountNext(pool());
    }
  };
  const mark = async () => {
    while (!isOver) await markForRecount(pool());
  };
  const workers = [work(), work(), mark()];
  await Promise.all(
    [1, 2, 3].map(async (n) => await makeChanges(api, tenant.id, countedChanges(SEED + n, 60))),
  ).finally(() => {
    isOver = true;
  });
  await Promise.all(workers);
  while (await statisticsRound(pool()));
  await expectAllExact(tenant, ['UTC', 'Australia/Lord_Howe']);
});

test('a fold whose connection ends at any of its statements counts every change once', async () => {
  const tenant = await newTenant();
  const cuts = cutConnections(pool(), database.pool);
  for (const when of ['BEFORE', 'AFTER'] as const) {
    for (let nth = 1; nth <= 4; nth += 1) {
      await createTransaction(tenant);
      cuts.arm(nth, when);
      await expect(foldDeltas(pool())).rejects.toThrow();
      expect(cuts.disarm()).toBeDefined();
      await expectAllExact(tenant, ['UTC']);
    }
  }
  await foldAll();
  await expectAllExact(tenant, ['UTC']);
});

test('migration 0059 has the records counted that there were before it', async () => {
  const tenant = await newTenant();
  await makeChanges(api, tenant.id, countedChanges(SEED + 9, 60));
  const db = knex({ client: 'pg', connection: database.url, pool: { min: 0, max: 1 } });
  try {
    await db.transaction(down);
    await db.transaction(up);
  } finally {
    await db.destroy();
  }
  expect(await read(tenant, '2026-11')).toMatchObject({ complete: false, transactions: [] });
  while (await statisticsRound(pool()));
  await expectAllExact(tenant, ['UTC']);
});

test('a repeated request and one that is refused count nothing', async () => {
  const tenant = await newTenant();
  const body = {
    asset: 'ETH',
    amount: '1',
    reference: 'R-1',
    blockchainInfo: { destination: evmAddress(), destinationType: 'CUSTODIAL' },
  };
  const headers = { 'Idempotency-Key': 'once' };
  const first = await tenant.post('/transactions', body, { headers });
  await tenant.post('/transactions', body, { headers });
  expect((await tenant.post('/transactions', body)).status).toBe(409);
  expect((await tenant.post('/transactions', { ...body, amount: '-1' })).status).toBe(400);
  expect(first.status).toBe(201);
  expect((await read(tenant)).transactions).toEqual([
    { direction: 'OUTGOING', status: 'PENDING', count: 1, volumeUsd: '0', volumeEur: '0', withoutValue: 1 },
  ]);
});

test('reading looks at no record, however many there are', async () => {
  const tenant = await newTenant();
  await createTransaction(tenant);
  // A connection of its own has counted no other reads.
  const fresh = openPool(database.url, 1, () => undefined);
  const touched = await inTransaction(fresh, async (tx) => {
    await readStatistics(tx, tenant.id, '2026-11', addMs(new Date(), HOUR_MS));
    const { rows } = await tx.query<{ name: string }>(
      `select relname as name from pg_stat_xact_user_tables where seq_scan + coalesce(idx_scan, 0) > 0 order by 1`,
    );
    return rows.map(({ name }) => name);
  });
  await fresh.end();
  expect(touched).toEqual(['statistics_counts', 'statistics_deltas', 'tenants']);
});
