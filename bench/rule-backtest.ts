import { setTimeout as delay } from 'node:timers/promises';
import { readSettings } from '../process/settings.ts';
import { openDatabase } from '../process/open-database.ts';
import type { Facts } from '../domain/rules/facts.ts';
import { withProgress } from '../standalone/progress.ts';
import { cpuSecondsOf } from './cpu-seconds.ts';
import type { BenchFigure } from './figure.ts';
import type { BenchInstallation } from './installation.ts';
import { loadDecisions } from './load-decisions.ts';
import { loadTransactions } from './load-transactions.ts';
import { newDeployment, startApi, startWorker, type BenchTenant } from './product.ts';
import { residentMb } from './resident-memory.ts';
import { sendAll } from './send-all.ts';
import { percentile } from './statistics.ts';

const NAMESPACE = 'bench-rules';
const FULL = { transactions: 100_000, simulations: 1_000 };
const QUICK = { transactions: 1_000, simulations: 20 };
const GOAL = { perSecond: 2_000, simulateMs: 25, growthMb: 200 };
const POLL_MS = 200;

/**
 * (k) Measures simulations under 200 rules with 500 leaves over HTTP, and a back-test of 20 rules with 50 leaves on 100,000
 * stored decisions. The api and the worker are separate processes.
 */
export async function measureRuleBacktest(
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
  const tenant = await api.createTenant('Bench Exchange');
  const [{ id }] = await tenant.api.get<[{ id: string }]>('/rule-engine');
  const simulated = await withProgress(
    installation.log,
    '(k) simulations',
    simulate(api.url, tenant, id, size.simulations),
  );
  const settings = { ...readSettings({}), ...deployment, ENVIRONMENT: 'sandbox' as const };
  const db = await openDatabase({ settings, onIdleError: () => undefined });
  const load = async () => {
    const { DATABASE_URL: url } = deployment;
    await loadTransactions(db, { url, tenant, count: size.transactions, say: () => undefined });
    await loadDecisions(db, { tenantId: tenant.id, configurationId: id, factsOf });
  };
  await withProgress(installation.log, `(k) ${size.transactions} decided transactions`, load());
  const before = residentMb(worker.pid);
  const tried = await withProgress(installation.log, '(k) back-test', backtest(tenant, id, worker.pid));
  await db.close();
  await Promise.all([api.stop(), worker.stop()]);
  await temporal.end();
  return [simulationFigure(simulated), ...backtestFigures(tried, before)];
}

/** Sends simulations one after the other, like a compliance officer. Leaves out the first hundred, which warm up. */
async function simulate(url: string, tenant: BenchTenant, id: string, count: number): Promise<number[]> {
  await tenant.api.patch(`/rule-engine/${id}/draft`, { rules: sampleRules(200, 500), revision: 1 });
  const request = (n: number) => ({
    method: 'POST' as const,
    path: `/rule-engine/${id}/simulate`,
    body: JSON.stringify({ source: 'DRAFT', input: factsOf(n) }),
  });
  const list = Array.from({ length: count + 100 }, (_, n) => request(n));
  return (await sendAll(url, tenant, [list])).times.slice(100 - 1);
}

interface Tried {
  total: number;
  changed: number;
  seconds: number;
  /** CPU time of the worker during the back-test, in seconds, over all cores. */
  workerSeconds: number;
  peakMb: number;
}

async function backtest(tenant: BenchTenant, id: string, workerPid: number): Promise<Tried> {
  const body = {
    source: 'DRAFT',
    rules: sampleRules(20, 50),
    from: '2000-01-01T00:00:00Z',
    to: '2099-01-01T00:00:00Z',
  };
  const [started, usedBefore] = [performance.now(), cpuSecondsOf(workerPid)];
  const { id: backtestId } = await tenant.api.post<{ id: string }>(`/rule-engine/${id}/backtest`, body);
  let peakMb = 0;
  for (;;) {
    await delay(POLL_MS);
    // Throws where the worker has ended: the back-test would be RUNNING for ever.
    process.kill(workerPid, 0);
    peakMb = Math.max(peakMb, residentMb(workerPid));
    const [found] = await tenant.api.get<{ status: string; processed: number; changed: number }[]>(
      `/rule-engine/${id}/backtests?q=${backtestId}`,
    );
    if (found?.status === 'RUNNING') continue;
    if (found?.status !== 'COMPLETED') throw new Error('the back-test did not complete');
    const seconds = (performance.now() - started) / 1_000;
    const workerSeconds = cpuSecondsOf(workerPid) - usedBefore;
    return { total: found.processed, changed: found.changed, seconds, workerSeconds, peakMb };
  }
}

