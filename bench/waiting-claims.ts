import { setTimeout as delay } from 'node:timers/promises';
import { readSettings } from '../process/settings.ts';
import type { Database } from '../db/database.ts';
import { newClaimWrite } from '../db/claims/new-claim-write.ts';
import { writeClaims } from '../db/claims/write-changes.ts';
import { newId } from '../db/new-id.ts';
import { inTransaction } from '../db/postgres.ts';
import { openDatabase } from '../process/open-database.ts';
import { newClaim } from '../domain/claims/new-claim.ts';
import { CreateClaimBody } from '../domain/claims/schema.ts';
import { SYSTEM } from '../domain/events/actor.ts';
import { withProgress } from '../standalone/progress.ts';
import { cpuSecondsOf } from './cpu-seconds.ts';
import type { BenchFigure } from './figure.ts';
import type { BenchInstallation } from './installation.ts';
import { newDeployment, startApi, startWorker, type BenchTenant } from './product.ts';
import { sampleAddress, sampleBody, sampleHash } from './sample-body.ts';
import { percentile } from './statistics.ts';

const NAMESPACE = 'bench-claims';
const FULL = { claims: 10_000, creates: 300, windowSeconds: 60 };
const QUICK = { claims: 200, creates: 20, windowSeconds: 5 };
const GOAL = { transactions: 1.1, cpu: 1.5, create: 1.1, createMs: 1 };
/** An idle connection tells the server's statistics of its transactions within 10 s. */
const STATISTICS_MS = 11_000;
const WRITTEN_AT_ONCE = 250;
const POLL_MS = 200;
/** A deployment that rests uses some 3 % of a core. */
const REST_SHARE = 0.1;
const REST_SECONDS = 5;

/**
 * (u) Measures what waiting claims cost: transactions of the database and CPU time per minute, compared with the same
 * deployment before it had them; then POST /transactions of the tenant that has them, with e-mail switched on, in turn with
 * those of a tenant without both. Each claim has its workflow.
 */
export async function measureWaitingClaims(
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
  const settings = { ...readSettings({}), ...deployment, ENVIRONMENT: 'sandbox' as const };
  const db = await openDatabase({ settings, onIdleError: () => undefined });
  const step = async <T>(name: string, work: Promise<T>) =>
    await withProgress(installation.log, `(u) ${name}`, work);
  const pids = [api.pid, worker.pid, temporal.pid];
  const idle = async () => await idleMinute(db, size.windowSeconds, pids);

  // The first ones warm caches and the compiler.
  await step('warming up', createTimes([tenant], size.creates));
  await step('until everything rests', untilRest(db, pids));
  const before = await step('idle', idle());
  await step(`${size.claims} claims`, writeWaiting(db, tenant, size.claims));
  await tenant.api.patch('/tenant/me/settings', { deliveryEmailEnabled: true });
  await step('their workflows', untilRest(db, pids));
  const during = await step('while they wait', idle());
  const other = await api.createTenant('Bench Exchange without claims');
  const [plain = [], beside = []] = await step(
    'creating with and without them',
    createTimes([other, tenant], size.creates),
  );
  await requireWaiting(db, size.claims);
  await db.close();
  await Promise.all([api.stop(), worker.stop()]);
  await temporal.end();
  return [waitingFigure(size.claims, before, during), createFigure(size.claims, plain, beside)];
}

interface Minute {
  transactions: number;
  cpuMs: number;
}

/** What a deployment does in a minute in which nobody asks anything. */
async function idleMinute(db: Database, seconds: number, pids: readonly number[]): Promise<Minute> {
  const read = async () => ({
    transactions: await transactionsOf(db),
    cpuMs: pids.reduce((sum, pid) => sum + cpuSecondsOf(pid) * 1_000, 0),
  });
  await delay(STATISTICS_MS);
  const from = await read();
  await delay(seconds * 1_000);
  const to = await read();
  const perMinute = 60 / seconds;
  return {
    transactions: (to.transactions - from.transactions) * perMinute,
    cpuMs: (to.cpuMs - from.cpuMs) * perMinute,
  };
}

async function transactionsOf(db: Database): Promise<number> {
  const { rows } = await db.pool.query<{ count: number }>(
    `select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()`,
  );
  return Number(rows[0]?.count);
}

/** Claims that have reached their VASP, whose answer they wait for: most of their time claims spend so. */
async function writeWaiting(db: Database, tenant: BenchTenant, count: number): Promise<void> {
  const { rows } = await db.pool.query<{ entity_id: string }>('select entity_id from tenants where id = $1', [
    tenant.id,
  ]);
  const entityId = rows[0]?.entity_id ?? '';
  await db.vault.tenantKeys(tenant.id);
  for (let written = 0; written < count; written += WRITTEN_AT_ONCE) {
    const now = new Date();
    const changes = Array.from({ length: Math.min(WRITTEN_AT_ONCE, count - written) }, (_, n) =>
      waitingClaim({ ...tenant, entityId }, written + n, now),
    );
    const writes = await Promise.all(changes.map(async (change) => await newClaimWrite(db, change)));
    await inTransaction(db.pool, async (tx) => await writeClaims(db, tx, writes, now));
  }
}

