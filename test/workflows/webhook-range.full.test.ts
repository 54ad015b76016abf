import { inTransaction } from '../../db/postgres.ts';
import { insertTestDelivery } from '../../db/webhooks/insert-test-delivery.ts';
import { createLog } from '../../process/log.ts';
import { startOutboxRelay } from '../../worker/outbox-relay.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { eventually } from '../eventually.ts';
import { startReceiver, startWebhookSystem, type WebhookSystem } from './webhook-system.ts';

const COUNT = 300;
/** Slow enough that more than eight would be under way at once if nobody held them back. */
const ANSWER_AFTER_MS = 200;

let system: WebhookSystem;

beforeAll(async () => {
  system = await startWebhookSystem();
});
afterAll(async () => await system.stop());

/** Deliveries that nobody works for any more. */
async function givenUp(tenant: TestTenant): Promise<string[]> {
  const { pool, vault } = system.db;
  const keys = await vault.tenantKeys(tenant.id);
  return await inTransaction(pool, async (tx) => {
    const ids: string[] = [];
    for (let made = 0; made < COUNT; made += 1) {
      ids.push((await insertTestDelivery(tx, keys, tenant.id, new Date())).delivery.id);
    }
    await tx.query('delete from outbox where tenant_id = $1', [tenant.id]);
    await tx.query(
      `update webhook_deliveries set status = 'GAVE_UP', attempts = 12, last_error = 'TIMEOUT', wake_at = null,
         finished_at = now() where tenant_id = $1`,
      [tenant.id],
    );
    return ids;
  });
}

/** An endpoint that takes its time, and counts how many requests it works on. */
async function slowReceiver() {
  const inFlight = { now: 0, most: 0 };
  const receiver = await startReceiver((response) => {
    inFlight.now += 1;
    inFlight.most = Math.max(inFlight.most, inFlight.now);
    setTimeout(() => {
      inFlight.now -= 1;
      response.writeHead(200).end();
    }, ANSWER_AFTER_MS);
  });
  return { receiver, inFlight };
}

test(`${COUNT} that were given up arrive under their old event ids, never more than eight at once`, async () => {
  const { receiver, inFlight } = await slowReceiver();
  const tenant = await createTenant(system, { webhookUrl: receiver.url });
  const ids = await givenUp(tenant);
  const received = () => new Set(receiver.received.map(({ headers }) => String(headers['x-event-id'])));
  const open = '/tenant/me/webhook-deliveries?_status=PENDING,FAILED,GAVE_UP&_end=1';
  const left = async () => (await tenant.get(open)).headers.get('X-Total-Count');
  const worker = await system.startWorker();
  const log = createLog('test', 'silent', { write: () => undefined });
  const relay = startOutboxRelay({ db: system.db, client: system.client, log });
  try {
    const range = { from: '2020-01-01T00:00:00Z', to: '2099-01-01T00:00:00Z' };
    const answer = await tenant.post('/tenant/me/webhook-deliveries/redeliver', range);
    expect(answer).toMatchObject({ status: 202, body: { count: COUNT, nextFrom: null } });

    // A busy machine is slow as a whole, but each fifty are waited for by themselves.
    for (let arrived = 50; arrived <= COUNT; arrived += 50)
      await eventually(received, (got) => got.size >= arrived);
    await eventually(left, (count) => count === '0');

    expect([...received()].toSorted()).toEqual(ids.toSorted());
    expect(new Set(receiver.received.map(({ headers }) => headers['x-delivery-attempt']))).toEqual(
      new Set(['13']),
    );
    expect(inFlight.most).toBeLessThanOrEqual(8);
    // Not one after the other; on a busy machine eight are seldom sent within one answer.
    expect(inFlight.most).toBeGreaterThan(1);
  } finally {
    await relay.stop();
    await worker.stop();
    await receiver.stop();
  }
}, 420_000);
