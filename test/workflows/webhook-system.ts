import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { DefaultLogger, NativeConnection, Runtime, Worker, type WorkerOptions } from '@temporalio/worker';
import { withFixedFailures } from '../../activities/failures.ts';
import { deliveryActivities } from '../../activities/webhooks/attempt-delivery.ts';
import type { WebhookDeps } from '../../activities/webhooks/make-attempt.ts';
import { createOutgoingHttp } from '../../outside/outgoing-http.ts';
import { createTroubledEndpoints } from '../../activities/webhooks/troubled-endpoints.ts';
import type { WebhookDelivery } from '../../domain/webhooks/schema.ts';
import { setUpTemporal } from '../../worker/temporal-setup.ts';
import { ROW_CHANGED, TASK_QUEUES, workflowId } from '../../workflows/contract.ts';
import { connectLazily, createClient, createWorkflowNotifier, startWorkflow } from '../../workflows/start.ts';
import { startTestApi } from '../api-client.ts';
import { testDatabase } from '../database.ts';
import { eventually } from '../eventually.ts';
import { leasedTurns } from '../factories/leased-turns.ts';
import type { Client } from '../factories/tenant.ts';
import { workflowOptions } from '../../worker/workflow-options.ts';

/** Api, Temporal namespace and database of their own, and workers of the webhook queue as many as a test wants. */
export async function startWebhookSystem() {
  // It ends with the last connection of a worker.
  Runtime.install({ shutdownSignals: [], logger: new DefaultLogger('ERROR') });
  const database = await testDatabase();
  const address = process.env['WAYBILL_TEST_TEMPORAL'] ?? '';
  const namespace = `wh-${randomBytes(6).toString('hex')}`;
  const connection = connectLazily(address);
  await setUpTemporal(connection, namespace);
  const client = createClient(connection, namespace);
  const notifier = createWorkflowNotifier({
    client,
    nameOf: async () => 'Webhook Tenant',
    removeDone: async () => undefined,
    onTrouble: () => undefined,
  });
  const api = await startTestApi(database, {
    config: { WEBHOOK_ALLOWED_HOSTS: ['127.0.0.1'] },
    deps: { notifyWorkflows: notifier.notifyWorkflows },
  });
  const native = await NativeConnection.connect({ address });
  /** What steps could not do, as the log gets it. */
  const reports: unknown[] = [];

  async function startWorker(deps: Partial<WebhookDeps> = {}, options: Partial<WorkerOptions> = {}) {
    const http = createOutgoingHttp({ environment: 'sandbox', allowedHosts: ['127.0.0.1'] });
    const turns = leasedTurns(api.db.pool);
    const activities = withFixedFailures(
      deliveryActivities({
        db: api.db,
        http,
        turns,
        troubled: createTroubledEndpoints(),
        now: () => new Date(),
        ...deps,
      }),
      (_activity, error) => void reports.push(error),
    );
    const taskQueue = TASK_QUEUES.webhooks;
    const worker = await Worker.create({
      connection: native,
      namespace,
      ...workflowOptions,
      activities,
      taskQueue,
      ...options,
    });
    const running = worker.run();
    return {
      stop: async () => {
        worker.shutdown();
        // Ends the requests that are under way; without it a first attempt would be waited for.
        await http.close();
        await running;
        turns.close();
      },
    };
  }

  const handleOf = (id: string) => client.workflow.getHandle(workflowId('webhookDelivery', id));
  return {
    ...api,
    startWorker,
    client,
    reports,
    handleOf,
    /** Sends the signal that the relay repeats. */
    wake: async (id: string) => await handleOf(id).signal(ROW_CHANGED),
    /** All runs of a delivery's workflow, the latest first. */
    runsOf: async (id: string) => {
      const query = `WorkflowId = '${workflowId('webhookDelivery', id)}'`;
      const runs = [];
      for await (const run of client.workflow.list({ query })) runs.push(run);
      return runs;
    },
    /** Ids of the workflows that a query of the Temporal UI finds. */
    foundBy: async (query: string) => {
      const ids = [];
      for await (const run of client.workflow.list({ query })) ids.push(run.workflowId);
      return ids;
    },
    /** What an outbox row does: starts the workflow, or outbox it. */
    start: async (tenantId: string, id: string) =>
      await startWorkflow(client, {
        id: 0,
        tenantId,
        workflow: 'webhookDelivery',
        subjectId: id,
        summary: 'Webhook',
      }),
    /** The line that operators read in the Temporal UI. */
    currentDetails: async (id: string) => {
      const metadata = await handleOf(id).query<{ currentDetails?: string }>('__temporal_workflow_metadata');
      return metadata.currentDetails ?? '';
    },
    /** Every history of the namespace as text, payloads in clear. */
    allHistories: async () => {
      const texts: string[] = [];
      for await (const { workflowId: id, runId } of client.workflow.list()) {
        const history = await client.workflow.getHandle(id, runId).fetchHistory();
        texts.push(
          historyToJSON(history).replace(/"data": ?"([^"]+)"/g, (_all, data: string) =>
            Buffer.from(data, 'base64').toString(),
          ),
        );
      }
      return texts;
    },
    stop: async () => {
      await notifier.drain();
      await api.stop();
      await native.close();
      await connection.close();
      await database.drop();
    },
  };
}

export type WebhookSystem = Awaited<ReturnType<typeof startWebhookSystem>>;

interface Received {
  headers: IncomingHttpHeaders;
  raw: Buffer;
  socket: Socket;
}

type Respond = (response: ServerResponse, received: Received, count: number) => void;

export const status =
  (code: number, headers: Record<string, string> = {}): Respond =>
  (response) =>
    void response.writeHead(code, headers).end();

/** Takes the request and never answers. */
export const hang: Respond = () => undefined;

/** An endpoint on loopback that answers as it is told to, and keeps what it got. */
export async function startReceiver(respond: Respond) {
  const received: Received[] = [];
  const receiver = { respond, received, url: '', stop: async () => undefined as void };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const got = { headers: request.headers, raw: Buffer.concat(chunks), socket: request.socket };
      received.push(got);
      receiver.respond(response, got, received.length);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  receiver.stop = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return receiver;
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

export async function readDelivery(tenant: Client, id: string): Promise<WebhookDelivery> {
  return (await tenant.get<WebhookDelivery>(`/tenant/me/webhook-deliveries/${id}`)).body;
}

/** Asks the API until the delivery fits. */
export async function deliveryWith(
  tenant: Client,
  id: string,
  fits: (delivery: WebhookDelivery) => boolean,
): Promise<WebhookDelivery> {
  return await eventually(async () => await readDelivery(tenant, id), fits);
}

/** A test event of the tenant, on its way. */
export async function sendTest(tenant: Client): Promise<WebhookDelivery> {
  const answer = await tenant.post<WebhookDelivery>('/tenant/me/webhook/test');
  if (answer.status !== 202) throw new Error(`the test was refused: ${JSON.stringify(answer.body)}`);
  return answer.body;
}
