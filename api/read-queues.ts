import type { Client } from '@temporalio/client';
import { TASK_QUEUES } from '../workflows/contract.ts';

/** A task queue of Temporal and the workers that ask for its tasks. */
export interface WorkerQueue {
  name: string;
  /** The workers that have asked within the last minutes, by process and host. */
  workers: { identity: string; lastSeenAt: string | null }[];
}

const DEADLINE_MS = 1_000;
/** TaskQueueType of Temporal's API: tasks of workflows. Every worker asks for both kinds. */
const WORKFLOW_TASKS = 1;

/** Reads who works at the task queues, from Temporal. Null if Temporal does not answer within a second. */
export async function readQueues(
  connection: Client['connection'],
  namespace: string,
): Promise<WorkerQueue[] | null> {
  const read = async (name: string): Promise<WorkerQueue> => {
    const { pollers } = await connection.workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name },
      taskQueueType: WORKFLOW_TASKS,
    });
    const workers = (pollers ?? []).map(({ identity, lastAccessTime: at }) => ({
      identity: identity ?? '',
      lastSeenAt: at?.seconds ? new Date(Number(at.seconds) * 1_000).toISOString() : null,
    }));
    return { name, workers };
  };
  try {
    return await connection.withDeadline(
      Date.now() + DEADLINE_MS,
      async () => await Promise.all(Object.values(TASK_QUEUES).map(read)),
    );
  } catch {
    return null;
  }
}
