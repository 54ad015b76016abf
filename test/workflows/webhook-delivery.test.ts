import { readdirSync, readFileSync, mkdirSync, writeFileSync, existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import type { Transaction } from '../../domain/transactions/schema.ts';
import type { WebhookDelivery } from '../../domain/webhooks/schema.ts';
import { verifyWebhook } from '../../domain/webhooks/signature.ts';
import { wakeSignal } from '../../workflows/webhook-delivery.ts';
import { eventually } from '../eventually.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import {
  deliveryWith,
  hang,
  readDelivery,
  sendTest,
  startReceiver,
  startWebhookSystem,
  status,
  webhookBundle,
  type Receiver,
  type WebhookSystem,
} from './webhook-system.ts';

let system: WebhookSystem;
const ended: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  system = await startWebhookSystem();
});
afterAll(async () => await system.stop());
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

async function worker(...given: Parameters<WebhookSystem['startWorker']>) {
  const started = await system.startWorker(...given);
  ended.push(started.stop);
  return started;
}

async function tenantWith(respond: Parameters<typeof startReceiver>[0]) {
  const receiver = await startReceiver(respond);
  ended.push(receiver.stop);
  const tenant = await createTenant(system, { webhookUrl: receiver.url });
  return { tenant, receiver };
}

const header = (receiver: Receiver, name: string) =>
  receiver.received.map((request) => String(request.headers[name]));

test('smoke', async () => {
  await worker({ nextDelayMs: (n) => (n < 12 ? 20 : null) });
  const { tenant, receiver } = await tenantWith((response, _r, count) => status(count < 3 ? 500 : 200)(response, _r, count));
  const sent = await sendTest(tenant);
  const done = await deliveryWith(tenant, sent.id, (d) => d.status === 'DELIVERED');
  console.log(done, receiver.received, system.reports);
  await eventually(() => system.handleOf(sent.id).describe(), (d) => d.status.name !== 'RUNNING');
  const json = historyToJSON(await system.handleOf(sent.id).fetchHistory());
  console.log(JSON.parse(json).events.map((e: any) => e.eventType + ' ' + (e.userMetadata ? JSON.stringify(e.userMetadata): '')), json.length);
});
