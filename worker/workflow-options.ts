import type { WorkerOptions } from '@temporalio/worker';
import { fileURLToPath } from 'node:url';

/** How each worker of this product runs workflows; queues and limits are added where a worker is made. */
export const workflowOptions = {
  /** Built from workflows/ beforehand: loading it is several times as fast as building it. */
  workflowBundle: { codePath: fileURLToPath(new URL('../workflow-bundle.js', import.meta.url)) },
  /**
   * The default is 5 s, which a step takes on a machine that is short of CPU time. Node then stops the step, and loses
   * count of its async hooks: the whole process dies of "async hook stack has become corrupted". A step that really
   * hangs is noticed by the server, whose limit for a workflow task is 10 s, and by the figures of stuck work. The types
   * of the SDK do not know this option; its worker does, and a test keeps that true.
   */
  isolateExecutionTimeout: '10 minutes',
} satisfies Partial<WorkerOptions> & { isolateExecutionTimeout: string };
