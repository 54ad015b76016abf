import { randomUUID } from 'node:crypto';
import type autocannon from 'autocannon';
import { readSettings } from '../process/settings.ts';
import type { Queryable } from '../db/postgres.ts';
import { openDatabase } from '../process/open-database.ts';
import { withProgress } from '../standalone/progress.ts';
import { commitsPerSecond, prepareStatements } from './commit-limit.ts';
import { diskSync } from './disk-sync.ts';
import type { BenchFigure } from './figure.ts';
import type { BenchInstallation } from './installation.ts';
import { openLoopFigures, poster } from './open-loop.ts';
import { pairedRounds } from './paired-rounds.ts';
import { newDeployment, startApi, type BenchTenant, type RunningApi } from './product.ts';
import { sampleBody } from './sample-body.ts';
import { sendAll, type SentAll } from './send-all.ts';
import { median, percentile } from './statistics.ts';

const CONNECTIONS = 64;
const LIMIT_CONNECTIONS = 16;
const GOAL_RATIO = 0.8;
/** The api gathers what arrives together; so may the database alone. */
const BATCH = 32;
/** As in production, but for the number of requests that are allowed. */
const AS_IN_PRODUCTION = { LOG_LEVEL: 'info', RATE_LIMIT_WRITES: '10000000' };
/** `warmUp`: requests per connection before the rounds. `seconds`: length of each step, by the rate of the warm-up. */
const FULL = { rounds: 3, warmUp: 100, seconds: 10, arrivalSeconds: 30 };
const QUICK = { rounds: 1, warmUp: 10, seconds: 1, arrivalSeconds: 1 };

/**
 * (a) Measures accepted POST /transactions per second, compared with the rate at which the database alone commits the same
 * statement, one row at a time; then the time of requests that arrive at random, below that rate. Neither Temporal nor a worker
 * runs.
 */
export async function measureAcceptRate(
  installation: BenchInstallation,
  quick: boolean,
): Promise<BenchFigure[]> {
  const size = quick ? QUICK : FULL;
  const deployment = await newDeployment(installation);
  const start = async () => await startApi(installation, deployment, AS_IN_PRODUCTION);
  const api = await withProgress(installation.log, 'Starting the api', start());
  const tenant = await api.createTenant('Bench Exchange');
  const comparison = await api.createTenant('Bench Comparison');
  const settings = { ...readSettings({}), ...deployment, ENVIRONMENT: 'sandbox' as const };
  const db = await openDatabase({ settings, onIdleError: () => undefined });

  // The warm-up fills caches and lets the JIT compiler optimise.
  const warm = await withProgress(installation.log, '(a) warming up', accept(api, tenant, size.warmUp));
  const requests = Math.ceil((warm.rate * size.seconds) / CONNECTIONS);
  const limitRows = requests * CONNECTIONS;
  const limit = async (round: number, rowsPerCommit = 1) => {
    const from = round * limitRows;
    const statements = await prepareStatements(db, comparison, { from, count: limitRows, rowsPerCommit });
    const commits = await commitsPerSecond(deployment.DATABASE_URL, statements, LIMIT_CONNECTIONS);
    return commits * rowsPerCommit;
  };
  const {
    ratio,
    text,
    limit: limitRate,
    rounds,
  } = await pairedRounds(
    installation,
    size.rounds,
    async (round) => await withProgress(installation.log, `(a) commit limit ${round}`, limit(round)),
    async (round) =>
      await withProgress(installation.log, `(a) requests, round ${round}`, accept(api, tenant, requests)),
  );
  const rate = median(rounds.map((round) => round.rate));
  const inBatches = limit(size.rounds + 1, BATCH);
  const batchRate = await withProgress(
    installation.log,
    `(a) commit limit in batches of ${BATCH}`,
    inBatches,
  );
  const arrivals = await openLoopFigures(installation, {
    measure: 'a',
    name: 'accepted POST /transactions, api alone',
    maximum: rate,
    seconds: size.arrivalSeconds,
    send: newSender(api, tenant),
  });
  await requireStored(db.pool, tenant, made);
  await db.close();
  await api.stop();

  const comparedTo =
    `commit limit ${limitRate.toFixed(0)}/s, same statement, 1 row per commit, ${LIMIT_CONNECTIONS} connections ` +
    `(${batchRate.toFixed(0)} rows/s in batches of ${BATCH}); ${await diskSync(installation.folder)}`;
  return [rateFigure({ ratio, text, rounds, comparedTo }), ...arrivals];
}

interface MeasuredRate {
  ratio: number;
  text: string;
  rounds: readonly SentAll[];
  comparedTo: string;
}

function rateFigure({ ratio, text, rounds, comparedTo }: MeasuredRate): BenchFigure {
  const ofTimes = (share: number) => median(rounds.map(({ times }) => percentile(times, share))).toFixed(1);
  const rate = median(rounds.map((round) => round.rate)).toFixed(0);
  return {
    measure: 'a',
    name: 'accepted POST /transactions, 64 connections',
    value: `${text}, ${rate}/s, p50 ${ofTimes(0.5)} ms, p99 ${ofTimes(0.99)} ms`,
    comparedTo,
    goal: GOAL_RATIO.toFixed(2),
    met: ratio >= GOAL_RATIO,
    reason:
      'client, api and database share the cores: what the api computes for a request, the database cannot commit',
  };
}

/** Sends new requests on all connections. */
async function accept(api: RunningApi, tenant: BenchTenant, requests: number): Promise<SentAll> {
  const lists = Array.from({ length: CONNECTIONS }, () => newRequests(requests));
  return await sendAll(`${api.url}/transactions`, tenant, lists);
}

let made = 0;

/** Sends one new request. */
function newSender(api: RunningApi, tenant: BenchTenant): () => Promise<void> {
  const post = poster(`${api.url}/transactions`, tenant);
  return async () => await post(JSON.stringify(sampleBody((made += 1))), randomUUID());
}

/** Request bodies that were not sent before, each with a new Idempotency-Key. */
function newRequests(count: number): autocannon.Request[] {
  return Array.from({ length: count }, () => ({
    headers: { 'Idempotency-Key': randomUUID() },
    body: JSON.stringify(sampleBody((made += 1))),
  }));
}

/** Throws unless every 201 is in the database once, with its event, its outbox row and its stored answer. */
async function requireStored(db: Queryable, tenant: BenchTenant, expected: number): Promise<void> {
  const { rows } = await db.query<{ table: string; count: number }>(
    ['transactions', 'events', 'outbox', 'idempotency_keys']
      .map((table) => `select '${table}' as table, count(*) from ${table} where tenant_id = $1`)
      .join(' union all '),
    [tenant.id],
  );
  const wrong = rows.filter((row) => row.count !== expected);
  if (wrong.length > 0) throw new Error(`of ${expected} requests ${JSON.stringify(wrong)} rows are there`);
}
