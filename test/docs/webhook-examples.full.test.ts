import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import examples from '../../api/webhooks/example-bodies.json' with { type: 'json' };
import { deliverClaim } from '../../db/lifecycle/deliver-claim.ts';
import { findNewGaps } from '../../db/reconciliation/find-new-gaps.ts';
import { sealOldestDay } from '../../db/seals/seal-day.ts';
import { endpoints } from '../../api/endpoints.ts';
import { writeOpenApi } from '../../api/openapi.ts';
import { WEBHOOKS } from '../../api/webhooks/documented-webhooks.ts';
import { projectRoot } from '../../standalone/project-root.ts';
import { eventually } from '../eventually.ts';
import { createClaim } from '../factories/claim.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { createMessagePair, createTransaction } from '../factories/transaction.ts';
import { evmWallet, signedFor, submit, createVerification } from '../factories/verification.ts';
import { startReceiver, startWebhookSystem, status, type Receiver } from '../workflows/webhook-system.ts';

/** What the documents show is what the product sends. `RECORD_WEBHOOKS=1 npm run test:full -- test/docs` records it anew. */
const isRecording = Boolean(process.env['RECORD_WEBHOOKS']);

type Kind = keyof typeof WEBHOOKS;
const KINDS = Object.keys(WEBHOOKS) as Kind[];

interface Arrived {
  headers: Record<string, string>;
  body: string;
}

const arrived = new Map<string, Arrived>();
let receiver: Receiver;
let holder: TestTenant;
let webhookSecret = '';

beforeAll(async () => {
  const system = await startWebhookSystem();
  receiver = await startReceiver(status(204));
  const worker = await system.startWorker();
  try {
    const sender = await createTenant(system, { name: 'Alpine Exchange', country: 'CH' });
    holder = await createTenant(system, { name: 'Harbour Custody', webhookUrl: receiver.url });
    const changed = await holder.post<{ webhookSecret: string }>('/tenant/me/webhook/rotate-secret', {
      overlapHours: 0,
    });
    ({ webhookSecret } = changed.body);
    await holder.post('/tenant/me/webhook/test');
    const { incomingId } = await createMessagePair(system, sender, holder, { body: MESSAGE });
    // Here no relay does so.
    for (const { id } of await webhooksOf(incomingId)) await system.start(holder.id, id);
    const wallet = evmWallet();
    const verification = await createVerification(holder, { address: wallet.address });
    await submit(holder, verification.id, await signedFor(wallet, verification));
    const claim = await createClaim(sender, {
      vaspInfo: { originatorVaspName: holder.name },
      beneficiary: { name: 'Anna Keller' },
    });
    const delivery = { tenantId: sender.id, id: claim.id, askedTenantId: holder.id, now: new Date() };
    const delivered = await deliverClaim(system.db, delivery);
    for (const { id } of await webhooksOf(delivered?.incomingId ?? '')) await system.start(holder.id, id);
    await holder.patch('/tenant/me/settings', { sealWebhook: true, reconciliationWebhook: true });
    const deposit = await createTransaction(holder, { direction: 'INCOMING' });
    await system.db.pool.query(
      `update transactions set created_at = now() - interval '2 days' where id = $1`,
      [deposit.id],
    );
    await findNewGaps(system.db, holder.id, new Date());
    await system.db.pool.query(`update tenants set created_at = now() - interval '3 days' where id = $1`, [
      holder.id,
    ]);
    await sealOldestDay(system.db, new Date());
    for (const { id } of await webhooksOf(holder.id)) await system.start(holder.id, id);
    await eventually(
      () => new Set(receiver.received.map(({ headers }) => headers['x-event-type'])).size,
      (kinds) => kinds === KINDS.length,
    );
    for (const { headers, raw } of receiver.received) {
      const kept = Object.entries(headers).filter(([name]) =>
        /^(content-type|user-agent|x-|service-)/.test(name),
      );
      arrived.set(String(headers['x-event-type']), {
        headers: Object.fromEntries(kept) as Record<string, string>,
        body: raw.toString(),
      });
    }
  } finally {
    await worker.stop();
    await receiver.stop();
    await system.stop();
  }
  if (isRecording) record();
});

async function webhooksOf(id: string): Promise<{ id: string }[]> {
  return (await holder.get<{ id: string }[]>(`/tenant/me/webhook-deliveries?_resourceId=${id}`)).body;
}

const MESSAGE = {
  blockchainInfo: { blockchain: 'Ethereum' },
  originator: {
    type: 'NATURAL',
    name: 'Anna Keller',
    country: 'CH',
    dateOfBirth: '1988-04-12',
    placeOfBirth: 'Chur',
  },
  beneficiary: { type: 'NATURAL', name: 'Jonas Brandt', country: 'DE' },
};

function record(): void {
  const bodies = KINDS.map((kind) => [kind, JSON.parse(arrived.get(kind)?.body ?? '') as unknown]);
  write('api/webhooks/example-bodies.json', Object.fromEntries(bodies));
  write('docs/verify-webhook/recorded-request.json', {
    secret: webhookSecret,
    ...arrived.get('transaction'),
  });
}

function write(file: string, content: unknown): void {
  writeFileSync(join(projectRoot, file), `${JSON.stringify(content, null, 2)}\n`);
}

test.each(KINDS)('%s: the example in the reference is a body as it is sent', (kind) => {
  const body = JSON.parse(arrived.get(kind)?.body ?? '') as object;
  expect(WEBHOOKS[kind].schema.safeParse(body).error).toBeUndefined();
  if (isRecording) return;
  // A field was added or removed: record the examples anew, as above.
  expect(Object.keys(examples[kind])).toEqual(Object.keys(body));
  expect(WEBHOOKS[kind].schema.safeParse(examples[kind]).error).toBeUndefined();
});

test.each(KINDS)('%s: the reference names the headers that are sent', (kind) => {
  const { webhooks } = writeOpenApi(endpoints, { title: '', version: '', description: '' }, WEBHOOKS);
  const { parameters } = (webhooks as Record<string, { post: { parameters: { name: string }[] } }>)[kind]!
    .post;
  const named = parameters.map(({ name }) => name.toLowerCase());
  // One is sent while a rotated secret overlaps, and a parameter named Content-Type would be ignored.
  const sent = Object.keys(arrived.get(kind)?.headers ?? {}).filter((name) => name !== 'content-type');
  expect(named.filter((name) => name !== 'service-signature-previous').toSorted()).toEqual(sent.toSorted());
});
