import { Client, Connection, WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/client';
import {
  attributes,
  ROW_CHANGED,
  SANCTIONS_LIST_UPDATE,
  TASK_QUEUES,
  WALLET_CSV_IMPORT,
  workflowId,
  type ImportSubject,
  type ListUpdate,
  type WorkflowType,
} from './contract.ts';

/** A connection that does not need the server to be there yet, and finds it again soon after it was away. */
export function connectLazily(address: string): Connection {
  return Connection.lazy({
    address,
    channelArgs: { 'grpc.initial_reconnect_backoff_ms': 200, 'grpc.max_reconnect_backoff_ms': 2_000 },
  });
}

export function createClient(connection: Connection, namespace: string): Client {
  return new Client({ connection, namespace });
}

/** An outbox row: which workflow is to look at which record. */
export interface Start {
  id: number;
  workflow: WorkflowType;
  subjectId: string;
  tenantId: string;
  /** One line for operators, without personal data. */
  summary: string;
}

/** Long enough for a busy server, short enough for a missing one. */
const DEADLINE_MS = 1_500;

const FIRST_STATUS: Record<WorkflowType, { status: string; waitingFor: string }> = {
  ruleBacktest: { status: 'RUNNING', waitingFor: 'NOTHING' },
  selfieAnalysis: { status: 'PENDING', waitingFor: 'ANALYSIS' },
  transactionLifecycle: { status: 'PENDING', waitingFor: 'ROUTE' },
  walletRelease: { status: 'PENDING', waitingFor: 'NOTHING' },
  walletVerification: { status: 'PENDING', waitingFor: 'PROOF' },
  webhookDelivery: { status: 'PENDING', waitingFor: 'DELIVERY' },
};

/**
 * The one door to workflows from outside: starts the record's workflow, or tells the running one to look again. Safe to
 * repeat. Throws when the server does not answer in 1.5 s.
 */
export async function startWorkflow(client: Client, start: Start): Promise<void> {
  const { status, waitingFor } = FIRST_STATUS[start.workflow];
  await client.withDeadline(Date.now() + DEADLINE_MS, async () => {
    await client.workflow.signalWithStart(start.workflow, {
      workflowId: workflowId(start.workflow, start.subjectId),
      taskQueue: TASK_QUEUES[start.workflow],
      args: [{ id: start.subjectId }],
      signal: ROW_CHANGED,
      workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
      // A FAILED transaction that is routed again or a redelivery is simply the next run of the same id.
      workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
      staticSummary: start.summary,
      typedSearchAttributes: [
        { key: attributes.tenant, value: start.tenantId },
        { key: attributes.kind, value: start.workflow },
        { key: attributes.subject, value: start.subjectId },
        { key: attributes.status, value: status },
        { key: attributes.waitingFor, value: waitingFor },
        { key: attributes.stuck, value: false },
      ],
    });
  });
}

/** Starts the import of an uploaded file, or tells the running one of another upload. Throws as `startWorkflow` does. */
export async function startImport(client: Client, subject: ImportSubject): Promise<void> {
  const { workflow, taskQueue, id } = WALLET_CSV_IMPORT;
  await client.withDeadline(Date.now() + DEADLINE_MS, async () => {
    await client.workflow.signalWithStart(workflow, {
      workflowId: id(subject),
      taskQueue,
      args: [subject],
      signal: ROW_CHANGED,
      workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
      workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
      staticSummary: 'Import of a CSV file of wallets',
      typedSearchAttributes: [
        { key: attributes.tenant, value: subject.tenantId },
        { key: attributes.kind, value: workflow },
        { key: attributes.status, value: 'RUNNING' },
        { key: attributes.stuck, value: false },
      ],
    });
  });
}

/** Starts the import of list files that an operator has sent. Throws as `startWorkflow` does. */
export async function startListUpdate(client: Client, update: Required<ListUpdate>): Promise<void> {
  const { workflow, taskQueue, id } = SANCTIONS_LIST_UPDATE;
  await client.withDeadline(Date.now() + DEADLINE_MS, async () => {
    await client.workflow.start(workflow, {
      workflowId: id(update),
      taskQueue,
      args: [update],
      workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
      staticSummary: `Import of files for the list ${update.code}`,
      typedSearchAttributes: [
        { key: attributes.kind, value: workflow },
        { key: attributes.subject, value: update.code },
        { key: attributes.stuck, value: false },
      ],
    });
  });
}

const MAX_IN_FLIGHT = 32;
const MAX_QUEUED = 1_000;
/** After a failure nothing is tried for a while: the relay has the rows. */
const PAUSE_MS = 1_000;

interface NotifierOptions {
  client: Client;
  /** Removes outbox rows whose workflow was told. */
  removeDone: (ids: number[]) => Promise<void>;
  onTrouble: (error: unknown) => void;
}

export interface WorkflowNotifier {
  /** Best effort, without waiting: what cannot be told now falls due for the relay. */
  notifyWorkflows: (starts: readonly Start[]) => void;
  /** Resolves when everything under way has ended. */
  drain: () => Promise<void>;
}

/** Tells workflows right after a change, so that nobody waits for the relay. */
export function createWorkflowNotifier({ client, removeDone, onTrouble }: NotifierOptions): WorkflowNotifier {
  let queue: Start[] = [];
  let done: number[] = [];
  let pausedUntil = 0;
  const underWay = new Set<Promise<void>>();

  const track = (work: Promise<void>) => {
    const tracked = work.catch(onTrouble).finally(() => {
      underWay.delete(tracked);
      next();
    });
    underWay.add(tracked);
  };
  const removeAll = async () => {
    const ids = done;
    done = [];
    await removeDone(ids);
  };
  const notifyOne = async (start: Start) => {
    try {
      await startWorkflow(client, start);
      done.push(start.id);
    } catch (error) {
      pausedUntil = Date.now() + PAUSE_MS;
      queue = [];
      throw error;
    }
  };
  let removing: Promise<void> | undefined;
  const next = () => {
    while (underWay.size < MAX_IN_FLIGHT && queue.length > 0) {
      const start = queue.shift();
      if (start) track(notifyOne(start));
    }
    if (done.length > 0 && !removing) {
      removing = removeAll().finally(() => {
        removing = undefined;
      });
      track(removing);
    }
  };

  return {
    notifyWorkflows(starts) {
      if (Date.now() < pausedUntil) return;
      queue.push(...starts.slice(0, MAX_QUEUED - queue.length));
      next();
    },
    async drain() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
