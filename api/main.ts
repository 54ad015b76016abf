import { openDatabase } from '../process/open-database.ts';
import type { Database } from '../db/database.ts';
import { deleteOutboxEntries } from '../db/outbox.ts';
import { openPrices } from '../db/prices/open-prices.ts';
import { troubledLists } from '../db/sanctions-lists/list-health.ts';
import { tenantNames } from '../db/tenants/tenant-names.ts';
import { listSources } from '../domain/sanctions-lists/list-source.ts';
import { startMetricsServer } from '../process/metrics-server.ts';
import type { Connection } from '@temporalio/client';
import type { Logger } from 'pino';
import { onStop, reportReady } from '../process/signals.ts';
import { ensureEntityDirectory } from '../process/ensure-entity-directory.ts';
import { ensureHiddenTenants } from '../process/ensure-hidden-tenants.ts';
import { checkOwnership } from '../process/check-ownership.ts';
import { runProcess, type ProcessSettings } from '../process/run-process.ts';
import { openScreener } from '../sanctions-index/open-screener.ts';
import { isClamdReachable } from '../storage/clamd.ts';
import {
  connectLazily,
  createClient,
  createWorkflowNotifier,
  startImport,
  startListUpdate,
} from '../workflows/start.ts';
import { createApp } from './app.ts';
import { createDeps } from './create-deps.ts';
import type { Deps } from './deps.ts';
import { endpointsOf } from './endpoints.ts';
import { readQueues } from './read-queues.ts';
import { createMetrics } from './request-metrics.ts';
import { startServer } from './server.ts';
import { startTrpServer } from './trp/start-trp-server.ts';

const STOP_LIMIT_MS = 8_000;
const HEALTH_DEADLINE_MS = 1_000;
/** Longer than the lists take to load on most machines. */
const INDEX_LIMIT_MS = 60_000;
/** A request that confirms waits so long for lists and providers. */
const SCREENING_LIMIT_MS = 2_000;

/** The api process: answers HTTP requests, writes to PostgreSQL and notifies workflows. It also works without Temporal. */
async function main(settings: ProcessSettings, log: Logger): Promise<void> {
  const onIdleError = (error: Error) => log.warn({ error }, 'a database connection ended');
  const db = await openDatabase({ settings, onIdleError });
  await checkOwnership(settings, db.pool);
  await ensureHiddenTenants(settings, db, log);
  await ensureEntityDirectory(db, log);
  const connection = connectLazily(settings.TEMPORAL_ADDRESS);
  const client = createClient(connection, settings.TEMPORAL_NAMESPACE);
  const nameOf = tenantNames(db.pool);
  const notifier = createWorkflowNotifier({
    client,
    nameOf,
    removeDone: async (ids) => await deleteOutboxEntries(db.pool, ids),
    onTrouble: (error) =>
      log.debug({ error }, 'a workflow could not be started; the outbox relay will start it'),
  });
  const prices = await openPrices(settings, db.pool, (error) =>
    log.warn({ error }, 'prices could not be read'),
  );
  const screener = openScreener({ pool: db.pool, databaseUrl: settings.DATABASE_URL, log });
  const metrics = createMetrics();
  const deps = createDeps({
    settings,
    log,
    metrics,
    db,
    screener,
    screeningLimitMs: SCREENING_LIMIT_MS,
    priceOf: prices.priceOf,
    notifyWorkflows: notifier.notifyWorkflows,
    startImport: async (subject) => await startImport(client, subject, await nameOf(subject.tenantId)),
    startListUpdate: async (update) => await startListUpdate(client, update),
    readQueues: async () => await readQueues(connection, settings.TEMPORAL_NAMESPACE),
    degraded: async () => [
      ...((await isTemporalDown(connection)) ? ['temporal'] : []),
      ...(prices.isEmpty() ? ['prices'] : []),
      ...(screener.behindMs() > INDEX_LIMIT_MS ? ['sanctionsIndex'] : []),
      ...(await troubledParts(settings, db)),
    ],
  });
  const server = await startServers(settings, deps);
  const metricsServer = await startMetricsServer(settings, metrics.registry);
  log.info(
    { url: server.url, trpUrl: server.trpUrl, metricsUrl: metricsServer?.url },
    'the api is listening',
  );
  onStop(async () => {
    prices.stop();
    await server.stop(STOP_LIMIT_MS - 2_000);
    await metricsServer?.stop();
    await notifier.drain();
    await deps.audit.close();
    await deps.addressQuestions.close();
    await connection.close();
    await screener.close();
    await db.close();
  }, STOP_LIMIT_MS);
  reportReady();
}

/** The listener of the api, and that of TRP if it has one of its own. */
async function startServers(settings: ProcessSettings, deps: Deps) {
  const server = await startServer({
    app: createApp({ endpoints: endpointsOf(settings.ENVIRONMENT), deps }),
    host: settings.HOST,
    port: settings.PORT,
  });
  const trpServer = await startTrpServer(settings, deps);
  return {
    url: server.url,
    trpUrl: trpServer?.url,
    stop: async (limitMs: number) => {
      await Promise.all([server.stop(limitMs), trpServer?.stop(limitMs)]);
    },
  };
}

async function isTemporalDown(connection: Connection): Promise<boolean> {
  try {
    const until = Date.now() + HEALTH_DEADLINE_MS;
    await connection.withDeadline(until, async () => await connection.workflowService.getSystemInfo({}));
    return false;
  } catch {
    return true;
  }
}

/** A virus scanner that does not answer, and sanctions lists that need an operator. */
async function troubledParts(settings: ProcessSettings, db: Database): Promise<string[]> {
  const fetched = listSources(settings).map(({ code }) => code);
  return [
    ...((await isScannerDown(settings)) ? ['virusScanner'] : []),
    ...(await troubledLists(db.pool, fetched)).map((code) => `sanctions:${code}`),
  ];
}

async function isScannerDown({ CLAMD_URL }: ProcessSettings): Promise<boolean> {
  return CLAMD_URL !== undefined && !(await isClamdReachable(CLAMD_URL, HEALTH_DEADLINE_MS));
}

await runProcess('api', main);
