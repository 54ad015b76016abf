import { randomBytes } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { Runtime } from '@temporalio/worker';
import type { Activities } from '../../activities/index.ts';
import { createLog } from '../../process/log.ts';
import { createWorkers } from '../../worker/create-workers.ts';
import { temporalRuntime } from '../../worker/temporal-logger.ts';
import { setUpTemporal } from '../../worker/temporal-setup.ts';
import { workflowId, type WorkflowType } from '../../workflows/contract.ts';
import { connectLazily, createClient } from '../../workflows/start.ts';
import { eventually } from '../eventually.ts';

interface LimitedWorkers {
  client: Client;
  stop: () => Promise<void>;
}

/** The workers of the product for the tests of a file. What the activities hold until `released` is let go after the tests. */
export function useLimitedWorkers(activitiesUntil: (released: Promise<void>) => Partial<Activities>): {
  readonly client: Client;
} {
  let letGo: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let workers: LimitedWorkers;
  beforeAll(async () => {
    workers = await startLimitedWorkers(activitiesUntil(released));
  });
  afterAll(async () => {
    letGo();
    await workers.stop();
  });
  return {
    get client() {
      return workers.client;
    },
  };
}

/** Starts the workers of the product, with their limits, in a namespace of their own and with these activities alone. */
async function startLimitedWorkers(activities: Partial<Activities>): Promise<LimitedWorkers> {
  const address = process.env['WAYBILL_TEST_TEMPORAL'] ?? '';
  const namespace = `test-${randomBytes(6).toString('hex')}`;
  const connection = connectLazily(address);
  await setUpTemporal(connection, namespace);
  Runtime.install(temporalRuntime(createLog('worker', 'error', { write: () => undefined })));
  const workers = await createWorkers({
    address,
    namespace,
    databasePool: 8,
    activities: activities as Activities,
    requestsEnded: async () => await Promise.resolve(),
    endRequests: async () => await Promise.resolve(),
  });
  const stop = async () => {
    await workers.stop();
    await connection.close();
  };
  return { client: createClient(connection, namespace), stop };
}

/** Resolves once the workflow of a record has completed. */
export async function untilCompleted(client: Client, type: WorkflowType, id: string): Promise<void> {
  await eventually(
    async () => await client.workflow.getHandle(workflowId(type, id)).describe(),
    ({ status }) => status.name === 'COMPLETED',
    20_000,
  );
}
