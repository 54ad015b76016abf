import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import type { Activities } from '../activities/index.ts';
import { TASK_QUEUES } from '../workflows/contract.ts';
import { workflowOptions } from './workflow-options.ts';

const GRACE = '5 seconds';
const FORCE = '7 seconds';
const MAX_CACHED_WORKFLOWS = 500;
const CONNECTIONS_LEFT_FREE = 4;
/** First attempts of webhooks within transactions: they hold no connection while the receiver is waited for. */
const FIRST_ATTEMPTS = 20;
const WEBHOOK_FIRST_TRIES = 200;
const WEBHOOK_RETRIES = 500;
/** First attempts run inside workflow tasks, so an endpoint that hangs occupies one; many must stay free. */
const WEBHOOK_WORKFLOW_TASKS = 100;
/** Each holds a connection while it reads a month. */
const REPORTS_AT_ONCE = 2;
/** Connections to the mail server at once. */
const MAILS_AT_ONCE = 5;
const AWAITED_MAILS_AT_ONCE = 3;
/** Calls to VASPs by TRP at once, each of 10 seconds at most; those of one tenant have a part of them (trp-places.ts). */
const TRP_CALLS_AT_ONCE = 200;
/** How long running requests may continue once the worker stops; then the next worker repeats them, uncounted. */
const REQUESTS_END_MS = 2_500;

interface Options {
  address: string;
  namespace: string;
  activities: Activities;
  /** Size of the database pool: steps that use it must leave connections for the relay and the sweep. */
  databasePool: number;
  /** Resolves when no request runs on that was handed over by its workflow. */
  requestsEnded: () => Promise<void>;
  /** Ends the running requests. */
  endRequests: () => Promise<void>;
}

export interface RunningWorkers {
  /** Rejects when a worker cannot continue. */
  ended: Promise<void>;
  stop: () => Promise<void>;
}

/**
 * One worker per task queue, so that webhooks to endpoints that hang, mails to a server that hangs, and calls to VASPs that hang
 * take no slot from transactions, nor from each other.
 */
export async function createWorkers(options: Options): Promise<RunningWorkers> {
  const connection = await NativeConnection.connect({ address: options.address });
  const base = {
    connection,
    namespace: options.namespace,
    activities: options.activities,
    shutdownGraceTime: GRACE,
    shutdownForceTime: FORCE,
  };
  const withWorkflows = { ...base, ...workflowOptions, maxCachedWorkflows: MAX_CACHED_WORKFLOWS };
  const all: WorkerOptions[] = [
    {
      ...withWorkflows,
      taskQueue: TASK_QUEUES.core,
      maxConcurrentLocalActivityExecutions:
        Math.max(2, options.databasePool - CONNECTIONS_LEFT_FREE) + FIRST_ATTEMPTS,
    },
    {
      ...withWorkflows,
      taskQueue: TASK_QUEUES.webhooks,
      maxConcurrentLocalActivityExecutions: WEBHOOK_FIRST_TRIES,
      maxConcurrentActivityTaskExecutions: WEBHOOK_RETRIES,
      maxConcurrentWorkflowTaskExecutions: WEBHOOK_WORKFLOW_TASKS,
    },
    { ...base, taskQueue: TASK_QUEUES.reports, maxConcurrentActivityTaskExecutions: REPORTS_AT_ONCE },
    { ...base, taskQueue: TASK_QUEUES.mails, maxConcurrentActivityTaskExecutions: MAILS_AT_ONCE },
    {
      ...base,
      taskQueue: TASK_QUEUES.awaitedMails,
      maxConcurrentActivityTaskExecutions: AWAITED_MAILS_AT_ONCE,
    },
    { ...base, taskQueue: TASK_QUEUES.imports },
    { ...base, taskQueue: TASK_QUEUES.trp, maxConcurrentActivityTaskExecutions: TRP_CALLS_AT_ONCE },
  ];
  const workers = await Promise.all(all.map(async (each) => await Worker.create(each)));
  const ended = Promise.all(workers.map(async (worker) => await worker.run())).then(() => undefined);
  return {
    ended,
    async stop() {
      for (const worker of workers) worker.shutdown();
      const timer = setTimeout(() => void options.endRequests(), REQUESTS_END_MS);
      await ended;
      await options.requestsEnded();
      clearTimeout(timer);
      await connection.close();
    },
  };
}
