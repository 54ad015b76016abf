import { requireSettings, withConfig, type Config } from '../config.ts';
import { openDatabase, type OpenedDatabase } from '../db/open-database.ts';
import { deletePokes } from '../db/outbox.ts';
import { createPriceMemory, type PriceMemory } from '../db/prices/price-memory.ts';
import { createLog } from '../log.ts';
import { onStop, reportReady } from '../parent.ts';
import { connectLazily, createClient, createTeller } from '../workflows/start.ts';
import { createApp } from './app.ts';
import { createDeps } from './create-deps.ts';
import { endpoints } from './endpoints.ts';
import { createMetrics } from './middleware/measure-requests.ts';
import { startServer } from './server.ts';

const STOP_LIMIT_MS = 8_000;
const PRICES_EVERY_MS = 60_000;
const HEALTH_DEADLINE_MS = 1_000;

/** The api process: answers HTTP, writes PostgreSQL, tells workflows. Works without Temporal. */
async function main(config: Config & { DATABASE_URL: string; MASTER_KEY: string; TEMPORAL_ADDRESS: string }) {
  const log = createLog('api', config.LOG_LEVEL);
  const db = await openDatabase({
    config,
    onIdleError: (error) => log.warn({ error }, 'a database connection ended'),
  });
  const connection = connectLazily(config.TEMPORAL_ADDRESS);
  const teller = createTeller({
    client: createClient(connection, config.TEMPORAL_NAMESPACE),
    removeDone: async (ids) => await deletePokes(db.pool, ids),
    onTrouble: (error) => log.debug({ error }, 'a workflow could not be told; the relay will'),
  });
  const prices = await keepPrices(db, (error) => log.warn({ error }, 'prices could not be read'));
  const deps = createDeps({
    config,
    log,
    metrics: createMetrics(),
    db,
    priceOf: prices.memory.priceOf,
    tell: teller.tell,
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
      return [...(down ? ['temporal'] : []), ...(prices.memory.isEmpty() ? ['prices'] : [])];
    },
  });
  const server = await startServer({
    app: createApp({ endpoints, deps }),
    host: config.HOST,
    port: config.PORT,
  });
  log.info({ url: server.url }, 'the api is listening');
  onStop(async () => {
    prices.stop();
    await server.stop(STOP_LIMIT_MS - 2_000);
    await teller.drain();
    await connection.close();
    await db.close();
  }, STOP_LIMIT_MS);
  reportReady();
}

/** Reads the price table now and every minute. */
async function keepPrices(
  db: OpenedDatabase,
  onTrouble: (error: unknown) => void,
): Promise<{ memory: PriceMemory; stop(): void }> {
  const memory = createPriceMemory(db.pool);
  const refresh = async () => await memory.refresh().catch(onTrouble);
  await refresh();
  const timer = setInterval(() => void refresh(), PRICES_EVERY_MS);
  return { memory, stop: () => clearInterval(timer) };
}

await withConfig(async (config) => {
  await main(requireSettings(config, ['DATABASE_URL', 'TEMPORAL_ADDRESS', 'MASTER_KEY']));
});
