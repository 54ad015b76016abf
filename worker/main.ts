import type { Client } from '@temporalio/client';
import { Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';
import { createActivities } from '../activities/index.ts';
import { openLiveness } from '../activities/liveness/http-liveness.ts';
import type { ReportFailure } from '../activities/failures.ts';
import { messageNetworks } from '../activities/network/networks.ts';
import { openAml } from '../aml/open-aml.ts';
import { openAddedIndexes } from '../sanctions-index/added-indexes.ts';
import { openScreener } from '../sanctions-index/open-screener.ts';
import { subjectScreener } from '../sanctions-index/screen-subjects.ts';
import type { SanctionsScreener } from '../sanctions-index/open-screener.ts';
import { canObserve, openObserver } from '../wallet-intelligence/observe-wallet.ts';
import type { Database } from '../db/database.ts';
import { openDatabase } from '../process/open-database.ts';
import { deleteOutboxEntries } from '../db/outbox.ts';
import { openPrices } from '../db/prices/open-prices.ts';
import { listSources } from '../domain/sanctions-lists/list-source.ts';
import { tenantNames } from '../db/tenants/tenant-names.ts';
import { onStop, reportReady } from '../process/signals.ts';
import { ensureEntityDirectory } from '../process/ensure-entity-directory.ts';
import { ensureHiddenTenants } from '../process/ensure-hidden-tenants.ts';
import { checkOwnership } from '../process/check-ownership.ts';
import { runProcess, type ProcessSettings } from '../process/run-process.ts';
import { openStorage } from '../storage/open-storage.ts';
import { endWorkflowsOf } from './end-workflows.ts';
import {
  connectLazily,
  createClient,
  createWorkflowNotifier,
  type WorkflowNotifier,
} from '../workflows/start.ts';
import { createWorkers, type RunningWorkers } from './create-workers.ts';
import { startEndingKeysLoop } from './ending-keys-loop.ts';
import { startLabelLoop } from './label-loop.ts';
import { startOutboxRelay } from './outbox-relay.ts';
import { startPriceLoop, type PriceLoopDeps } from './price-loop.ts';
import { startAuditLoop } from './audit-loop.ts';
import { startSealLoop } from './seal-loop.ts';
import { startScanLoop } from './scan-loop.ts';
import { sdkMetrics } from './sdk-metrics.ts';
import { openSending } from './sending.ts';
import { startRescreenLoop } from './rescreen-loop.ts';
import { startSnapshotLoop } from './snapshot-loop.ts';
import { startStatisticsLoop } from './statistics-loop.ts';
import { startSweep, type SweepOptions } from './sweep.ts';
import { temporalRuntime } from './temporal-logger.ts';
import { untilTemporalIsSetUp } from './temporal-setup.ts';
import { startWorkerMetrics } from './worker-metrics.ts';

const STOP_LIMIT_MS = 9_000;

/** The worker process: runs workflows and activities, relays the outbox, and sweeps overdue rows. */
async function main(settings: ProcessSettings, log: Logger): Promise<void> {
  const sdk = settings.METRICS_PORT === undefined ? undefined : await sdkMetrics();
  Runtime.install(temporalRuntime(log, sdk?.address));
  // Parts stop in reverse order; a stop during the start stops the parts that have started.
  const stops: (() => Promise<void> | void)[] = [];
  onStop(async () => {
    for (const stop of stops.toReversed()) await stop();
  }, STOP_LIMIT_MS);

  const onIdleError = (error: Error) => log.warn({ error }, 'a database connection ended');
  const db = await openDatabase({ settings, onIdleError });
  stops.push(db.close);
  const screener = openScreener({ pool: db.pool, databaseUrl: settings.DATABASE_URL, log });
  stops.push(async () => await screener.close());
  const metrics = await startWorkerMetrics(settings, { pool: db.pool, screener, sdk });
  stops.push(async () => await metrics?.stop());
  await checkOwnership(settings, db.pool);
  await ensureHiddenTenants(settings, db, log);
  await ensureEntityDirectory(db, log);
  const snapshots = startSnapshotLoop(db, log);
  const connection = connectLazily(settings.TEMPORAL_ADDRESS);
  stops.push(snapshots.stop, async () => await connection.close());
  await untilTemporalIsSetUp(connection, settings.TEMPORAL_NAMESPACE, log);
  const client = createClient(connection, settings.TEMPORAL_NAMESPACE);
  const notifier = openWorkflowNotifier(db, client, log);
  stops.push(notifier.drain);
  const prices = await openPrices(settings, db.pool, (error) =>
    log.warn({ error }, 'prices could not be read'),
  );
  stops.push(prices.stop);
  const lists = listSources(settings);
  const screening = screeningParts(settings, db, screener, log);
  const { stop: stopSending, ...sending } = openSending(settings, db.pool, log);
  stops.push(stopSending);
  const activities = createActivities({
    ...screening,
    ...sending,
    networks: messageNetworks(screening, sending),
    chains: settings.chains,
    lists,
    storage: openStorage(settings),
    liveness: openLiveness(settings.LIVENESS_URL),
    priceOf: prices.priceOf,
    ...workflowParts(client, notifier),
  });
  const workers = await createWorkers({
    address: settings.TEMPORAL_ADDRESS,
    namespace: settings.TEMPORAL_NAMESPACE,
    activities,
    databasePool: settings.DATABASE_POOL,
    requestsEnded: sending.handedOver.ended,
    endRequests: async () => await sending.http.close(),
  });
  stops.push(workers.stop);
  exitWhenOver(workers, log);
  const parts = { db, connection, client, lists: lists.map(({ code }) => code), log };
  stops.push(...startLoops(settings, parts, notifier.notifyWorkflows));
  await snapshots.tried;
  log.info('the worker is polling');
  reportReady();
}

function openWorkflowNotifier(db: Database, client: Client, log: Logger) {
  return createWorkflowNotifier({
    client,
    nameOf: tenantNames(db.pool),
    removeDone: async (ids) => await deleteOutboxEntries(db.pool, ids),
    onTrouble: (error) =>
      log.debug({ error }, 'a workflow could not be started; the outbox relay will start it'),
  });
}

/** What activities do with workflows other than their own. */
function workflowParts(client: Client, { notifyWorkflows }: WorkflowNotifier) {
  return {
    notifyWorkflows,
    endWorkflowsOf: async (tenantId: string, onEnded: () => void) =>
      await endWorkflowsOf(client, tenantId, onEnded),
  };
}

/** The parts that screen transfers. */
function screeningParts(settings: ProcessSettings, db: Database, screener: SanctionsScreener, log: Logger) {
  const report: ReportFailure = (activity, error) =>
    log.error({ activity, error }, 'a step failed and is retried');
  return {
    db,
    now: () => new Date(),
    startedAt: new Date(),
    report,
    sanctions: subjectScreener(db, screener),
    addedIndexes: openAddedIndexes(settings.DATABASE_URL),
    aml: openAml({
      settings,
      db,
      onTrouble: (trouble) => log.warn(trouble, 'an AML provider failed or used unmapped terms'),
    }),
    walletIntelligence: { db, observeWallet: openObserver(settings.chains) },
    canObserve: canObserve(settings.chains),
  };
}

/** Starts the periodic work of the worker. */
function startLoops(
  settings: ProcessSettings,
  parts: SweepOptions,
  notifyWorkflows: PriceLoopDeps['notifyWorkflows'],
): (() => Promise<void>)[] {
  const { db, client, log } = parts;
  const loops = [
    startOutboxRelay({ db, client, log }),
    startSweep(parts),
    startLabelLoop(db.pool, log),
    startEndingKeysLoop(db, log),
    startRescreenLoop({ db, client, log }),
    startStatisticsLoop(db.pool, log),
    startSealLoop({ db, now: () => new Date(), notifyWorkflows }, log),
    startAuditLoop({ db, now: () => new Date() }, log),
    ...startPriceLoop(settings, { db, now: () => new Date(), notifyWorkflows }, log),
    ...startScanLoop({ db, client, chains: settings.chains, log }),
  ];
  return loops.map((loop) => loop.stop);
}

function exitWhenOver(workers: RunningWorkers, log: Logger): void {
  workers.ended.catch((error: unknown) => {
    log.fatal({ error }, 'the worker cannot continue and ends; its supervisor must restart it');
    process.exit(1);
  });
}

await runProcess('worker', main);
