import pg from 'pg';
import type { Database } from '../db/database.ts';
import { checkCounts } from '../db/statistics/check-counts.ts';
import { markForRecount, recountNext } from '../db/statistics/recount.ts';
import { localMonth, monthAt } from '../domain/tenants/local-month.ts';
import { openDatabase } from '../process/open-database.ts';
import { readSettings } from '../process/settings.ts';
import { withProgress } from '../standalone/progress.ts';
import type { BenchFigure } from './figure.ts';
import type { BenchInstallation } from './installation.ts';
import { askPage, PAGE } from './list-pages.ts';
import { loadTransactions } from './load-transactions.ts';
import { newDeployment, startApi, type BenchTenant } from './product.ts';
import { sampleBody } from './sample-body.ts';
import { msOf, percentile } from './statistics.ts';
import { withoutIndexes } from './without-indexes.ts';

const FULL = { rows: 10_000_000, models: 100_000, asked: 300 };
const QUICK = { rows: 20_000, models: 2_000, asked: 10 };
const GOAL_MS = 150;
const LIST_GOAL_MS = 30;
/** Half an hour off the quarters of UTC's months, so that the borders of a month are read by quarters of an hour. */
const TIME_ZONE = 'Asia/Kolkata';

/**
 * (v) Measures `GET /tenant/me/statistics` of a tenant with ten million transactions in the month, in turn with one that has
 * none, a recount of all of them while others are accepted, which must agree in the end, and the first page of their list.
 */
export async function measureStatistics(
  installation: BenchInstallation,
  quick: boolean,
): Promise<BenchFigure[]> {
  const { rows, models, asked } = quick ? QUICK : FULL;
  const deployment = await newDeployment(installation);
  const api = await withProgress(installation.log, 'Starting the api', startApi(installation, deployment));
  const [large, empty] = [await api.createTenant('Large Exchange'), await api.createTenant('New Exchange')];
  for (const tenant of [large, empty]) await tenant.api.patch('/tenant/me/settings', { timeZone: TIME_ZONE });
  const settings = { ...readSettings({}), ...deployment, ENVIRONMENT: 'sandbox' as const };
  const db = await openDatabase({ settings, onIdleError: () => undefined });
  const until = new Date();
  const month = monthAt(until, TIME_ZONE);
  const { from } = localMonth(month, TIME_ZONE);
  const load = { url: deployment.DATABASE_URL, tenant: large, count: models, period: { from, until } };
  await loadTransactions(db, { ...load, say: () => undefined });
  const copy = multiply(deployment.DATABASE_URL, rows / models - 1);
  await withProgress(installation.log, `(v) ${rows} transactions`, copy);

  const traffic = startTraffic(large);
  const seconds = await withProgress(installation.log, '(v) counting them anew', recount(db));
  const meanwhile = traffic.accepted();
  const faults = await withProgress(installation.log, '(v) comparing the counts', wrongCounts(db));
  const accepted = await traffic.end();
  const times = { large: [] as number[], empty: [] as number[] };
  for (let n = 0; n < asked; n += 1) {
    times.large.push(await msOf(async () => await countOf(large, month)));
    times.empty.push(await msOf(async () => await countOf(empty, month)));
  }
  // The copies hold the data of others under their own ids, which nobody can open: the first page has only what was sent.
  for (let n = 0; n < PAGE; n += 1) await large.api.post('/transactions', sampleBody(accepted + n));
  const pages: number[] = [];
  const stored = rows + accepted + PAGE;
  const page = { query: '', total: stored };
  for (let n = 0; n < asked; n += 1) pages.push(await msOf(async () => await askPage(page, api, large)));
  const counted = await countOf(large, month);
  if (counted !== stored || faults > 0)
    throw new Error(`${counted} of ${stored} are counted, and ${faults} counts are wrong`);
  await db.close();
  await api.stop();
  return [pageFigure(rows, times), recountFigure(rows, { seconds, meanwhile }), listFigure(rows, pages)];
}

