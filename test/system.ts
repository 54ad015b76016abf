import { randomBytes } from 'node:crypto';
import { WorkflowNotFoundError, type WorkflowHandle } from '@temporalio/client';
import { NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { createActivities, type ActivityDeps } from '../activities/index.ts';
import { manualReview } from '../activities/liveness/liveness.ts';
import { openMailer } from '../activities/mail/mailer.ts';
import { createOutgoingHttp } from '../outside/outgoing-http.ts';
import { createTrpClient } from '../activities/network/trp-client.ts';
import { trpPlaces } from '../activities/network/trp-places.ts';
import { trpUrlOf } from '../process/settings.ts';
import { openAddedIndexes } from '../sanctions-index/added-indexes.ts';
import { createHandedOverRequests } from '../activities/webhooks/handed-over.ts';
import { createTroubledEndpoints } from '../activities/webhooks/troubled-endpoints.ts';
import type { ReportFailure } from '../activities/failures.ts';
import { messageNetworks } from '../activities/network/networks.ts';
import type { MessageNetwork } from '../activities/network/network.ts';
import type { ScreeningDeps } from '../transaction-screening/gather-findings.ts';
import { canObserve } from '../wallet-intelligence/observe-wallet.ts';
import { deleteOutboxEntries } from '../db/outbox.ts';
import { listSources } from '../domain/sanctions-lists/list-source.ts';
import { createLog } from '../process/log.ts';
import { portalUrlOf, sendsMails } from '../process/settings.ts';
import { tenantNames } from '../db/tenants/tenant-names.ts';
import { startOutboxRelay } from '../worker/outbox-relay.ts';
import { startScanLoop } from '../worker/scan-loop.ts';
import { createSweep } from '../worker/sweep.ts';
import { setUpTemporal } from '../worker/temporal-setup.ts';
import { temporalRuntime } from '../worker/temporal-logger.ts';
import { ROW_CHANGED, TASK_QUEUES, WORKFLOWS, workflowId, type WorkflowType } from '../workflows/contract.ts';
import { endWorkflowsOf } from '../worker/end-workflows.ts';
import {
  connectLazily,
  createClient,
  createWorkflowNotifier,
  startImport,
  startListUpdate,
} from '../workflows/start.ts';
import { startTestApi, type Json, type TestApi, type TestApiOptions } from './api-client.ts';
import { testDatabase } from './database.ts';
import { eventually } from './eventually.ts';
import { leasedTurns } from './factories/leased-turns.ts';
import { activateList, listEntry } from './factories/sanctions.ts';
import { TEMPORAL_MS } from './temporal.ts';
import { workflowOptions } from '../worker/workflow-options.ts';

/** Without an active list nothing would be screened, and so nothing would go on. */
const LISTED = [
  listEntry('1', 'Barnabas Ravenscroft', {
    wallets: [{ asset: 'ETH', address: '0x00000000000000000000000000000000005a4c71' }],
  }),
];

/** Longer than any file runs. */
const NEVER_MS = 24 * 3_600_000;

interface SystemOptions extends TestApiOptions {
  /** Starts the thread that searches the lists, as the product does. Without it the database searches them. */
  keepsLists?: boolean;
  activities?: Partial<ActivityDeps>;
  /** A database that a test has filled and left, in place of an empty one; with its MASTER_KEY in `config`. */
  template?: string;
  /** A server of the test's own, to be stopped and started. */
  temporalAddress?: string;
  /** A second system of one test: a process has one runtime of Temporal. */
  sharesRuntime?: boolean;
  /** Puts something between the product and its own network. */
  wrapNetwork?: (native: MessageNetwork) => MessageNetwork;
}

/** Api, workers, relay and a Temporal namespace of their own over a database of their own: the product, in one process. */
export async function startTestSystem(options: SystemOptions = {}) {
  const database = await testDatabase(options.template);
  const address = options.temporalAddress ?? process.env['WAYBILL_TEST_TEMPORAL'] ?? '';
  const namespace = `test-${randomBytes(6).toString('hex')}`;
  const connection = connectLazily(address);
  await setUpTemporal(connection, namespace);
  const client = createClient(connection, namespace);
  const workerLog: Json[] = [];
  const log = createLog('worker', 'info', { write: (line) => void workerLog.push(JSON.parse(line) as Json) });
  // It ends with the last connection of a worker.
  if (!options.sharesRuntime) Runtime.install(temporalRuntime(log));
  let api: TestApi | undefined;
  const notifier = createWorkflowNotifier({
    client,
    nameOf: async (tenantId) => api && (await tenantNames(api.db.pool)(tenantId)),
    removeDone: async (ids) => api && (await deleteOutboxEntries(api.db.pool, ids)),
    onTrouble: (error) => log.debug({ error }, 'not told'),
  });
  api = await startTestApi(database, {
    // No list is active yet; the thread that a later look would start costs 0.3 s of CPU time.
    ...(!options.keepsLists && { pollMs: NEVER_MS }),
    ...options,
    deps: {
      notifyWorkflows: notifier.notifyWorkflows,
      startImport: async (subject) =>
        await startImport(client, subject, api && (await tenantNames(api.db.pool)(subject.tenantId))),
      startListUpdate: async (update) => await startListUpdate(client, update),
      ...options.deps,
    },
  });
  /** Moves the time that activities see; workflow timers keep real time. */
  const clock = { offsetMs: 0 };
  const http = createOutgoingHttp({
    environment: 'sandbox',
    allowedHosts: api.config.WEBHOOK_ALLOWED_HOSTS,
  });
  const turns = leasedTurns(api.db.pool, { firstGuessMs: 1_000 });
  await activateList(api.db.pool, 'OFAC_SDN', LISTED);
  const screening: ScreeningDeps = {
    db: api.db,
    sanctions: api.deps.subjects,
    aml: api.deps.aml,
    walletIntelligence: { db: api.db, observeWallet: api.deps.observeWallet },
    canObserve: canObserve(api.config.chains),
    now: () => new Date(Date.now() + clock.offsetMs),
    ...options.activities,
  };
  const report: ReportFailure = (activity, error) => log.error({ activity, error }, 'a step failed');
  const mails = { portalUrl: portalUrlOf(api.config), sendsMails: sendsMails(api.config) };
  const networks = messageNetworks({ ...screening, report }, mails);
  const handedOver = createHandedOverRequests();
  const trpClient = createTrpClient(api.config);
  const activities = createActivities({
    ...screening,
    ...mails,
    http,
    turns,
    troubled: createTroubledEndpoints(),
    handedOver,
    networks: { ...networks, NATIVE: options.wrapNetwork?.(networks.NATIVE) ?? networks.NATIVE },
    chains: api.config.chains,
    lists: listSources(api.config),
    storage: api.deps.storage,
    liveness: manualReview,
    mailer: openMailer(api.config),
    reportUnsent: (mail) => log.warn(mail, 'a mail was not sent'),
    trp: {
      client: trpClient,
      places: trpPlaces(),
      url: trpUrlOf(api.config),
      rules: {
        environment: api.config.ENVIRONMENT,
        allowedHosts: api.config.WEBHOOK_ALLOWED_HOSTS,
      },
    },
    reportTrpFault: (fault) => log.warn(fault, 'another VASP did not take a message by TRP'),
    priceOf: api.deps.priceOf,
    addedIndexes: openAddedIndexes(api.config.DATABASE_URL),
    startedAt: new Date(),
    notifyWorkflows: notifier.notifyWorkflows,
    endWorkflowsOf: async (tenantId, onEnded) => await endWorkflowsOf(client, tenantId, onEnded),
    report,
    ...options.activities,
  });
  const native = await NativeConnection.connect({ address });
  const queuesOfWorkflows = new Set<string>(Object.values(WORKFLOWS).map(({ taskQueue }) => taskQueue));
  const createWorker = async (taskQueue: string) =>
    await Worker.create({
      connection: native,
      namespace,
      activities,
      taskQueue,
      // As in the product: a worker with workflows has a thread of its own, which has to load them.
      ...(queuesOfWorkflows.has(taskQueue) && workflowOptions),
    });
  const workers = await Promise.all(Object.values(TASK_QUEUES).map(createWorker));
  const running = Promise.all(workers.map(async (worker) => await worker.run()));
  const relay = startOutboxRelay({ db: api.db, client, log });
  const scans = startScanLoop({ db: api.db, client, chains: api.config.chains, log });
  return {
    ...api,
    database,
    namespace,
    client,
    clock,
    /** Everything that the workers logged. */
    workerLog,
    /** One round of what the worker does every minute. */
    sweep: createSweep({ db: api.db, connection, client, log, deadlineMs: TEMPORAL_MS }),
    /**
     * Sends the signal that operators send, once the workflow has been started. One that is over has looked already: what it wrote
     * itself wakes it, too, and may do so first.
     */
    wake: async (type: WorkflowType, subjectId: string) => {
      const handle = client.workflow.getHandle(workflowId(type, subjectId));
      await eventually(
        async () => await signalled(handle),
        (isDone) => isDone,
      );
    },
    stop: async () => {
      await relay.stop();
      for (const scan of scans) await scan.stop();
      for (const worker of workers) worker.shutdown();
      await running;
      await handedOver.ended();
      await notifier.drain();
      await http.close();
      await trpClient.close();
      turns.close();
      await api.stop();
      await native.close();
      await connection.close();
      await database.drop();
    },
  };
}

export type TestSystem = Awaited<ReturnType<typeof startTestSystem>>;

/** False where the workflow has been started anew since it could not be signalled. Throws while it has never been started. */
async function signalled(handle: WorkflowHandle): Promise<boolean> {
  try {
    await handle.signal(ROW_CHANGED);
    return true;
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    return (await handle.describe()).status.name !== 'RUNNING';
  }
}
