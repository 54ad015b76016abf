import { NativeConnection, Runtime, Worker, type WorkerOptions } from '@temporalio/worker';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { createActivities } from '../activities/index.ts';
import { nativeNetwork } from '../activities/network/native.ts';
import { requireSettings, withConfig, type Config } from '../config.ts';
import { openDatabase } from '../db/open-database.ts';
import { deletePokes } from '../db/outbox.ts';
import { createPriceMemory } from '../db/prices/price-memory.ts';
import { createLog } from '../log.ts';
import { onStop, reportReady } from '../parent.ts';
import { TASK_QUEUES } from '../workflows/contract.ts';
import { connectLazily, createClient, createTeller } from '../workflows/start.ts';
import { startOutboxRelay } from './outbox-relay.ts';
import { startPriceLoops } from './price-loops.ts';
import { startSweep } from './sweep.ts';
import { setUpTemporal } from './temporal-setup.ts';
import { temporalLogger } from './temporal-logger.ts';

const STOP_LIMIT_MS = 9_000;
const GRACE = '5 seconds';
const FORCE = '7 seconds';

/** Built ahead from workflows/; loading it is four times as fast as building it. */
const bundle = { codePath: fileURLToPath(new URL('../workflow-bundle.js', import.meta.url)) };

type WorkerConfig = Config & { DATABASE_URL: string; MASTER_KEY: string; TEMPORAL_ADDRESS: string };

/** The worker process: runs workflows and activities, relays the outbox, sweeps what was overlooked. */
async function main(config: WorkerConfig): Promise<void> {
  const log = createLog('worker', config.LOG_LEVEL);
  Runtime.install({ shutdownSignals: [], logger: temporalLogger(log) });
  const db = await openDatabase({
    config,
    onIdleError: (error) => log.warn({ error }, 'a database connection ended'),
  });
  const connection = connectLazily(config.TEMPORAL_ADDRESS);
  await setUpTemporal(connection, config.TEMPORAL_NAMESPACE);
  const client = createClient(connection, config.TEMPORAL_NAMESPACE);
  const teller = createTeller({
    client,
    removeDone: async (ids) => await deletePokes(db.pool, ids),
    onTrouble: (error) => log.debug({ error }, 'a workflow could not be told; the relay will'),
  });
  const prices = createPriceMemory(db.pool);
  const activities = createActivities({
    db,
    networks: { NATIVE: nativeNetwork(db) },
    priceOf: prices.priceOf,
    tell: teller.tell,
    now: () => new Date(),
    report: (activity, error) => log.error({ activity, error }, 'a step failed and is tried again'),
  });
  const native = await NativeConnection.connect({ address: config.TEMPORAL_ADDRESS });
  const workers = await Promise.all(
    workerOptions(config, activities, native).map(async (options) => await Worker.create(options)),
  );
  const running = Promise.all(workers.map(async (worker) => await worker.run()));
  const loops = [
    startOutboxRelay({ db, client, log }),
    startSweep({ db, log }),
    ...startPriceLoops({ config, db, prices, log }),
  ];
  onStop(async () => {
    await Promise.all(loops.map(async (loop) => await loop.stop()));
    for (const worker of workers) worker.shutdown();
    await running;
    await teller.drain();
    await native.close();
    await connection.close();
    await db.close();
  }, STOP_LIMIT_MS);
  running.catch((error: unknown) => exitAfter(log, error));
  log.info('the worker is polling');
  reportReady();
}

function workerOptions(
  config: WorkerConfig,
  activities: object,
  connection: NativeConnection,
): WorkerOptions[] {
  const base: Omit<WorkerOptions, 'taskQueue'> = {
    connection,
    namespace: config.TEMPORAL_NAMESPACE,
    workflowBundle: bundle,
    activities,
    shutdownGraceTime: GRACE,
    shutdownForceTime: FORCE,
    maxCachedWorkflows: 500,
  };
  // Database steps must leave connections for the relay and the sweep.
  const databaseSlots = Math.max(2, config.DATABASE_POOL - 4);
  return [
    {
      ...base,
      taskQueue: TASK_QUEUES.transactionLifecycle,
      maxConcurrentLocalActivityExecutions: databaseSlots,
    },
    {
      ...base,
      taskQueue: TASK_QUEUES.webhookDelivery,
      maxConcurrentLocalActivityExecutions: 200,
      maxConcurrentActivityTaskExecutions: 500,
    },
  ];
}

function exitAfter(log: Logger, error: unknown): void {
  log.fatal({ error }, 'the worker cannot go on; whatever starts it should start it again');
  process.exit(1);
}

await withConfig(async (config) => {
  await main(requireSettings(config, ['DATABASE_URL', 'TEMPORAL_ADDRESS', 'MASTER_KEY']));
});
