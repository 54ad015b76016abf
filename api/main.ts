import { openDatabase } from '../db/open-database.ts';
import { deletePokes } from '../db/outbox.ts';
import { openPrices } from '../db/prices/open-prices.ts';
import { startMetricsServer } from '../metrics-server.ts';
import type { Logger } from 'pino';
import { onStop, reportReady } from '../parent.ts';
import { prepareDirectory } from '../prepare-directory.ts';
import { prepareSandbox } from '../prepare-sandbox.ts';
import { runProcess, type ProcessConfig } from '../run-process.ts';
import { isClamdThere } from '../storage/clamd.ts';
import { connectLazily, createClient, createTeller, startImport } from '../workflows/start.ts';
import { createApp } from './app.ts';
import { createDeps } from './create-deps.ts';
import { endpointsOf } from './endpoints.ts';
import { createMetrics } from './middleware/measure-requests.ts';
import { startServer } from './server.ts';

const STOP_LIMIT_MS = 8_000;
const HEALTH_DEADLINE_MS = 1_000;

/** The api process: answers HTTP, writes PostgreSQL, tells workflows. Works without Temporal. */
async function main(config: ProcessConfig, log: Logger): Promise<void> {
  const onIdleError = (error: Error) => log.warn({ error }, 'a database connection ended');
  const db = await openDatabase({ config, onIdleError });
  await prepareSandbox(config, db, log);
  await prepareDirectory(db, log);
  const connection = connectLazily(config.TEMPORAL_ADDRESS);
  const client = createClient(connection, config.TEMPORAL_NAMESPACE);
  const teller = createTeller({
    client,
    removeDone: async (ids) => await deletePokes(db.pool, ids),
    onTrouble: (error) => log.debug({ error }, 'a workflow could not be told; the relay will'),
  });
  const prices = await openPrices(config, db.pool, (error) =>
    log.warn({ error }, 'prices could not be read'),
  );
  const metrics = createMetrics();
  const deps = createDeps({
    config,
    log,
    metrics,
    db,
    priceOf: prices.priceOf,
    tell: teller.tell,
    startImport: async (subject) => await startImport(client, subject),
    degraded: async () => {
      const down = await connection
        .withDeadline(
          Date.now() + HEALTH_DEADLINE_MS,
          async () => await connection.workflowService.getSystemInfo({}),
        )
        .then(
          () => false,
          () => true,
        );
      const { CLAMD_URL } = config;
      const unscanned = CLAMD_URL !== undefined && !(await isClamdThere(CLAMD_URL, HEALTH_DEADLINE_MS));
      return [
        ...(down ? ['temporal'] : []),
        ...(prices.isEmpty() ? ['prices'] : []),
        ...(unscanned ? ['virusScanner'] : []),
      ];
    },
  });
  const server = await startServer({
    app: createApp({ endpoints: endpointsOf(config.ENVIRONMENT), deps }),
    host: config.HOST,
    port: config.PORT,
  });
  const metricsServer = await startMetricsServer(config, metrics.registry);
  log.info({ url: server.url, metricsUrl: metricsServer?.url }, 'the api is listening');
  onStop(async () => {
    prices.stop();
    await server.stop(STOP_LIMIT_MS - 2_000);
    await metricsServer?.stop();
    await teller.drain();
    await connection.close();
    await db.close();
  }, STOP_LIMIT_MS);
  reportReady();
}

await runProcess('api', main);
