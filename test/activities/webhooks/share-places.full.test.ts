import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { MockActivityEnvironment } from '@temporalio/testing';
import { deliveryActivities } from '../../../activities/webhooks/attempt-delivery.ts';
import type { DeliveryStep } from '../../../activities/webhooks/delivery-step.ts';
import { endpointOrigin } from '../../../activities/webhooks/make-attempt.ts';
import { createOutgoingHttp } from '../../../outside/outgoing-http.ts';
import { createTroubledEndpoints } from '../../../activities/webhooks/troubled-endpoints.ts';
import { endPlaces, leasePlaces } from '../../../db/webhooks/lease-places.ts';
import type { WebhookDelivery } from '../../../domain/webhooks/schema.ts';
import { eventually } from '../../eventually.ts';
import { leasedTurns } from '../../factories/leased-turns.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { useApi } from '../../use-api.ts';

// Workers that send to one endpoint at the same time, against a real database and a real receiver.

const { api } = useApi({ config: { WEBHOOK_ALLOWED_HOSTS: ['127.0.0.1'] } });
const closing: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** A receiver that answers nobody until it is opened, and counts the requests that it has at the same time. */
async function startReceiver() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  const receiver = { url: '', inFlight: 0, most: 0, received: 0, open };
  const server: Server = createServer((request, response) => {
    receiver.received += 1;
    receiver.inFlight += 1;
    receiver.most = Math.max(receiver.most, receiver.inFlight);
    request.resume();
    void opened.then(() => {
      receiver.inFlight -= 1;
      response.writeHead(204).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  return receiver;
}

/** One worker: makes attempts until a delivery has arrived, as its workflow does. */
function newWorker() {
  const http = createOutgoingHttp({ environment: 'sandbox', allowedHosts: ['127.0.0.1'] });
  const turns = leasedTurns(api.db.pool, { firstGuessMs: 50 });
  closing.push(
    async () => await http.close(),
    () => turns.close(),
  );
  const deliveries = deliveryActivities({
    db: api.db,
    http,
    turns,
    troubled: createTroubledEndpoints(),
    now: () => new Date(),
  });
  return async (id: string): Promise<void> => {
    for (;;) {
      const attempt = async () => await deliveries.attemptDelivery({ id });
      const step = (await new MockActivityEnvironment({ isLocal: false }).run(attempt)) as DeliveryStep;
      if (step.outcome !== 'WAIT') return expect(step.outcome).toBe('DELIVERED');
      await delay(step.waitMs);
    }
  };
}

async function newWebhooks(tenant: TestTenant, count: number): Promise<string[]> {
  const answers = await Promise.all(
    Array.from({ length: count }, async () => await tenant.post<WebhookDelivery>('/tenant/me/webhook/test')),
  );
  return answers.map(({ body }) => body.id);
}

test('two workers together never have more than eight requests at one endpoint, and both send', async () => {
  const receiver = await startReceiver();
  const tenant = await createTenant(api, { webhookUrl: receiver.url });
  const ids = await newWebhooks(tenant, 90);
  const workers = [newWorker(), newWorker()];
  const sentBy = [0, 0];
  const send = async (id: string, worker: 0 | 1) => {
    await workers[worker]?.(id);
    sentBy[worker] = (sentBy[worker] ?? 0) + 1;
  };
  // The first worker is busy with all eight places when the second one joins.
  const first = ids.slice(0, 60).map(async (id) => await send(id, 0));
  await eventually(
    () => receiver.most,
    (most) => most === 8,
  );
  const second = ids.slice(60).map(async (id) => await send(id, 1));
  receiver.open();
  await Promise.all([...first, ...second]);
  expect(receiver.most).toBe(8);
  expect(receiver.received).toBe(90);
  expect(sentBy).toEqual([60, 30]);
});

describe('places', () => {
  const maxPlaces = 8;
  const origin = 'https://hooks.example';
  const lessee = (tenantId: string) => {
    const workerId = randomUUID();
    const lease = async (wanted: number, inFlight = 0) =>
      await leasePlaces(api.db.pool, {
        tenantId,
        origin,
        workerId,
        wanted,
        inFlight,
        maxPlaces,
        leaseMs: 20_000,
      });
    return { workerId, lease, stop: async () => await endPlaces(api.db.pool, workerId) };
  };
  const setUp = async () => {
    const { id } = await createTenant(api);
    return [lessee(id), lessee(id), lessee(id)] as const;
  };

  test('that one worker does not want are free for another', async () => {
    const [a, b] = await setUp();
    expect([await a.lease(1), await b.lease(8), await a.lease(2)]).toEqual([1, 7, 1]);
  });

  test('that are short are divided when their holders renew them, and those in use stay', async () => {
    const [a, b, c] = await setUp();
    expect([await a.lease(8), await b.lease(8)]).toEqual([8, 0]);
    expect([await a.lease(8, 6), await b.lease(8)]).toEqual([6, 2]);
    expect([await a.lease(8, 3), await b.lease(8, 2)]).toEqual([4, 4]);
    expect([await c.lease(8), await a.lease(8), await b.lease(8), await c.lease(8)]).toEqual([0, 2, 2, 2]);
  });

  test('of a worker that died are free when its lease is over, of one that stopped at once', async () => {
    const [dead, stopped, next] = await setUp();
    expect(await dead.lease(8)).toBe(8);
    await api.db.pool.query('update webhook_endpoint_leases set until = now() where worker_id = $1', [
      dead.workerId,
    ]);
    expect(await stopped.lease(8)).toBe(8);
    await stopped.stop();
    expect(await next.lease(8)).toBe(8);
  });

  test('are never more than there are, whoever asks at the same moment', async () => {
    const { id } = await createTenant(api);
    const granted = await Promise.all(
      Array.from({ length: 12 }, async (_, worker) => await lessee(id).lease(1 + (worker % 8))),
    );
    expect(granted.reduce((sum, places) => sum + places, 0)).toBeLessThanOrEqual(8);
  });

  test('at different endpoints have nothing to do with each other', async () => {
    const [one, other] = [await setUp(), await setUp()];
    expect([await one[0].lease(8), await other[0].lease(8)]).toEqual([8, 8]);
  });
});

test('a worker that has sent nothing for a second leaves all places but one to others', async () => {
  const tenant = await createTenant(api);
  const endpoint = endpointOrigin({ tenantId: tenant.id, partnerId: null }, 'https://hooks.example/path');
  const turns = leasedTurns(api.db.pool);
  closing.push(() => turns.close());
  const taken = await Promise.all(Array.from({ length: 8 }, async () => await turns.take(endpoint)));
  for (const turn of taken) if (turn.granted) turn.release();
  const places = async () => {
    const text = 'select places from webhook_endpoint_leases where tenant_id = $1';
    return (await api.db.pool.query<{ places: number }>(text, [tenant.id])).rows;
  };
  expect(await places()).toEqual([{ places: 8 }]);
  await eventually(places, ([row]) => row?.places === 1);
});
