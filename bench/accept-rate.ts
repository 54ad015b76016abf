import { randomUUID } from 'node:crypto';
import type autocannon from 'autocannon';
import { readSettings } from '../process/settings.ts';
import type { Queryable } from '../db/postgres.ts';
import { openDatabase } from '../process/open-database.ts';
import { withProgress } from '../standalone/progress.ts';
import { commitsPerSecond, prepareStatements } from './commit-limit.ts';
import type { BenchFigure } from './figure.ts';
import type { BenchInstallation } from './installation.ts';
import { pairedRounds } from './paired-rounds.ts';
import { newDeployment, startApi, type BenchTenant, type RunningApi } from './product.ts';
import { sampleBody } from './sample-body.ts';
import { sendAll, type SentAll } from './send-all.ts';
import { median, percentile } from './statistics.ts';

const CONNECTIONS = 64;
const LIMIT_CONNECTIONS = 16;
const GOAL = { ratio: 0.5, p99Ms: 25 };
/** `warmUp`: requests per connection before the rounds. `seconds`: length of each step, by the rate of the warm-up. */
const FULL = { rounds: 3, warmUp: 100, seconds: 10 };
const QUICK = { rounds: 1, warmUp: 10, seconds: 1 };

/**
 * (a) Measures accepted POST /transactions per second, compared with the rate at which the database alone commits the same
 * statement, one row at a time. Neither Temporal nor a worker runs.
 */
export async function measureAcceptRate(
  installation: BenchInstallation,
  quick: boolean,
): Promise<BenchFigure[]> {
  const size = quick ? QUICK : FULL;
  const deployment = await newDeployment(installation);
  const api = await withProgress(installation.log, 'Starting the api', startApi(installation, deployment));
  const tenant = await api.createTenant('Bench Exchange');
  const comparison = await api.createTenant('Bench Comparison');
  const settings = { ...readSettings({}), ...deployment, ENVIRONMENT: 'sandbox' as const };
  const db = await openDatabase({ settings, onIdleError: () => undefined });

  // The warm-up fills caches and lets the JIT compiler optimise.
  const warm = await withProgress(installation.log, '(a) warming up', accept(api, tenant, size.warmUp));
  const requests = Math.ceil((warm.rate * size.seconds) / CONNECTIONS);
  const limitRows = requests * CONNECTIONS;
  const limit = async (round: number) => {
    const statements = await prepareStatements(db, comparison, round * limitRows, limitRows);
    return await commitsPerSecond(deployment.DATABASE_URL, statements, LIMIT_CONNECTIONS);
  };
  const {
    ratio,
    limit: limitRate,
    rounds,
  } = await pairedRounds(
    size.rounds,
    async (round) => await withProgress(installation.log, `(a) commit limit ${round}`, limit(round)),
    async (round) =>
      await withProgress(installation.log, `(a) requests, round ${round}`, accept(api, tenant, requests)),
  );
  await requireStored(db.pool, tenant, made);
  await db.close();
  await api.stop();

  const rate = median(rounds.map((round) => round.rate));
  const p50 = median(rounds.map(({ times }) => percentile(times, 0.5)));
  const p99 = median(rounds.map(({ times }) => percentile(times, 0.99)));
  return [
    {
      measure: 'a',
      name: 'accepted POST /transactions, 64 connections',
      value: `${ratio.toFixed(2)} (${rate.toFixed(0)}/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms)`,
      comparedTo: `commit limit ${limitRate.toFixed(0)}/s, same statement, 1 row per commit, ${LIMIT_CONNECTIONS} connections`,
      goal: `${GOAL.ratio.toFixed(2)}, p99 ${GOAL.p99Ms} ms`,
      met: ratio >= GOAL.ratio && p99 <= GOAL.p99Ms,
      reason: reasonOf(ratio, rate, limitRate),
    },
  ];
}

/** By Little's law the mean time of a request is the number of connections divided by the rate. */
function reasonOf(ratio: number, rate: number, limit: number): string {
  if (ratio < GOAL.ratio)
    return `${ratio.toFixed(2)} of what the database can commit is less than ${GOAL.ratio}`;
  const needed = (CONNECTIONS * 1_000) / GOAL.p99Ms;
  const meanMs = (CONNECTIONS * 1_000) / rate;
  const within = `${CONNECTIONS} requests within ${GOAL.p99Ms} ms each are at least ${needed.toFixed(0)}/s`;
  if (rate >= needed)
    return `the mean is ${meanMs.toFixed(1)} ms, but the slowest 1 % wait for a pause of the process`;
  return `${within}, and this machine commits ${limit.toFixed(0)} single rows/s`;
}

/** Sends new requests on all connections. */
async function accept(api: RunningApi, tenant: BenchTenant, requests: number): Promise<SentAll> {
  const lists = Array.from({ length: CONNECTIONS }, () => newRequests(requests));
  return await sendAll(`${api.url}/transactions`, tenant, lists);
}

let made = 0;

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
