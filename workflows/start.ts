import {
  Client,
  Connection,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
  type ScheduleOptionsAction,
} from '@temporalio/client';
import type { SearchAttributePair } from '@temporalio/common';
import type { OutboxEntry } from '../db/outbox.ts';
import {
  attributes,
  ROW_CHANGED,
  workflowId,
  WORKFLOWS,
  type ImportSubject,
  type ListUpdate,
  type WorkflowContract,
  type WorkflowType,
} from './contract.ts';

// The only file that starts workflows; schedules take their action from here.

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

/** Long enough for a busy server, short enough for a missing one. */
const DEADLINE_MS = 1_500;

/** A workflow to be started. */
interface WorkflowStart {
  type: WorkflowType;
  /** What `workflowId` makes the id of. */
  idParts: readonly (string | number)[];
  args: readonly unknown[];
  /** One line for operators, without personal data. */
  summary: string;
  /** Search attributes, without personal data. */
  tenantId?: string;
  tenantName?: string | undefined;
  subjectId?: string;
}

const JOIN_OPEN_RUN = {
  workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
  // A FAILED transaction that is routed again or a redelivery is simply the next run of the same id.
  workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
};

/** Starts a workflow unless a run with its id is open. Throws when the server does not answer in 1.5 s. */
export async function ensureWorkflow(client: Client, start: WorkflowStart): Promise<void> {
  await client.withDeadline(Date.now() + DEADLINE_MS, async () => {
    await client.workflow.start(start.type, { ...startOptions(start), ...JOIN_OPEN_RUN });
  });
}

/** As `ensureWorkflow`, but signals the run in any case, so that an open one reads its record again. */
async function startOrSignal(client: Client, start: WorkflowStart): Promise<void> {
  await client.withDeadline(Date.now() + DEADLINE_MS, async () => {
    const options = { ...startOptions(start), ...JOIN_OPEN_RUN, signal: ROW_CHANGED };
    await client.workflow.signalWithStart(start.type, options);
  });
}

/** The action of a schedule that starts a workflow. */
export function scheduledStart(start: WorkflowStart): ScheduleOptionsAction {
  return { type: 'startWorkflow', workflowType: start.type, ...startOptions(start) };
}

function startOptions(start: WorkflowStart) {
  return {
    workflowId: workflowId(start.type, ...start.idParts),
    taskQueue: WORKFLOWS[start.type].taskQueue,
    args: [...start.args],
    staticSummary: start.summary,
    typedSearchAttributes: searchAttributes(start),
  };
}

function searchAttributes({
  type,
  summary,
  tenantId,
  tenantName,
  subjectId,
}: WorkflowStart): SearchAttributePair[] {
  const { status, waitingFor }: WorkflowContract = WORKFLOWS[type];
  const keywords = [
    { key: attributes.kind, value: type },
    { key: attributes.summary, value: summary },
    { key: attributes.tenant, value: tenantId },
    { key: attributes.tenantName, value: tenantName },
    { key: attributes.subject, value: subjectId },
    { key: attributes.status, value: status },
    { key: attributes.waitingFor, value: waitingFor },
  ];
  const known = keywords.flatMap(({ key, value }) => (value === undefined ? [] : [{ key, value }]));
  return [...known, { key: attributes.stuck, value: false }];
}

/** Starts the workflow of a record, or signals the open run. Throws as `ensureWorkflow` does. */
export async function startWorkflow(
  client: Client,
  { workflow: type, subjectId: id, resourceId, tenantId, summary }: OutboxEntry,
  tenantName?: string,
): Promise<void> {
  const found = { tenantId, tenantName, subjectId: resourceId ?? id };
  await startOrSignal(client, { type, idParts: [id], args: [{ id }], summary, ...found });
}

/** Starts the import of an uploaded file, or signals the open run of the same file. Throws as `ensureWorkflow` does. */
export async function startImport(
  client: Client,
  subject: ImportSubject,
  tenantName?: string,
): Promise<void> {
  const { tenantId, sha256 } = subject;
  await startOrSignal(client, {
    type: 'walletCsvImport',
    idParts: [tenantId, sha256],
    args: [subject],
    summary: 'Import of a CSV file of wallets',
    tenantId,
    tenantName,
  });
}

/** Starts the import of list files that an operator has uploaded. Throws as `ensureWorkflow` does. */
export async function startListUpdate(client: Client, update: Required<ListUpdate>): Promise<void> {
  const { code, uploadId } = update;
  await ensureWorkflow(client, {
    type: 'sanctionsListUpdate',
    idParts: [code, uploadId],
    args: [update],
    summary: `Import of files for the list ${code}`,
    subjectId: code,
  });
}

const MAX_IN_FLIGHT = 32;
const MAX_QUEUED = 1_000;
/** Nothing is started for so long after a failure: the relay has the outbox entries. */
const PAUSE_MS = 1_000;

interface NotifierOptions {
  client: Client;
  /** Names of tenants, for operators. */
  nameOf: (tenantId: string) => Promise<string | undefined>;
  /** Removes the outbox entries whose workflow was started or signalled. */
  removeDone: (ids: number[]) => Promise<void>;
  onTrouble: (error: unknown) => void;
}

export interface WorkflowNotifier {
  /** Returns at once. An entry that cannot be delivered now falls due for the relay. */
  notifyWorkflows: (outbox: readonly OutboxEntry[]) => void;
  /** Resolves when everything under way has ended. */
  drain: () => Promise<void>;
}

/** Starts or signals the workflows of a change right after it, so that nobody waits for the relay. */
export function createWorkflowNotifier({
  client,
  nameOf,
  removeDone,
  onTrouble,
}: NotifierOptions): WorkflowNotifier {
  let queue: OutboxEntry[] = [];
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
  const notifyOne = async (entry: OutboxEntry) => {
    try {
      await startWorkflow(client, entry, await nameOf(entry.tenantId));
      done.push(entry.id);
    } catch (error) {
      pausedUntil = Date.now() + PAUSE_MS;
      queue = [];
      throw error;
    }
  };
  let removing: Promise<void> | undefined;
  const next = () => {
    while (underWay.size < MAX_IN_FLIGHT && queue.length > 0) {
      const entry = queue.shift();
      if (entry) track(notifyOne(entry));
    }
    if (done.length > 0 && !removing) {
      removing = removeAll().finally(() => {
        removing = undefined;
      });
      track(removing);
    }
  };

  return {
    notifyWorkflows(outbox) {
      if (Date.now() < pausedUntil) return;
      queue.push(...outbox.slice(0, MAX_QUEUED - queue.length));
      next();
    },
    async drain() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
