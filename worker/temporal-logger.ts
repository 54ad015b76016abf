import { DefaultLogger, makeTelemetryFilterString, type RuntimeOptions } from '@temporalio/worker';
import type { Logger } from 'pino';

const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;

/**
 * Options of the Temporal SDK's runtime. The process handles signals itself. The SDK's log lines go into the process's log with
 * names and ids only, because failures in their metadata contain messages. Metrics are served at `metricsAddress`, if given.
 */
export function temporalRuntime(log: Logger, metricsAddress?: string): RuntimeOptions {
  const logger = new DefaultLogger('INFO', ({ level, message, meta }) => {
    const { workflowType, workflowId, activityType, taskQueue, attempt, error }: Record<string, unknown> =
      meta ?? {};
    const fields = { workflowType, workflowId, activityType, taskQueue, attempt, error };
    log[LEVELS[level]](
      Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
      message,
    );
  });
  const filter = makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' });
  const metrics = metricsAddress && { metrics: { prometheus: { bindAddress: metricsAddress } } };
  return {
    shutdownSignals: [],
    logger,
    telemetryOptions: { logging: { forward: {}, filter }, ...metrics },
  };
}
