import type { WebhookDelivery } from '../../domain/webhooks/schema.ts';
import { verifyWebhook } from '../../domain/webhooks/signature.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import {
  deliveryWith,
  sendTest,
  startReceiver,
  startWebhookSystem,
  status,
  type Receiver,
  type WebhookSystem,
} from './webhook-system.ts';
import { HOUR_MS } from '../../domain/durations.ts';

let system: WebhookSystem;
let worker: Awaited<ReturnType<WebhookSystem['startWorker']>>;
let receiver: Receiver;
let other: Receiver;
/** How far the worker's clock is ahead. */
let aheadMs = 0;

beforeAll(async () => {
  system = await startWebhookSystem();
  worker = await system.startWorker({ now: () => new Date(Date.now() + aheadMs) });
  [receiver, other] = [await startReceiver(status(200)), await startReceiver(status(200))];
});
beforeEach(() => {
  aheadMs = 0;
});
afterAll(async () => {
  await worker.stop();
  await receiver.stop();
  await other.stop();
  await system.stop();
});

const rotate = async (tenant: TestTenant, overlapHours: number) =>
  (await tenant.post<{ webhookSecret: string }>('/tenant/me/webhook/rotate-secret', { overlapHours })).body
    .webhookSecret;
const delivered = (delivery: WebhookDelivery) => delivery.status === 'DELIVERED';

/** Sends a test event; which of the secrets its two headers verify with. */
async function signaturesAt(at: Receiver, tenant: TestTenant, secrets: Record<string, string>) {
  const { id } = await sendTest(tenant);
  await deliveryWith(tenant, id, delivered);
  const got = at.received.find(({ headers }) => headers['x-event-id'] === id);
  const signerOf = (name: string) => {
    const header = got?.headers[name];
    if (header === undefined) return 'none';
    const now = { nowMs: Date.now() + aheadMs, toleranceMs: 60_000 };
    const fits = (secret: string) => verifyWebhook(secret, String(header), got?.raw ?? Buffer.of(), now);
    return Object.keys(secrets).find((name) => fits(secrets[name] ?? '')) ?? 'nobody';
  };
  const times = ['service-signature', 'service-signature-previous'].map(
    (name) => /^t=\d+/.exec(String(got?.headers[name]))?.[0],
  );
  return {
    present: signerOf('service-signature'),
    previous: signerOf('service-signature-previous'),
    sameTime: times[0] === times[1],
  };
}

test('during the overlap both secrets sign the same bytes and time; after it only the new one does', async () => {
  const tenant = await createTenant(system, { webhookUrl: receiver.url });
  const before = tenant.webhookSecret;
  expect(await signaturesAt(receiver, tenant, { before })).toMatchObject({
    present: 'before',
    previous: 'none',
  });
  const secrets = { before, rotated: await rotate(tenant, 2) };
  expect(await signaturesAt(receiver, tenant, secrets)).toEqual({
    present: 'rotated',
    previous: 'before',
    sameTime: true,
  });
  aheadMs = 2 * HOUR_MS - 60_000;
  expect(await signaturesAt(receiver, tenant, secrets)).toEqual({
    present: 'rotated',
    previous: 'before',
    sameTime: true,
  });
  aheadMs = 2 * HOUR_MS;
  expect(await signaturesAt(receiver, tenant, secrets)).toMatchObject({
    present: 'rotated',
    previous: 'none',
  });
});

test('without an overlap only the new one signs from the next attempt on', async () => {
  const tenant = await createTenant(system, { webhookUrl: receiver.url });
  const secrets = { before: tenant.webhookSecret, rotated: await rotate(tenant, 0) };
  expect(await signaturesAt(receiver, tenant, secrets)).toMatchObject({
    present: 'rotated',
    previous: 'none',
  });
});

test('no secret that an old host knew signs for a new one during the overlap', async () => {
  const tenant = await createTenant(system, { webhookUrl: receiver.url });
  const secrets = { before: tenant.webhookSecret, rotated: await rotate(tenant, 24) };
  const { body } = await tenant.patch<{ webhookSecret: string }>('/tenant/me', { webhookUrl: other.url });
  const all = { ...secrets, moved: body.webhookSecret };
  expect(await signaturesAt(other, tenant, all)).toMatchObject({ present: 'moved', previous: 'none' });
});
