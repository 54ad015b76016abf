import { setTimeout as delay } from 'node:timers/promises';
import { readSettings } from '../process/settings.ts';
import { type Database } from '../db/database.ts';
import { newId } from '../db/new-id.ts';
import { openDatabase } from '../process/open-database.ts';
import { writeVerifications } from '../db/verifications/write-changes.ts';
import { SYSTEM } from '../domain/events/actor.ts';
import { newVerification } from '../domain/verifications/new-verification.ts';
import { CreateVerificationBody } from '../domain/verifications/schema.ts';
import { FLOWS } from '../domain/verifications/state.ts';
import { withProgress } from '../standalone/progress.ts';
import type { BenchFigure } from './figure.ts';
import type { BenchInstallation } from './installation.ts';
import { openInbox } from './inbox.ts';
import { RefusedByApi } from './json-api.ts';
import { newDeployment, startApi, startWorker, type BenchTenant } from './product.ts';
import { verificationTable } from '../db/verifications/row.ts';
import { sampleAddress } from './sample-body.ts';
import { inTransaction } from '../db/postgres.ts';

const NAMESPACE = 'bench-expiry';
const GOAL_SECONDS = 300;
/** Minimum rate at which workflows start; all must have started before the verifications expire. */
const STARTS_PER_SECOND = 60;
const FULL = { count: 10_000, submissions: 100, aheadSeconds: 30 };
const QUICK = { count: 200, submissions: 10, aheadSeconds: 10 };
const WRITTEN_AT_ONCE = 250;
const POLL_MS = 100;

/**
 * (i) Measures the time until the last of many verifications that expire at the same moment is marked FAILED, with one
 * workflow each in a real worker. Until then `expiresAt` alone refuses proofs. Requires that each verification is marked
 * once, with one webhook.
 */
export async function measureVerificationExpiry(
  installation: BenchInstallation,
  quick: boolean,
): Promise<BenchFigure[]> {
  const size = quick ? QUICK : FULL;
  const temporal = await installation.startTemporal(NAMESPACE);
  const deployment = await newDeployment(installation, { address: temporal.address, namespace: NAMESPACE });
  const inbox = await openInbox();
  const [api, worker] = await withProgress(
    installation.log,
    'Starting api and worker',
    Promise.all([startApi(installation, deployment), startWorker(installation, deployment)]),
  );
  const tenant = await api.createTenant('Bench Exchange', inbox.urlOf('tenant'));
  const settings = { ...readSettings({}), ...deployment, ENVIRONMENT: 'sandbox' as const };
  const db = await openDatabase({ settings, onIdleError: () => undefined });
  const step = async <T>(name: string, work: Promise<T>) =>
    await withProgress(installation.log, `(i) ${name}`, work);

  const seconds = size.aheadSeconds + size.count / STARTS_PER_SECOND;
  const endsAt = new Date(Date.now() + seconds * 1_000);
  const ids = await step(`${size.count} verifications`, writeAll(db, tenant, size.count, endsAt));
  await step('their workflows', untilStarted(db, endsAt));
  await step('until their time is over', delay(endsAt.getTime() - Date.now()));
  const [markedMs] = await Promise.all([
    step('marking', untilMarked(db, endsAt)),
    // Proofs are submitted to the verifications that are marked last.
    requireRefused(tenant, ids.slice(-size.submissions)),
  ]);
  await requireOnce(db, size.count);
  await db.close();
  await Promise.all([api.stop(), worker.stop()]);
  inbox.close();
  await temporal.end();
  return [
    {
      measure: 'i',
      name: `${size.count} verifications that end at one moment, all marked`,
      value:
        `after ${(markedMs / 1_000).toFixed(1)} s, each with one webhook; ` +
        `${size.submissions} proofs meanwhile refused by the clock`,
      comparedTo: 'nothing: a workflow for each in one worker',
      goal: `${GOAL_SECONDS} s, each once`,
      met: markedMs <= GOAL_SECONDS * 1_000,
    },
  ];
}

/**
 * Writes verifications like those of the api, but with the same `expiresAt`. The worker's outbox relay starts their
 * workflows.
 */
async function writeAll(db: Database, tenant: BenchTenant, count: number, endsAt: Date): Promise<string[]> {
  const keys = await db.vault.tenantKeys(tenant.id);
  const ids: string[] = [];
  while (ids.length < count) {
    const now = new Date();
    const writes = Array.from({ length: Math.min(WRITTEN_AT_ONCE, count - ids.length) }, (_, n) => {
      const change = newOne(tenant, ids.length + n, now, endsAt);
      return { open: verificationTable.withNewKey(change.after, keys), change, isNew: true };
    });
    await inTransaction(db.pool, async (tx) => await writeVerifications(db, tx, writes, now));
    ids.push(...writes.map(({ open }) => open.record.id));
  }
  return ids;
}

function newOne(tenant: BenchTenant, n: number, now: Date, expiresAt: Date) {
  const body = CreateVerificationBody.parse({
    asset: 'ETH',
    blockchain: 'Ethereum',
    address: sampleAddress(n),
  });
  const change = newVerification(body, {
    id: newId(now),
    tenantId: tenant.id,
    actor: SYSTEM,
    now,
    isSandbox: true,
    settings: { allowedFlows: [...FLOWS], expiresInHours: 1 },
    scanned: undefined,
    reuseCode: null,
    newId: () => newId(now),
  });
  // `reminded` is set, so that only the expiry is left to do.
  return { ...change, after: { ...change.after, expiresAt, wakeAt: expiresAt, reminded: true } };
}

async function untilStarted(db: Database, endsAt: Date): Promise<void> {
  while ((await countOf(db, 'outbox')) > 0) {
    if (new Date() >= endsAt) throw new Error('the time was over before every workflow was started');
    await delay(POLL_MS);
  }
}

/** Waits until no verification is PENDING; returns the milliseconds since they expired. */
async function untilMarked(db: Database, endsAt: Date): Promise<number> {
  while ((await countOf(db, `verifications where status = 'PENDING'`)) > 0) await delay(POLL_MS);
  return Date.now() - endsAt.getTime();
}

/** Throws unless these verifications refuse a proof with 410, marked or not. */
async function requireRefused({ api }: BenchTenant, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const path = `/wallet-verification/${id}/verification`;
    const status = await api.post(path, { verificationFlow: 'SELF_DECLARED' }).then(
      () => 200,
      (error: unknown) => (error instanceof RefusedByApi ? error.status : error),
    );
    if (status !== 410) throw new Error(`a proof that came too late was answered ${String(status)}`);
  }
}

async function requireOnce(db: Database, count: number): Promise<void> {
  const marked = `verifications where status = 'FAILED' and failure_code = 'EXPIRED' and version = 2`;
  const logged = `events where type = 'EXPIRED'`;
  const sent = `webhook_deliveries where kind = 'wallet-verification' and resource_version = 2`;
  const counts = await Promise.all([marked, logged, sent].map(async (rows) => await countOf(db, rows)));
  if (counts.some((found) => found !== count)) {
    throw new Error(`of ${count} verifications ${counts.join(', ')} are marked, logged and have a webhook`);
  }
}

async function countOf(db: Database, rows: string): Promise<number> {
  const { rows: found } = await db.pool.query<{ count: number }>(`select count(*) from ${rows}`);
  return found[0]?.count ?? 0;
}
