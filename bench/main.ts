import { cpus, totalmem } from 'node:os';
import { stopSignal } from '../standalone/stop-signal.ts';
import type { ProgressLog } from '../standalone/progress.ts';
import { measureAcceptRate } from './accept-rate.ts';
import { measureChainScan } from './chain-scan.ts';
import { figureLine, isSame, type BenchFigure, type MeasureName } from './figure.ts';
import { FIGURES_FILE, keepFigures, lastFigures } from './kept-figures.ts';
import { makeInstallation, type BenchInstallation } from './installation.ts';
import { measureLifecycleScreening } from './lifecycle-screening.ts';
import { measureHotCustomer } from './hot-customer.ts';
import { measureListPages } from './list-pages.ts';
import { measureBurst } from './burst.ts';
import { measureMessageDelay } from './message-delay.ts';
import { measureMessageRate } from './message-rate.ts';
import { measureMonthlyReport } from './monthly-report.ts';
import { measureRecovery } from './recovery.ts';
import { measureRuleBacktest } from './rule-backtest.ts';
import { measureRuleEvaluation } from './rule-evaluation.ts';
import { measureScale, measureTenth } from './scale.ts';
import { measureMemory } from './whole-memory.ts';
import { measureSanctionsRace } from './sanctions-race.ts';
import { measureStatistics } from './statistics-at-size.ts';
import { measureTrpRoundTrip } from './trp-round-trip.ts';
import { measureSignInFlood } from './sign-in-flood.ts';
import { measureTwoOfEverything } from './two-of-everything.ts';
import { measureVerificationExpiry } from './verification-expiry.ts';
import { measureVerificationRate } from './verification-rate.ts';
import { measureWaitingClaims } from './waiting-claims.ts';
import { measureWalletImport } from './wallet-import.ts';
import { measureWalletIntelligence } from './wallet-intelligence.ts';
import { measureWalletRegistry } from './wallet-registry.ts';
import { measureWebhookDelay } from './webhook-delay.ts';

/**
 * `npm run bench [-- a] [-- --quick]`: measures the product's speed, mostly as a ratio to what the same machine can do at
 * all: (a) accepting transactions, (b) pages of a long list, (c) the delay of webhooks, (d) delivering messages end to
 * end, (e) importing a CSV file of wallets, (f) look-ups in a registry of ten million wallets, (g) reading a block while
 * 100,000 verifications wait for a transfer, (h) accepting signature proofs, (i) expiring ten thousand verifications at
 * once, (j) a decision under many rules, (k) simulations of rules and back-tests on 100,000 stored decisions, (l)
 * screening names compared with another engine, (m) checks of wallets from own data, (n) the cost of screening in the
 * transaction workflow, (o) the time from POST to the receiver's webhook, (p) a burst of messages and what the API
 * answers meanwhile, (q) the recovery after kill -9 of everything, (r) other requests under a flood of wrong sign-ins,
 * (s) the memory of a report and an export of a million transactions, (t) a message and its answer by TRP between two deployments,
 * (u) ten thousand claims that wait, (v) statistics of ten million transactions, only when it is named, (w) two of everything on one
 * database, (x) the memory of all of it, (y) what a decision reads of a customer with 50,000 transfers a day, only when it is named, (scale) the
 * ten most used requests at 10,000 tenants and at 100, only when it is named, (tenth) the same at 1,000 and 10, where all is in memory.
 */

const MEASURES: Record<
  MeasureName,
  (installation: BenchInstallation, quick: boolean) => Promise<BenchFigure[]>
> = {
  a: measureAcceptRate,
  b: measureListPages,
  c: measureWebhookDelay,
  d: measureMessageRate,
  e: measureWalletImport,
  f: measureWalletRegistry,
  g: measureChainScan,
  h: measureVerificationRate,
  i: measureVerificationExpiry,
  j: measureRuleEvaluation,
  k: measureRuleBacktest,
  l: measureSanctionsRace,
  m: measureWalletIntelligence,
  n: measureLifecycleScreening,
  o: measureMessageDelay,
  p: measureBurst,
  q: measureRecovery,
  r: measureSignInFlood,
  s: measureMonthlyReport,
  t: measureTrpRoundTrip,
  u: measureWaitingClaims,
  v: measureStatistics,
  w: measureTwoOfEverything,
  x: measureMemory,
  y: measureHotCustomer,
  scale: measureScale,
  tenth: measureTenth,
};

/** Measures that are made only when they are named: ten million transactions take a quarter of an hour to load, and half a million minutes. */
const ONLY_NAMED: ReadonlySet<MeasureName> = new Set(['v', 'y', 'scale', 'tenth']);

interface BenchOptions {
  names: MeasureName[];
  quick: boolean;
}

function readArguments(args: readonly string[]): BenchOptions {
  const quick = args.includes('--quick');
  const given = args.filter((arg) => arg !== '--quick');
  const unknown = given.find((arg) => !isMeasure(arg));
  if (unknown !== undefined) {
    throw new Error(
      `There is no measure "${unknown}". npm run bench -- [${Object.keys(MEASURES).join('|')}] [--quick]`,
    );
  }
  const all = Object.keys(MEASURES).filter(isMeasure);
  const names = given.length > 0 ? given.filter(isMeasure) : all.filter((name) => !ONLY_NAMED.has(name));
  return { names, quick };
}

function isMeasure(name: string): name is MeasureName {
  return name in MEASURES;
}

const log: ProgressLog = (line) => console.log(line);

async function run({ names, quick }: BenchOptions, installation: BenchInstallation): Promise<void> {
  const before = quick ? undefined : lastFigures();
  const measured: BenchFigure[] = [];
  for (const name of names) {
    const figures = await MEASURES[name](installation, quick);
    measured.push(...figures);
    // At once, too: a run of an hour that is stopped must not have been for nothing.
    for (const { measure, name: what, value } of figures) log(`(${measure}) ${what}: ${value}`);
    if (!quick) keepFigures(figures);
  }
  const memory = Math.round(totalmem() / 2 ** 30);
  log(
    `\n${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${memory} GiB, Node ${process.versions.node}`,
  );
  for (const figure of measured) log(figureLine(figure, quick, before?.find(isSame(figure))));
  if (!quick) log(`All figures: ${FIGURES_FILE}`);
}

async function main(): Promise<number> {
  const options = readArguments(process.argv.slice(2));
  const signal = stopSignal(() => process.exit(1));
  const installation = await makeInstallation(log);
  const stopped = new Promise<number>((resolve) => {
    signal.addEventListener('abort', () => resolve(130));
  });
  try {
    return await Promise.race([run(options, installation).then(() => 0), stopped]);
  } finally {
    await installation.remove();
  }
}

try {
  process.exit(await main());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
