import type { Pool } from 'pg';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Settings } from '../process/settings.ts';
import { registerDatabaseMetrics } from '../process/database-metrics.ts';
import { registerIndexMetric } from '../process/index-metric.ts';
import { startMetricsServer, type MetricsServer } from '../process/metrics-server.ts';
import type { SdkMetrics } from './sdk-metrics.ts';

/** Serves the metrics of the worker process, the database and the SDK on METRICS_PORT; without a port it serves nothing. */
export async function startWorkerMetrics(
  settings: Settings,
  {
    pool,
    screener,
    sdk,
  }: { pool: Pool; screener: Parameters<typeof registerIndexMetric>[1]; sdk: SdkMetrics | undefined },
): Promise<MetricsServer | undefined> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  registerDatabaseMetrics(registry, pool);
  registerIndexMetric(registry, screener);
  return await startMetricsServer(settings, registry, sdk?.read);
}