function simulationFigure(times: readonly number[]): BenchFigure {
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
  return {
    measure: 'k',
    name: 'simulation over HTTP under 200 rules with 500 leaves, with its trace',
    value: `p99 ${p99.toFixed(1)} ms (p50 ${p50.toFixed(1)} ms)`,
    comparedTo: 'nothing: one caller, one after the other',
    goal: `p99 ${GOAL.simulateMs} ms`,
    met: p99 <= GOAL.simulateMs,
  };
}

function backtestFigures(
  { total, changed, seconds, workerSeconds, peakMb }: Tried,
  beforeMb: number,
): BenchFigure[] {
  const rate = total / seconds;
  return [
    {
      measure: 'k',
      name: `back-test of 20 rules with 50 leaves on ${total} stored decisions, ${changed} changed`,
      value: `${rate.toFixed(0)}/s (${seconds.toFixed(1)} s, in which the worker computed ${workerSeconds.toFixed(1)} s)`,
      comparedTo: 'nothing: one worker, facts sealed by record',
      goal: `${GOAL.perSecond}/s`,
      met: rate >= GOAL.perSecond,
      reason: 'a back-test rests for a sixth of its time, so that live work comes first',
    },
    {
      measure: 'k',
      name: 'memory of the worker meanwhile',
      value: `${(peakMb - beforeMb).toFixed(0)} MB more at most (${peakMb.toFixed(0)} MB)`,
      comparedTo: `the same worker before (${beforeMb.toFixed(0)} MB)`,
      goal: `${GOAL.growthMb} MB more`,
      met: peakMb - beforeMb <= GOAL.growthMb,
    },
  ];
}

const COUNTRIES = ['CH', 'DE', 'FR', 'IR', 'US', 'GB', 'KP', 'AE'];

function factsOf(n: number): Facts {
  return {
    amount: String(1 + (n % 977)),
    amountUsd: String(10 + (n % 12_007)),
    amountEur: String(9 + (n % 11_003)),
    asset: n % 3 === 0 ? 'BTC' : 'ETH',
    blockchain: n % 3 === 0 ? 'Bitcoin' : 'Ethereum',
    originatorCountry: 'CH',
    beneficiaryCountry: COUNTRIES[n % COUNTRIES.length],
    counterpartyEntityCountry: ['DE', 'FR'],
    counterpartyInNetwork: n % 5 !== 0,
    destinationType: 'CUSTODIAL',
    sanctionsNameMatch: false,
    missingFields: [],
    hasTransactionHash: n % 2 === 0,
  };
}

/** Rules of two or three leaves. About one transfer in two hundred matches a rule. */
function sampleRules(rules: number, leaves: number): object[] {
  const leafOf = (at: number, index: number) =>
    [
      { field: 'amount', operator: 'GT', value: String(10_950 + (at % 40)), currency: 'EUR' },
      { field: 'beneficiaryCountry', operator: 'IN', value: ['IR', 'KP', 'SY', 'MM'] },
      { field: 'counterpartyInNetwork', operator: 'EQ', value: true },
    ][index] ?? {};
  return Array.from({ length: rules }, (_, at) => ({
    name: `Rule ${at}`,
    priority: at,
    decision: at % 2 === 0 ? 'REVIEW' : 'BLOCK',
    conditions: {
      all: Array.from(
        { length: Math.floor(((at + 1) * leaves) / rules) - Math.floor((at * leaves) / rules) },
        (_leaf, index) => leafOf(at, index),
      ),
    },
  }));
}
