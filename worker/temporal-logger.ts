import { DefaultLogger, type Logger as TemporalLogger } from '@temporalio/worker';
import type { Logger } from 'pino';

const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;

/** The SDK's own lines in the process's log, without their metadata: failures in it carry messages and stacks. */
export function temporalLogger(log: Logger): TemporalLogger {
  return new DefaultLogger('INFO', ({ level, message, meta }) => {
    const { workflowType, workflowId, activityType, taskQueue, attempt } = meta ?? {};
    log[LEVELS[level]]({ workflowType, workflowId, activityType, taskQueue, attempt } as object, message);
  });
}
