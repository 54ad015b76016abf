import pg from 'pg';
import { readSettings } from '../process/settings.ts';
import type { Database } from '../db/database.ts';
import { openDatabase } from '../process/open-database.ts';
import { findHolders, type DestinationHolder } from '../db/wallets/match-wallet.ts';
import { withProgress } from '../standalone/progress.ts';
import type { BenchFigure } from './figure.ts';
import type { BenchInstallation } from './installation.ts';
import { loadWallets } from './load-wallets.ts';
import { newDeployment, startApi, type BenchTenant, type RunningApi } from './product.ts';
import { msOf, percentile } from './statistics.ts';

const FULL = { rows: 10_000_000, lookups: 2_000, pages: 200 };
const QUICK = { rows: 100_000, lookups: 100, pages: 10 };
/** Number of tenants. Each has the same number of wallets: a million in a full run. */
const TENANTS = 10;
const PAGE = 100;
const GOAL = { lookupMs: 5, pageMs: 30, countMs: 150 };

/** (f) Measures the search for the holder of a destination among all tenants' wallets, and pages of one tenant's list. */
export async function measureWalletRegistry(
  installation: BenchInstallation,
  quick: boolean,
): Promise<BenchFigure[]> {
  const size = quick ? QUICK : FULL;
  const deployment = await newDeployment(installation);
  const api = await withProgress(installation.log, 'Starting the api', startApi(installation, deployment));
  const tenants: BenchTenant[] = [];
  for (let index = 0; index < TENANTS; index += 1) {
    tenants.push(await api.createTenant(`Bench Exchange ${index}`));
  }
  const client = new pg.Client({ connectionString: deployment.DATABASE_URL });
  client.on('error', () => undefined);
  await client.connect();
  const ids = tenants.map(({ id }) => id);
  await withProgress(installation.log, `(f) ${size.rows} wallets`, loadWallets(client, ids, size.rows));
  const settings = { ...readSettings({}), ...deployment, ENVIRONMENT: 'sandbox' as const };
  const db = await openDatabase({ settings, onIdleError: () => undefined });
  const figures = [
    await lookupFigure(db, client, tenants, size),
    await listFigure(api, tenants, size, false),
    await listFigure(api, tenants, size, true),
  ];
  await db.close();
  await client.end();
  await api.stop();
  return figures;
}

/** Addresses of which every second one is registered, spread over the whole registry. The others are unknown. */
async function destinations(client: pg.Client, rows: number, count: number): Promise<string[]> {
  const step = Math.floor(rows / count);
  const { rows: found } = await client.query<{ address: string }>(
    `select '0x' || md5(n::text) || left(md5(n::text || (case when n % 2 = 0 then 'x' else 'y' end)), 8) as address
     from generate_series(0, $1::int - 1, $2::int) n`,
    [rows, step | 1],
  );
  return found.map((row) => row.address);
}

async function lookupFigure(
  db: Database,
  client: pg.Client,
  tenants: readonly BenchTenant[],
  { rows, lookups }: typeof FULL,
): Promise<BenchFigure> {
  const [times, bare, holders]: [number[], number[], DestinationHolder[][]] = [[], [], []];
  const stranger = '00000000-0000-0000-0000-000000000000';
  for (const [index, address] of (await destinations(client, rows, lookups)).entries()) {
    const destination = {
      destination: address,
      destinationNormal: address,
      destinationTag: null,
      blockchain: 'Ethereum',
      blockchainKey: 'Ethereum',
      asset: 'ETH',
    };
    times.push(await msOf(async () => holders.push(await findHolders(db.pool, stranger, destination))));
    bare.push(
      await msOf(async () => await client.query('select 1 from wallets where id = $1', [index * 37 + 1])),
    );
  }
  const found = holders.filter((each) => tenants.some(({ id }) => id === each[0]?.tenantId)).length;
  if (found === 0 || found === holders.length) throw new Error('half of the destinations should be found');
  const p99 = percentile(times, 0.99);
  return {
    measure: 'f',
    name: `holder of a destination among ${rows.toLocaleString('en')} wallets`,
    value: `${(percentile(times, 0.5) / percentile(bare, 0.5)).toFixed(1)} times (${percentilesOf(times)})`,
    comparedTo: `one row by primary key (${percentilesOf(bare)})`,
    goal: `p99 ${GOAL.lookupMs} ms`,
    met: p99 <= GOAL.lookupMs,
  };
}

async function listFigure(
  { url }: RunningApi,
  [tenant]: readonly BenchTenant[],
  { rows, pages }: typeof FULL,
  wantsCount: boolean,
): Promise<BenchFigure> {
  const headers = { 'X-Api-Key': tenant?.apiKey ?? '', ...(wantsCount ? {} : { Prefer: 'count=none' }) };
  const ask = async () => {
    const answer = await fetch(`${url}/wallets?_start=0&_end=${PAGE}`, { headers });
    const page = (await answer.json()) as unknown[];
    if (page.length !== PAGE) throw new Error(`GET /wallets was answered ${answer.status}`);
  };
  for (let n = 0; n < 5; n += 1) await ask();
  const times: number[] = [];
  for (let n = 0; n < pages; n += 1) times.push(await msOf(ask));
  const goalMs = wantsCount ? GOAL.countMs : GOAL.pageMs;
  const mine = (rows / TENANTS).toLocaleString('en');
  return {
    measure: 'f',
    name: `list of 100 wallets of ${mine}${wantsCount ? ', with count' : ''}`,
    value: percentilesOf(times),
    comparedTo: 'nothing',
    goal: `p99 ${goalMs} ms`,
    met: percentile(times, 0.99) <= goalMs,
  };
}

function percentilesOf(times: readonly number[]): string {
  return `p50 ${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms`;
}
