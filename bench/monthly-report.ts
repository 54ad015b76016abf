import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { boundsOf, reportableMonths } from '../domain/reports/month.ts';
import { openDatabase } from '../process/open-database.ts';
import { readSettings } from '../process/settings.ts';
import { withProgress } from '../standalone/progress.ts';
import type { BenchFigure } from './figure.ts';
import { measureExport } from './export-growth.ts';
import type { BenchInstallation } from './installation.ts';
import { loadTransactions } from './load-transactions.ts';
import { newDeployment, startApi, startWorker, type BenchTenant, type Deployment } from './product.ts';
import { watchMemory } from './resident-memory.ts';

const NAMESPACE = 'bench-report';
const FULL = { rows: 1_000_000 };
const QUICK = { rows: 2_000 };
const GOAL_MB = 150;
const POLL_MS = 200;

interface Report {
  month: string;
  rows: number;
  sizeBytes: number;
  sha256: string;
}

/**
 * (s) Measures how much the worker grows while it makes the report of a month and an export of the same transactions, and the
 * api while somebody downloads them.
 */
export async function measureMonthlyReport(
  installation: BenchInstallation,
  quick: boolean,
): Promise<BenchFigure[]> {
  const { rows } = quick ? QUICK : FULL;
  const temporal = await installation.startTemporal(NAMESPACE);
  const deployment = await newDeployment(installation, { address: temporal.address, namespace: NAMESPACE });
  const [api, worker] = await withProgress(
    installation.log,
    'Starting api and worker',
    Promise.all([startApi(installation, deployment), startWorker(installation, deployment)]),
  );
  const tenant = await api.createTenant('Bench Exchange');
  const [empty = '', month = ''] = reportableMonths('UTC', new Date(0), new Date()).slice(-2);
  const say = (done: number) => installation.log(`(s) ${done} transactions loaded`);
  const load = loadMonth(deployment, tenant, { month, rows, say });
  await withProgress(installation.log, `(s) ${rows} transactions of one month`, load);
  // Loads the code of both ways before memory is compared.
  await downloaded(api.url, tenant, (await made(tenant, empty)).month);
  const ofWorker = watchMemory(worker.pid);
  const startedMs = performance.now();
  const report = await withProgress(installation.log, '(s) the report', made(tenant, month));
  const seconds = (performance.now() - startedMs) / 1_000;
  const workerMb = ofWorker();
  const ofApi = watchMemory(api.pid);
  const sha256 = await withProgress(installation.log, '(s) its download', downloaded(api.url, tenant, month));
  const apiMb = ofApi();
  if (report.rows !== rows || report.sha256 !== sha256) throw new Error('the report is not whole');
  await worker.stop();
  // Memory is compared with that of a process that has done nothing yet.
  const another = await startWorker(installation, deployment);
  const exported = await withProgress(
    installation.log,
    '(s) the export',
    measureExport(tenant, { api, worker: another }),
  );
  if (exported.rows !== rows) throw new Error('the export is not whole');
  await Promise.all([api.stop(), another.stop()]);
  await temporal.end();
  const of = ({ sizeBytes }: { sizeBytes: number }) =>
    `${rows.toLocaleString('en')} transactions, ${(sizeBytes / 2 ** 20).toFixed(0)} MB`;
  return [
    growthFigure(`the worker makes a report of ${of(report)} in ${seconds.toFixed(0)} s`, workerMb),
    growthFigure('the api sends it', apiMb),
    growthFigure(
      `the worker makes an export of ${of(exported)} in ${exported.seconds.toFixed(0)} s`,
      exported.workerMb,
    ),
    growthFigure('the api sends that', exported.apiMb),
  ];
}

interface Month {
  month: string;
  rows: number;
  say: (done: number) => void;
}

async function loadMonth(
  deployment: Deployment,
  tenant: BenchTenant,
  { month, rows, say }: Month,
): Promise<void> {
  const settings = { ...readSettings({}), ...deployment, ENVIRONMENT: 'sandbox' as const };
  const db = await openDatabase({ settings, onIdleError: () => undefined });
  const period = boundsOf({ month, timeZone: 'UTC' });
  await loadTransactions(db, { url: deployment.DATABASE_URL, tenant, count: rows, period, say });
  await db.close();
}

/** Has a report made, and waits until it is listed. */
async function made({ api }: BenchTenant, month: string): Promise<Report> {
  await api.post(`/tenant/me/reports/${month}`, {});
  for (;;) {
    const listed = (await api.get<Report[]>('/tenant/me/reports')).find((each) => each.month === month);
    if (listed) return listed;
    await delay(POLL_MS);
  }
}

/** The SHA-256 of the file that somebody gets, in hex. */
async function downloaded(apiUrl: string, { api }: BenchTenant, month: string): Promise<string> {
  const { url } = await api.get<{ url: string }>(`/tenant/me/reports/${month}/download-url`);
  const answer = await fetch(apiUrl + new URL(url).pathname);
  if (!answer.ok || !answer.body) throw new Error(`the download was answered ${answer.status}`);
  const hash = createHash('sha256');
  for await (const bytes of answer.body) hash.update(bytes as Uint8Array);
  return hash.digest('hex');
}

function growthFigure(name: string, growthMb: number): BenchFigure {
  return {
    measure: 's',
    name,
    value: `${growthMb.toFixed(0)} MB more at the peak`,
    comparedTo: 'the same process before',
    goal: `at most ${GOAL_MB} MB`,
    met: !(growthMb > GOAL_MB),
  };
}
