import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { withProgress } from '../standalone/progress.ts';
import type { BenchFigure } from './figure.ts';
import type { BenchInstallation } from './installation.ts';
import { newDeployment, startApi, startWorker, type BenchTenant, type RunningApi } from './product.ts';
import { watchMemory } from './resident-memory.ts';
import { sampleWalletFile } from './sample-wallets.ts';
import { median } from './statistics.ts';

const FULL = { rounds: 3, rows: 50_000 };
const QUICK = { rounds: 1, rows: 1_000 };
const GOAL = { ratio: 4, growthMb: 64 };
const NAMESPACE = 'bench-import';

interface Round {
  importMs: number;
  copyMs: number;
  growthMb: number;
}

/**
 * (e) Measures the import of a CSV file with several chains over HTTP, from the first byte sent to the answer. Compared with
 * the time that COPY needs for the same finished rows, into the same table with all indexes. Also measures how much the
 * api's memory grows meanwhile.
 */
export async function measureWalletImport(
  installation: BenchInstallation,
  quick: boolean,
): Promise<BenchFigure[]> {
  const size = quick ? QUICK : FULL;
  const temporal = await installation.startTemporal(NAMESPACE);
  const deployment = await newDeployment(installation, { address: temporal.address, namespace: NAMESPACE });
  const [api, worker] = await withProgress(
    installation.log,
    'Starting api and worker',
    Promise.all([startApi(installation, deployment), startWorker(installation, deployment)]),
  );
  const client = new pg.Client({ connectionString: deployment.DATABASE_URL });
  client.on('error', () => undefined);
  await client.connect();
  // The first, small file lets the JIT compiler optimise.
  await runRound(api, client, -1, Math.min(size.rows, 2_000));
  const rounds: Round[] = [];
  for (let round = 0; round < size.rounds; round += 1) {
    const measured = runRound(api, client, round, size.rows);
    rounds.push(
      await withProgress(installation.log, `(e) ${size.rows} wallets, round ${round + 1}`, measured),
    );
  }
  await client.end();
  await Promise.all([api.stop(), worker.stop()]);
  await temporal.end();
  return figuresOf(rounds, size.rows);
}

async function runRound(api: RunningApi, client: pg.Client, round: number, rows: number): Promise<Round> {
  const tenant = await api.createTenant(`Importing Exchange ${round}`);
  const comparison = await api.createTenant(`Copying Exchange ${round}`);
  const file = sampleWalletFile((round + 1) * rows, rows);
  const stopWatching = watchMemory(api.pid);
  const startedMs = performance.now();
  await upload(api, tenant, file, rows);
  const importMs = performance.now() - startedMs;
  const growthMb = stopWatching();
  return { importMs, growthMb, copyMs: await copyAgain(client, tenant.id, comparison.id, rows) };
}

async function upload(
  { url }: RunningApi,
  { apiKey }: BenchTenant,
  file: Buffer,
  rows: number,
): Promise<void> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(file)]), 'wallets.csv');
  const answer = await fetch(`${url}/wallets/upload-csv`, {
    method: 'POST',
    headers: { 'X-Api-Key': apiKey },
    body: form,
  });
  const body = (await answer.json()) as { created?: number };
  if (answer.status !== 201 || body.created !== rows) {
    throw new Error(`the import was answered ${answer.status}: ${JSON.stringify(body).slice(0, 500)}`);
  }
}

/** Copies the imported rows to another tenant with COPY; returns the milliseconds. */
async function copyAgain(client: pg.Client, from: string, to: string, rows: number): Promise<number> {
  const columns =
    'tenant_id, address, address_normal, tag, asset, blockchain, blockchain_key, metadata, search_tokens, status, ' +
    'source, created_at, updated_at, confirmed_at';
  const source = `select '${to}'::uuid, ${columns.replace('tenant_id, ', '')} from wallets where tenant_id = '${from}'`;
  const text = await buffer(client.query(copyTo(`copy (${source}) to stdout`)));
  const startedMs = performance.now();
  await pipeline(Readable.from([text]), client.query(copyFrom(`copy wallets (${columns}) from stdin`)));
  const tookMs = performance.now() - startedMs;
  const { rows: counted } = await client.query<{ count: string }>(
    'select count(*) from wallets where tenant_id = $1',
    [to],
  );
  if (Number(counted[0]?.count) !== rows) throw new Error('not all rows were copied');
  return tookMs;
}

function figuresOf(rounds: readonly Round[], rows: number): BenchFigure[] {
  const ratio = median(rounds.map(({ importMs, copyMs }) => importMs / copyMs));
  const importMs = median(rounds.map((round) => round.importMs));
  const copyMs = median(rounds.map((round) => round.copyMs));
  const growthMb = Math.max(...rounds.map((round) => round.growthMb));
  const name = `CSV of ${rows.toLocaleString('en')} wallets, end to end`;
  return [
    {
      measure: 'e',
      name,
      value: `${ratio.toFixed(1)} times (${importMs.toFixed(0)} ms)`,
      comparedTo: `COPY of the same finished rows into the same indexed table (${copyMs.toFixed(0)} ms)`,
      goal: `at most ${GOAL.ratio} times`,
      met: ratio <= GOAL.ratio,
    },
    {
      measure: 'e',
      name: `${name}: growth of the api`,
      value: `${growthMb.toFixed(0)} MB at the peak`,
      comparedTo: 'its resident memory before',
      goal: `at most ${GOAL.growthMb} MB`,
      met: !(growthMb > GOAL.growthMb),
    },
  ];
}
