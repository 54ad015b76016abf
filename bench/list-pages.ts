import pg from 'pg';
import { readSettings } from '../process/settings.ts';
import type { Database } from '../db/database.ts';
import { openDatabase } from '../process/open-database.ts';
import { READ_COLUMNS } from '../db/transactions/row.ts';
import { queryTerms } from '../domain/fold.ts';
import { withProgress } from '../standalone/progress.ts';
import type { BenchFigure } from './figure.ts';
import type { BenchInstallation } from './installation.ts';
import { loadTransactions, SEARCHED } from './load-transactions.ts';
import { newDeployment, startApi, type BenchTenant, type RunningApi } from './product.ts';
import { msOf, percentile } from './statistics.ts';

const FULL = { rows: 1_000_000, limitMs: 12_000, atLeast: 100, atMost: 500 };
const QUICK = { rows: 20_000, limitMs: 500, atLeast: 3, atMost: 10 };
export const PAGE = 100;
const WARM_UP = 5;

/** A list request, and the minimal SQL for the same answer. */
interface Page {
  name: string;
  query: string;
  /** The expected X-Total-Count; undefined for a request with `Prefer: count=none`. */
  total: number | undefined;
  goalMs: number;
  bare: pg.QueryConfig<unknown[]>[];
}

interface Times {
  api: number[];
  bare: number[];
}

/**
 * (b) Measures pages of 100 from a million transactions of one tenant, with one client over HTTP. Requests alternate with
 * the minimal SQL for the same answer: a page by primary key, and the count of the same rows.
 */
export async function measureListPages(
  installation: BenchInstallation,
  quick: boolean,
): Promise<BenchFigure[]> {
  const size = quick ? QUICK : FULL;
  const deployment = await newDeployment(installation);
  const api = await withProgress(installation.log, 'Starting the api', startApi(installation, deployment));
  const tenant = await api.createTenant('Bench Exchange');
  const settings = { ...readSettings({}), ...deployment, ENVIRONMENT: 'sandbox' as const };
  const db = await openDatabase({ settings, onIdleError: () => undefined });
  const load = {
    url: deployment.DATABASE_URL,
    tenant,
    count: size.rows,
    say: (done: number) => installation.log(`(b) ${done} transactions loaded`),
  };
  await withProgress(installation.log, `(b) ${size.rows} transactions`, loadTransactions(db, load));
  const pages = await pagesOf(db, tenant, size.rows);
  await db.close();

  const client = new pg.Client({ connectionString: deployment.DATABASE_URL });
  await client.connect();
  // The same work_mem that the product sets for a search.
  await client.query(`set work_mem = '32MB'`);
  const measure = async (step: string, page: Page) =>
    await withProgress(installation.log, `(b) ${step}`, timesOf(page, api, tenant, client, size));
  // Lets the JIT compiler of the api optimise before the measured requests.
  for (const page of pages.slice(0, 1)) await measure('warming up', page);
  const figures: BenchFigure[] = [];
  for (const page of pages) figures.push(figureOf(page, await measure(page.name, page)));
  await client.end();
  await api.stop();
  return figures;
}

async function pagesOf(db: Database, tenant: BenchTenant, rows: number): Promise<Page[]> {
  const page = {
    name: 'bench-page',
    text: `select ${READ_COLUMNS} from transactions order by id desc limit ${PAGE}`,
    values: [],
  };
  const all = { name: 'bench-count', text: 'select count(*) from transactions', values: [] };
  const middle = Math.floor(rows / 2);
  const deep = `_start=${middle}&_end=${middle + PAGE}`;
  const deepName = `page ${(middle / PAGE).toLocaleString('en')}`;
  const keys = await db.vault.tenantKeys(tenant.id);
  const searches = SEARCHED.map(({ word, every }) => {
    const total = rows / every;
    const tokens = `{${keys.tokens('beneficiary', queryTerms(word)).join(',')}}`;
    const hits = {
      name: 'bench-hits',
      text: 'select count(*) from transactions where search_tokens @> $1::bigint[]',
      values: [tokens],
    };
    const name = `q with ${total.toLocaleString('en')} hits, with count`;
    const goalMs = every === 100 ? 150 : 600;
    return { name, query: `q=${word.toLowerCase()}`, total, goalMs, bare: [page, hits] };
  });
  return [
    { name: 'first page', query: '', total: undefined, goalMs: 30, bare: [page] },
    { name: 'first page with count', query: '', total: rows, goalMs: 150, bare: [page, all] },
    { name: deepName, query: deep, total: undefined, goalMs: 100, bare: [page] },
    { name: `${deepName} with count`, query: deep, total: rows, goalMs: 150, bare: [page, all] },
    ...searches,
  ];
}

/** Alternates the request and its bare SQL until there are enough samples or the time is over. */
async function timesOf(
  page: Page,
  api: RunningApi,
  tenant: BenchTenant,
  client: pg.Client,
  { limitMs, atLeast, atMost }: typeof FULL,
): Promise<Times> {
  const times: Times = { api: [], bare: [] };
  const ask = async () => await askPage(page, api, tenant);
  const askBare = async () => {
    for (const statement of page.bare) await client.query(statement);
  };
  for (let n = 0; n < WARM_UP; n += 1) {
    await ask();
    await askBare();
  }
  const endMs = performance.now() + limitMs;
  while (times.api.length < atMost && (times.api.length < atLeast || performance.now() < endMs)) {
    times.api.push(await msOf(ask));
    times.bare.push(await msOf(askBare));
  }
  return times;
}

/** Asks for a page of 100 transactions. Throws if it is not one, or another count is stated than `total`. */
export async function askPage(
  { query, total }: Pick<Page, 'query' | 'total'>,
  { url }: RunningApi,
  { apiKey }: BenchTenant,
): Promise<void> {
  const prefer = total === undefined ? { Prefer: 'count=none' } : {};
  const answer = await fetch(`${url}/transactions?${query}`, { headers: { 'X-Api-Key': apiKey, ...prefer } });
  const body = await answer.arrayBuffer();
  const stated = answer.headers.get('X-Total-Count');
  if (answer.status !== 200 || body.byteLength < PAGE || stated !== (total?.toString() ?? null)) {
    throw new Error(`GET /transactions?${query} was answered ${answer.status} with count ${stated}`);
  }
}

function figureOf({ name, goalMs, total }: Page, times: Times): BenchFigure {
  const p99 = percentile(times.api, 0.99);
  const ratio = percentile(times.api, 0.5) / percentile(times.bare, 0.5);
  const by = total === undefined ? 'a page' : 'a page and the count';
  return {
    measure: 'b',
    name: `list of 100, ${name}`,
    value: `${ratio.toFixed(1)} times (${percentilesOf(times.api)})`,
    comparedTo: `${by} in bare SQL by primary key (${percentilesOf(times.bare)})`,
    goal: `p99 ${goalMs} ms`,
    met: p99 <= goalMs,
    reason: `the bare SQL alone takes ${percentile(times.bare, 0.99).toFixed(0)} ms of it`,
  };
}

function percentilesOf(times: readonly number[]): string {
  return `p50 ${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms`;
}