function waitingClaim(tenant: { id: string; name: string; entityId: string }, n: number, now: Date) {
  const body = CreateClaimBody.parse({
    asset: 'ETH',
    blockchainInfo: {
      blockchain: 'Ethereum',
      transactionHash: sampleHash(n),
      destination: sampleAddress(n),
    },
    vaspInfo: { originatorVaspName: 'Far Away Exchange' },
  });
  const settings = { claimDeadlineDays: 10, timeZone: 'UTC' };
  const change = newClaim(body, { id: newId(now), tenant, actor: SYSTEM, now, settings });
  const { after } = change;
  const waiting = { status: 'DELIVERED', messageSource: 'NATIVE', wakeAt: after.deadlineAt } as const;
  return { ...change, after: { ...after, ...waiting } };
}

/**
 * Waits until no workflow is still to be notified and the processes have nothing left to do: workflows that were started take their
 * first steps long after their rows have left the outbox, and nothing in the database says when all have.
 */
async function untilRest(db: Database, pids: readonly number[]): Promise<void> {
  const left = async () =>
    (await db.pool.query('select 1 from outbox where due_at <= now() limit 1')).rowCount;
  while ((await left()) !== 0) await delay(POLL_MS);
  while ((await cpuShareOf(pids)) > REST_SHARE) await delay(POLL_MS);
}

/** The part of one core that the processes use together, over some seconds. */
async function cpuShareOf(pids: readonly number[]): Promise<number> {
  const sum = () => pids.reduce((seconds, pid) => seconds + cpuSecondsOf(pid), 0);
  const before = sum();
  await delay(REST_SECONDS * 1_000);
  return (sum() - before) / REST_SECONDS;
}

async function requireWaiting(db: Database, count: number): Promise<void> {
  const { rows } = await db.pool.query<{ waiting: number }>(
    `select count(*)::int as waiting from claims where status = 'DELIVERED' and version = 1`,
  );
  if (rows[0]?.waiting !== count) throw new Error(`${rows[0]?.waiting} of ${count} claims still wait`);
}

let made = 0;

/** Milliseconds of each POST /transactions, one after the other and the tenants in turn, so that other load slows all alike. */
async function createTimes(tenants: readonly BenchTenant[], count: number): Promise<number[][]> {
  const times: number[][] = tenants.map(() => []);
  for (let n = 0; n < count; n += 1) {
    for (const [at, { api }] of tenants.entries()) {
      const body = sampleBody((made += 1));
      const startedMs = performance.now();
      await api.post('/transactions', body);
      times[at]?.push(performance.now() - startedMs);
    }
  }
  return times;
}

function waitingFigure(claims: number, before: Minute, during: Minute): BenchFigure {
  const [transactions, cpu] = [during.transactions / before.transactions, during.cpuMs / before.cpuMs];
  const text = (minute: Minute) =>
    `${minute.transactions.toFixed(0)} transactions and ${(minute.cpuMs / 1_000).toFixed(1)} s of CPU a minute`;
  return {
    measure: 'u',
    name: `${claims} waiting claims, each with its workflow`,
    value: `${transactions.toFixed(2)} of the transactions, ${cpu.toFixed(2)} of the CPU time (${text(during)})`,
    comparedTo: `the same deployment without them (${text(before)}; api, worker and Temporal)`,
    goal: `${GOAL.transactions.toFixed(2)} and ${GOAL.cpu.toFixed(2)}`,
    met: transactions <= GOAL.transactions && !(cpu > GOAL.cpu),
    reason: 'something looks at claims that only wait',
  };
}

function createFigure(claims: number, plain: readonly number[], beside: readonly number[]): BenchFigure {
  const [before, after] = [percentile(plain, 0.5), percentile(beside, 0.5)];
  return {
    measure: 'u',
    name: `POST /transactions of a tenant with ${claims} open claims and e-mail switched on, one at a time`,
    value: `${(after / before).toFixed(2)} (p50 ${after.toFixed(1)} ms, p99 ${percentile(beside, 0.99).toFixed(1)} ms)`,
    comparedTo: `one without both, in turn with it, p50 ${before.toFixed(1)} ms, p99 ${percentile(plain, 0.99).toFixed(1)} ms`,
    goal: `${GOAL.create.toFixed(2)}, or ${GOAL.createMs} ms more`,
    met: after <= Math.max(before * GOAL.create, before + GOAL.createMs),
    reason: 'the create path has become longer',
  };
}
