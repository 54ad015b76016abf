import { noRequests } from '../fakes/no-requests.ts';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { claimActivities } from '../../activities/claims/claim-activities.ts';
import type { StepDeps } from '../../activities/transactions/transaction-step.ts';
import { messageNetworks } from '../../activities/network/networks.ts';
import { TEST_MAILS } from '../factories/test-mails.ts';
import { transactionActivities } from '../../activities/transactions/transaction-activities.ts';
import { verificationActivities } from '../../activities/verifications/verification-activities.ts';
import { releaseActivities } from '../../activities/wallets/release-activities.ts';
import type { Database } from '../../db/database.ts';
import type { OutboxEntry } from '../../db/outbox.ts';
import { openPool } from '../../db/postgres.ts';
import { openVault } from '../../db/vault/vault.ts';
import { openScreener } from '../../sanctions-index/open-screener.ts';
import { subjectScreener } from '../../sanctions-index/screen-subjects.ts';
import { createLog } from '../../process/log.ts';
import type { TestApi } from '../api-client.ts';
import type { TestDatabase } from '../database.ts';
import { eventually } from '../eventually.ts';
import { cutConnections } from '../fakes/cut-connections.ts';

/** Retries of one step: each loses one connection at most. */
const MAX_TRIES = 5;
/** More entries than any story has; more would be a circle. */
const MAX_ENTRIES = 60;
const FAR_OFF_MS = 3_600_000;

/** Runs a step as an activity. That one fails is no news here. */
export async function asActivity<T>(step: () => Promise<T>): Promise<T> {
  const environment = new MockActivityEnvironment({ isLocal: false }, { logger: new DefaultLogger('ERROR') });
  return (await environment.run(step)) as T;
}

/** Repeats a step that fails, as Temporal does. */
export async function untilDone<T>(step: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await asActivity(step);
    } catch (error) {
      if (tries === MAX_TRIES) throw error;
    }
  }
}

/**
 * A worker over connections of its own, which are ended at chosen statements, without Temporal: all that its steps have
 * left to do is taken from what they have stored, since whatever they tell at once may be lost.
 */
export async function openCutWorker(api: TestApi, database: TestDatabase) {
  const { MASTER_KEY: masterKey, ENVIRONMENT: environment } = api.config;
  const pool = openPool(database.url, 6, () => undefined);
  // Keys are read over the same connections, so that these reads are cut too.
  const vault = await openVault({ pool, masterKey, environment });
  const db: Database = { pool, vault, walletUrl: api.db.walletUrl, speaksTrp: true };
  const log = createLog('worker', 'info', { write: () => undefined });
  const screener = openScreener({ pool, databaseUrl: database.url, log, pollMs: FAR_OFF_MS });
  // Until the lists are in memory, each search reads them: then the same step would have other statements later.
  await eventually(
    async () => await screener.findWallet('nowhere').catch(() => null),
    (found) => found === null || found.answeredBy === 'INDEX',
  );
  const clock = { offsetMs: 0 };
  const now = () => new Date(Date.now() + clock.offsetMs);
  const screening = {
    db,
    sanctions: subjectScreener(db, screener),
    aml: { ...api.deps.aml, db },
    walletIntelligence: { db, observeWallet: api.deps.observeWallet },
    canObserve: () => false,
    now,
    report: () => undefined,
  };
  const deps: StepDeps = {
    ...screening,
    networks: messageNetworks(screening, TEST_MAILS),
    http: noRequests,
    priceOf: api.deps.priceOf,
    startedAt: new Date(),
    notifyWorkflows: () => undefined,
  };
  return {
    db,
    clock,
    deps: { ...screening, ...deps },
    cuts: cutConnections(pool, database.pool),
    playOut: player(database, deps),
    close: async () => {
      await screener.close();
      await pool.end();
    },
  };
}

export type CutWorker = Awaited<ReturnType<typeof openCutWorker>>;

type Steps = Partial<Record<OutboxEntry['workflow'], (id: string) => Promise<void>>>;

type PlayOut = (tenants: readonly { id: string }[]) => Promise<Set<string>>;

/** Takes all steps that are due by what is stored of these tenants; returns the webhooks that the outbox has told of. */
function player(database: TestDatabase, deps: StepDeps): PlayOut {
  const steps = stepsOf(deps);
  return async (tenants) => {
    const told = new Set<string>();
    const ids = tenants.map(({ id }) => id);
    for (let count = 0; count < MAX_ENTRIES; count += 1) {
      const entry = (await nextEntry(database)) ?? (await nextDue(database, ids, deps.now()));
      if (!entry) return told;
      if (entry.workflow === 'webhookDelivery') told.add(entry.id);
      await steps[entry.workflow]?.(entry.id);
      if (entry.outboxId !== null)
        await database.pool.query('delete from outbox where id = $1', [entry.outboxId]);
    }
    throw new Error('there is no end of steps');
  };
}

function stepsOf(deps: StepDeps): Steps {
  const transactions = transactionActivities(deps);
  const verifications = verificationActivities({ ...deps, chains: [] });
  const claims = claimActivities({ ...deps, ...TEST_MAILS });
  const releases = releaseActivities({ ...deps, report: () => undefined });
  return {
    transactionLifecycle: async (id) => {
      for (let checks: Awaited<ReturnType<typeof transactions.askProviders>> | undefined; ;) {
        const input = checks === undefined ? { id } : { id, checks };
        const { plan } = await untilDone(async () => await transactions.advanceTransaction(input));
        if (plan.step !== 'ASK_PROVIDERS') return;
        checks = await untilDone(async () => await transactions.askProviders({ id }));
      }
    },
    claimRequest: async (id) => void (await untilDone(async () => await claims.advanceClaim({ id }))),
    walletVerification: async (id) =>
      void (await untilDone(async () => await verifications.advanceVerification({ id }))),
    walletRelease: async (id) => {
      while (!(await untilDone(async () => await releases.finishReleased({ id }))).isDone);
    },
  };
}

interface StoredStep {
  outboxId: number | null;
  workflow: OutboxEntry['workflow'];
  id: string;
}

async function nextEntry({ pool }: TestDatabase): Promise<StoredStep | undefined> {
  const { rows } = await pool.query<StoredStep>(
    `select id as "outboxId", workflow, subject_id as id from outbox order by outbox.id limit 1`,
  );
  return rows[0];
}

/** A row whose time has come, as the sweep finds it. */
async function nextDue(
  { pool }: TestDatabase,
  tenantIds: readonly string[],
  now: Date,
): Promise<StoredStep | undefined> {
  const { rows } = await pool.query<StoredStep>(
    `select null as "outboxId", workflow, id from (
       select 'transactionLifecycle' as workflow, tenant_id, id, wake_at from transactions
       union all select 'claimRequest', tenant_id, id, wake_at from claims
       union all select 'walletVerification', tenant_id, id, wake_at from verifications
       union all select 'walletRelease', tenant_id, id, wake_at from wallet_releases
     ) waiting where wake_at <= $1 and tenant_id = any($2::uuid[]) order by wake_at limit 1`,
    [now, tenantIds],
  );
  return rows[0];
}
