import { NativeConnection, Worker } from '@temporalio/worker';
import { workflowOptions } from '../../worker/workflow-options.ts';

test('a step of a workflow may take minutes: a worker that stops one dies of it', async () => {
  const connection = await NativeConnection.connect({ address: process.env['WAYBILL_TEST_TEMPORAL'] ?? '' });
  try {
    const worker = await Worker.create({
      connection,
      ...workflowOptions,
      namespace: 'default',
      taskQueue: 'workflow-options',
    });
    expect(worker.options.isolateExecutionTimeoutMs).toBe(600_000);
    const stopped = worker.run();
    worker.shutdown();
    await stopped;
  } finally {
    await connection.close();
  }
});