/** Copies what is stored of the first tenant so many times, with other ids; in their order, as they are made. */
async function multiply(url: string, copies: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ columns: string }>(
    `select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
     where table_schema = 'public' and table_name = 'transactions' and is_generated = 'NEVER'
       and column_name not in ('id', 'reference')`,
  );
  const columns = rows[0]?.columns ?? '';
  await client.query('create temporary table models as select * from transactions');
  await withoutIndexes(client, 'transactions', async () => {
    for (let copy = 1; copy <= copies; copy += 1) {
      await client.query(
        `insert into transactions (id, ${columns})
         select lpad(to_hex($1::bigint * 10000000 + row_number() over ()), 32, '0')::uuid, ${columns} from models`,
        [copy],
      );
    }
  });
  await client.query('vacuum (analyze) transactions');
  await client.end();
}

interface Traffic {
  /** How many were accepted so far. */
  accepted: () => number;
  /** Stops; how many were accepted in all. */
  end: () => Promise<number>;
}

/** Posts one transaction after the other until it is ended. */
function startTraffic(tenant: BenchTenant): Traffic {
  let isOver = false;
  let accepted = 0;
  const posting = (async () => {
    while (!isOver) {
      await tenant.api.post('/transactions', sampleBody(accepted));
      accepted += 1;
    }
  })();
  // Its failure is that of whoever ends it.
  posting.catch(() => undefined);
  return {
    accepted: () => accepted,
    end: async () => {
      isOver = true;
      await posting;
      return accepted;
    },
  };
}

async function recount({ pool }: Database): Promise<number> {
  const startedMs = performance.now();
  await markForRecount(pool);
  while (await recountNext(pool));
  return (performance.now() - startedMs) / 1_000;
}

async function wrongCounts({ pool }: Database): Promise<number> {
  let count = 0;
  for await (const { faults } of checkCounts(pool)) count += faults.length;
  return count;
}

interface MonthStatistics {
  complete: boolean;
  transactions: { count: number }[];
}

async function countOf({ api }: BenchTenant, month: string): Promise<number> {
  const { complete, transactions } = await api.get<MonthStatistics>(`/tenant/me/statistics?month=${month}`);
  if (!complete) throw new Error('the statistics are not complete');
  return transactions.reduce((sum, { count }) => sum + count, 0);
}

function pageFigure(rows: number, times: { large: number[]; empty: number[] }): BenchFigure {
  const p99 = percentile(times.large, 0.99);
  const ratio = percentile(times.large, 0.5) / percentile(times.empty, 0.5);
  const texts = [times.large, times.empty].map(
    (each) => `p50 ${percentile(each, 0.5).toFixed(1)} ms, p99 ${percentile(each, 0.99).toFixed(1)} ms`,
  );
  return {
    measure: 'v',
    name: `statistics of a month with ${rows.toLocaleString('en')} transactions`,
    value: `${ratio.toFixed(1)} times (${texts[0]})`,
    comparedTo: `those of a tenant with none (${texts[1]})`,
    goal: `p99 ${GOAL_MS} ms`,
    met: p99 <= GOAL_MS,
  };
}

function recountFigure(
  rows: number,
  { seconds, meanwhile }: { seconds: number; meanwhile: number },
): BenchFigure {
  return {
    measure: 'v',
    name: `a recount of ${rows.toLocaleString('en')} transactions`,
    value: `${seconds.toFixed(0)} s, while ${meanwhile} were accepted one after the other`,
    comparedTo: 'the counts that were kept',
    goal: 'equal in the end',
    met: true,
  };
}

function listFigure(rows: number, times: number[]): BenchFigure {
  const p99 = percentile(times, 0.99);
  return {
    measure: 'v',
    name: `first page of 100 of ${rows.toLocaleString('en')} transactions with their count`,
    value: `p50 ${percentile(times, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
    comparedTo: 'nothing',
    goal: `p99 ${LIST_GOAL_MS} ms`,
    met: p99 <= LIST_GOAL_MS,
  };
}
