// The product's worker process with one additional worker, for workflows of one empty activity.
import { fileURLToPath } from 'node:url';
import { NativeConnection, Worker } from '@temporalio/worker';
import { reportReady } from '../process/signals.ts';
// This import runs the product's worker, which polls as soon as the import is done.
import '../worker/main.ts';
import { NO_OP_QUEUE } from './no-op.ts';

const { TEMPORAL_ADDRESS = '', TEMPORAL_NAMESPACE = '' } = process.env;

const worker = await Worker.create({
  connection: await NativeConnection.connect({ address: TEMPORAL_ADDRESS }),
  namespace: TEMPORAL_NAMESPACE,
  taskQueue: NO_OP_QUEUE,
  workflowsPath: fileURLToPath(new URL('./no-op-workflow.js', import.meta.url)),
  activities: { noOp: async () => await Promise.resolve() },
  maxCachedWorkflows: 500,
});
reportReady();
await worker.run();
