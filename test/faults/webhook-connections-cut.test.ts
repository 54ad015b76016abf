import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deliveryActivities } from '../../activities/webhooks/attempt-delivery.ts';
import { firstAttemptActivities } from '../../activities/webhooks/attempt-first.ts';
import { createHandedOverRequests } from '../../activities/webhooks/handed-over.ts';
import { createOutgoingHttp } from '../../outside/outgoing-http.ts';
import { createTroubledEndpoints } from '../../activities/webhooks/troubled-endpoints.ts';
import type { WebhookDelivery } from '../../domain/webhooks/schema.ts';
import { leasedTurns } from '../factories/leased-turns.ts';
import { createTenant } from '../factories/tenant.ts';
import { cutConnections, type ConnectionCuts } from '../fakes/cut-connections.ts';
import { IS_FULL } from '../full.ts';
import { useApi } from '../use-api.ts';
import { asActivity } from './cut-worker.ts';

// The attempt of a webhook loses its database connection once at each statement. An attempt that fails is made again.

const { api, database } = useApi({ config: { WEBHOOK_ALLOWED_HOSTS: ['127.0.0.1'] } });
const closing: (() => Promise<void> | void)[] = [];
let cuts: ConnectionCuts;

beforeAll(() => {
  cuts = cutConnections(api.db.pool, database.pool);
});
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

interface Step {
  /** Makes the step; the second time it is its repeat. */
  make: () => Promise<unknown>;
  stored: () => Promise<unknown>;
  expected: unknown;
}

const MAX_STATEMENTS = 120;
const MAX_TRIES = 5;

/** Returns the number of statements of the step. */
async function cutAtEachStatement(newStep: () => Promise<Step>, when: 'BEFORE' | 'AFTER'): Promise<number> {
  for (let nth = 1; nth < MAX_STATEMENTS; nth += 1) {
    const step = await newStep();
    cuts.arm(nth, when);
    let failures = 0;
    const tryAgain = async (): Promise<unknown> =>
      await step.make().catch(async (error: unknown) => {
        failures += 1;
        if (failures > MAX_TRIES) throw error;
        return await tryAgain();
      });
    await tryAgain();
    const at = cuts.disarm();
    expect({ nth, at, stored: await step.stored() }).toEqual({ nth, at, stored: step.expected });
    if (at === undefined) return nth - 1;
  }
  throw new Error('there was no end of statements');
}

async function startReceiver(): Promise<{ url: string; received: unknown[] }> {
  const received: unknown[] = [];
  const server = createServer((request, response) => {
    received.push(request.headers['x-event-id']);
    request.resume();
    request.on('end', () => response.writeHead(204).end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`, received };
}

function openDelivery() {
  const http = createOutgoingHttp({ environment: 'sandbox', allowedHosts: ['127.0.0.1'] });
  const turns = leasedTurns(api.db.pool);
  closing.push(
    async () => await http.close(),
    () => turns.close(),
  );
  const deps = { db: api.db, http, turns, troubled: createTroubledEndpoints(), now: () => new Date() };
  const quiet = {
    handedOver: createHandedOverRequests(),
    // Longer than the product's second: what is handed over is sent once, but by somebody else.
    handOverMs: 60_000,
    notifyWorkflows: () => undefined,
    report: () => undefined,
  };
  return { ...deliveryActivities(deps), ...firstAttemptActivities({ ...deps, ...quiet }) };
}

/** The lease of an attempt that failed would end by itself after 15 seconds. */
async function endDeliveryLease(id: string): Promise<void> {
  await database.pool.query('update webhook_deliveries set leased_until = null where id = $1', [id]);
}

interface StoredEntry {
  id: number;
  summary: string;
}

async function entryOf(id: string): Promise<StoredEntry> {
  const { rows } = await database.pool.query<StoredEntry>(
    'select id, summary from outbox where subject_id = $1',
    [id],
  );
  if (!rows[0]) throw new Error('nothing tells of this webhook');
  return rows[0];
}

// After a statement inside a transaction is before the next one: the quick run leaves these out.
describe.each(IS_FULL ? (['BEFORE', 'AFTER'] as const) : (['AFTER'] as const))(
  '%s each statement',
  (when) => {
    test.each(['by its own workflow', 'by the workflow that caused it'])(
      'a webhook that is sent %s arrives once, and its delivery says so',
      async (by) => {
        const hooks = await startReceiver();
        const deliveries = openDelivery();
        const newStep = async (): Promise<Step> => {
          // An endpoint of its own: each has to lease its places.
          const tenant = await createTenant(api, { webhookUrl: hooks.url });
          const { id } = (await tenant.post<WebhookDelivery>('/tenant/me/webhook/test')).body;
          const { id: outboxId, summary } = await entryOf(id);
          const caused = { tenantId: tenant.id, id, outboxId, summary };
          let isFirst = by !== 'by its own workflow';
          return {
            make: async () => {
              await endDeliveryLease(id);
              await asActivity<unknown>(async () => {
                if (!isFirst) return await deliveries.attemptDelivery({ id });
                // It is made once; with any other result the delivery's own workflow continues.
                isFirst = false;
                const result = await deliveries.attemptFirst(caused);
                return result === 'DELIVERED' ? result : await deliveries.attemptDelivery({ id });
              });
            },
            stored: async () => [
              (await tenant.get<WebhookDelivery>(`/tenant/me/webhook-deliveries/${id}`)).body.status,
              hooks.received.filter((received) => received === id).length,
            ],
            expected: ['DELIVERED', 1],
          };
        };
        expect(await cutAtEachStatement(newStep, when)).toBeGreaterThan(5);
      },
    );
  },
);
