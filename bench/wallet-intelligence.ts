import pg from 'pg';
import { withProgress } from '../standalone/progress.ts';
import type { BenchFigure } from './figure.ts';
import type { BenchInstallation } from './installation.ts';
import { newDeployment, startApi, type BenchTenant, type RunningApi } from './product.ts';
import { msOf, percentile } from './statistics.ts';
import { withoutIndexes } from './without-indexes.ts';

const FULL = { labels: 500_000, checks: 2_000 };
const QUICK = { labels: 20_000, checks: 100 };
const WARM_UP = 50;
const GOAL_MS = 20;

/** (m) Measures wallet checks from own data, each stored before its answer, against the commit of one row. */
export async function measureWalletIntelligence(
  installation: BenchInstallation,
  quick: boolean,
): Promise<BenchFigure[]> {
  const size = quick ? QUICK : FULL;
  const deployment = await newDeployment(installation);
  const api = await withProgress(installation.log, 'Starting the api', startApi(installation, deployment));
  const tenant = await api.createTenant('Bench Exchange');
  const client = new pg.Client({ connectionString: deployment.DATABASE_URL });
  client.on('error', () => undefined);
  await client.connect();
  await withProgress(installation.log, `(m) ${size.labels} labels`, loadLabels(client, size.labels));
  const figure = await checkFigure(api, tenant, client, size);
  await client.end();
  await api.stop();
  return [figure];
}

/** Inserts labels of Ethereum addresses that are derived from their number. */
async function loadLabels(client: pg.Client, labels: number): Promise<void> {
  await withoutIndexes(client, 'labels', async () => {
    await client.query(
      `with made as (
         insert into label_imports (source, is_bundled, labels, is_active, started_at, activated_at)
         values ('bench', false, $1, true, now(), now()) returning id
       )
       insert into labels (import_id, confidence, address_key, blockchain, label, type, entity_id, entity_name, reference)
       select made.id, 90, '0x' || md5(n::text) || left(md5(n::text || 'x'), 8), 'Ethereum', 'Wallet ' || n, 'exchange',
         'acme', 'Acme Exchange', 'https://example.com/proof-of-reserves'
       from made, generate_series(0, $1::int - 1) n`,
      [labels],
    );
  });
  await client.query('vacuum (analyze) labels');
  await client.query('create table bench_commits (id int primary key)');
}

/** Addresses of which every second one has a label, spread over all labels. The others are unknown. */
async function addresses(client: pg.Client, { labels, checks }: typeof FULL): Promise<string[]> {
  const { rows } = await client.query<{ address: string }>(
    `select '0x' || md5(n::text) || left(md5(n::text || (case when n % 2 = 0 then 'x' else 'y' end)), 8) as address
     from generate_series(0, $1::int - 1, $2::int) n limit $3`,
    [labels, Math.floor(labels / (checks + WARM_UP)) | 1, checks + WARM_UP],
  );
  return rows.map((row) => row.address);
}

async function checkFigure(
  { url }: RunningApi,
  { apiKey }: BenchTenant,
  client: pg.Client,
  size: typeof FULL,
): Promise<BenchFigure> {
  const [times, bare]: [number[], number[]] = [[], []];
  let labelled = 0;
  for (const [index, address] of (await addresses(client, size)).entries()) {
    const ms = await msOf(async () => {
      const answer = await fetch(`${url}/kyw/Ethereum/${address}`, { headers: { 'X-Api-Key': apiKey } });
      const { classification } = (await answer.json()) as { classification: string };
      if (answer.status !== 200) throw new Error(`GET /kyw was answered ${answer.status}`);
      if (classification === 'CUSTODIAL') labelled += 1;
    });
    bare.push(await msOf(async () => await client.query('insert into bench_commits values ($1)', [index])));
    if (index >= WARM_UP) times.push(ms);
  }
  if (labelled < size.checks / 3 || labelled > size.checks)
    throw new Error('half of them should be labelled');
  return {
    measure: 'm',
    name: `GET /kyw from own data, ${size.labels.toLocaleString('en')} labels`,
    value: `${(percentile(times, 0.5) / percentile(bare, 0.5)).toFixed(1)} times (${percentilesOf(times)})`,
    comparedTo: `the commit of one row (${percentilesOf(bare)})`,
    goal: `p99 ${GOAL_MS} ms`,
    met: percentile(times, 0.99) <= GOAL_MS,
  };
}

function percentilesOf(times: readonly number[]): string {
  return `p50 ${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms`;
}
