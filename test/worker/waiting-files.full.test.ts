import { randomBytes } from 'node:crypto';
import { heartbeat } from '@temporalio/activity';
import { Runtime } from '@temporalio/worker';
import type { Activities } from '../../activities/index.ts';
import { createLog } from '../../process/log.ts';
import { createWorkers, type RunningWorkers } from '../../worker/create-workers.ts';
import { temporalRuntime } from '../../worker/temporal-logger.ts';
import { setUpTemporal } from '../../worker/temporal-setup.ts';
import { workflowId } from '../../workflows/contract.ts';
import { connectLazily, createClient, startImport, startWorkflow } from '../../workflows/start.ts';
import { eventually } from '../eventually.ts';

// The workers of the product with their limits, and files of wallets whose turn does not come until they are let go.

const address = process.env['WAYBILL_TEST_TEMPORAL'] ?? '';
const namespace = `test-${randomBytes(6).toString('hex')}`;
const connection = connectLazily(address);
const client = createClient(connection, namespace);
const held = new Set<string>();
let letGo: () => void = () => undefined;
const released = new Promise<void>((resolve) => {
  letGo = resolve;
});
let workers: RunningWorkers;

beforeAll(async () => {
  await setUpTemporal(connection, namespace);
  Runtime.install(temporalRuntime(createLog('worker', 'error', { write: () => undefined })));
  const activities: Pick<Activities, 'importWallets' | 'finishReleased'> = {
    async importWallets({ sha256 }) {
      held.add(sha256);
      // Without a sign of life it would be given to a second place, so that fewer files are held than places.
      const beating = setInterval(() => heartbeat(), 1_000);
      await released.finally(() => clearInterval(beating));
    },
    finishReleased: async () => await Promise.resolve({ finished: 0, total: 0, isDone: true }),
  };
  workers = await createWorkers({
    address,
    namespace,
    databasePool: 8,
    activities: activities as Activities,
    requestsEnded: async () => await Promise.resolve(),
    endRequests: async () => await Promise.resolve(),
  });
});
afterAll(async () => {
  letGo();
  await workers.stop();
  await connection.close();
});

test('files that wait for their turn take no place from the steps of others', async () => {
  for (let n = 0; n < 110; n += 1) await startImport(client, { tenantId: 'alpine', sha256: String(n) });
  await eventually(
    () => held.size,
    (files) => files >= 100,
  );
  const entry = { id: 0, tenantId: 'harbour', workflow: 'walletRelease' as const, subjectId: 'r' };
  await startWorkflow(client, { ...entry, summary: 'Release' });
  await eventually(
    async () => await client.workflow.getHandle(workflowId('walletRelease', 'r')).describe(),
    ({ status }) => status.name === 'COMPLETED',
    20_000,
  );
});
