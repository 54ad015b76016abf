import type { Transaction } from '../../domain/transactions/schema.ts';
import type { WebhookDelivery } from '../../domain/webhooks/schema.ts';
import { verifyEvents } from '../../db/events/verify-events.ts';
import { readFigures } from '../../db/metrics/read-figures.ts';
import { workflowId } from '../../workflows/contract.ts';
import type { Json } from '../api-client.ts';
import { eventually } from '../eventually.ts';
import { createReceivers } from '../fakes/receivers.ts';
import { createTenant, type Client, type TestTenant } from '../factories/tenant.ts';
import { createBody, evmAddress } from '../factories/transaction.ts';
import { recordHistory } from '../record-history.ts';
import { startTestSystem, type TestSystem } from '../system.ts';

let system: TestSystem;
let alpine: TestTenant;
let harbour: TestTenant;
let hooks: { seen: { hits: number }; url: string };
const receivers = createReceivers();

beforeAll(async () => {
  system = await startTestSystem({
    config: { WEBHOOK_ALLOWED_HOSTS: ['127.0.0.1'], RATE_LIMIT_WRITES: 0 },
  });
  hooks = await receivers.receiver((_request, response) => void response.end());
  alpine = await createTenant(system);
  harbour = await createTenant(system, { webhookUrl: hooks.url });
});
afterAll(async () => {
  await system.stop();
  await receivers.end();
});

interface ShownBrake extends Json {
  id: string;
  state: string;
  waiting: number;
  resumed: number;
}

const asOperator = async <T = Json>(method: string, path: string, body?: unknown) =>
  await system.request<T>(method, path, {
    operatorKey: system.operatorKey,
    ...(body !== undefined && { body }),
  });

async function brakeOf(tenant: Client, body: Json): Promise<ShownBrake> {
  const answer = await tenant.post<ShownBrake>('/tenant/me/brakes', { reason: 'An incident.', ...body });
  expect(answer).toMatchObject({ status: 201, body: { state: 'ON', setBy: { kind: 'API_KEY' } } });
  return answer.body;
}

async function release(tenant: TestTenant, { id }: ShownBrake, perSecond = 100): Promise<void> {
  const released = await tenant.post<ShownBrake>(`/tenant/me/brakes/${id}/release`, { perSecond });
  expect(released).toMatchObject({ status: 200, body: { state: 'RELEASING', perSecond } });
}

const shown = async (tenant: TestTenant, { id }: ShownBrake) =>
  (await tenant.get<ShownBrake[]>(`/tenant/me/brakes?q=${id}`)).body[0];

const ended = async (tenant: TestTenant, brake: ShownBrake) =>
  await eventually(
    async () => await shown(tenant, brake),
    (now) => now?.state === 'RELEASED',
  );

async function send(from: TestTenant, to: TestTenant, overrides: Json = {}): Promise<Transaction> {
  const body = createBody({ vaspInfo: { beneficiaryVaspName: to.name }, ...overrides });
  const answer = await from.post<Transaction>('/transactions', body);
  expect(answer.status).toBe(201);
  return answer.body;
}

const read = async (tenant: TestTenant, id: string) =>
  (await tenant.get<Transaction>(`/transactions/${id}`)).body;
const becomes = async (tenant: TestTenant, id: string, status: string, subStatus: string | null) =>
  await eventually(
    async () => await read(tenant, id),
    (now) => now.status === status && now.subStatus === subStatus,
  );
const typesOf = async (tenant: TestTenant, id: string) =>
  (await tenant.get<{ type: string }[]>(`/transactions/${id}/events`)).body.map(({ type }) => type);

async function arrivals(tenant: TestTenant): Promise<number> {
  const { rows } = await system.db.pool.query<{ count: number }>(
    `select count(*)::int as count from transactions where tenant_id = $1 and direction = 'INCOMING'`,
    [tenant.id],
  );
  return rows[0]?.count ?? 0;
}

const settled = async (ids: readonly string[]) =>
  await eventually(
    async () => await Promise.all(ids.map(async (id) => await read(alpine, id))),
    (all) => all.every(({ status, subStatus }) => status === 'DELIVERED' || subStatus === 'PAUSED'),
  );

test('under a brake a message is accepted and screened, and waits; after the release it arrives, the oldest first', async () => {
  const brake = await brakeOf(alpine, { kind: 'OUTGOING' });
  const before = await arrivals(harbour);
  const sent: Transaction[] = [];
  for (let count = 0; count < 4; count += 1) sent.push(await send(alpine, harbour));
  for (const { status, subStatus, clearance } of sent)
    expect([status, subStatus, clearance.outcome, clearance.nextAction]).toEqual([
      'PENDING',
      'PAUSED',
      'WAIT',
      'NONE',
    ]);
  const ids = sent.map(({ id }) => id);
  for (const id of ids)
    await eventually(
      async () => await typesOf(alpine, id),
      (types) => types.includes('SCREENED') && types.includes('PAUSED'),
    );
  expect(await shown(alpine, brake)).toMatchObject({ waiting: 4, resumed: 0, releasedAt: null });
  expect(await arrivals(harbour)).toBe(before);
  await release(alpine, brake, 2);
  for (const id of ids) await becomes(alpine, id, 'DELIVERED', 'AWAITING_COUNTERPARTY');
  expect(await ended(alpine, brake)).toMatchObject({ waiting: 0, resumed: 4, perSecond: 2 });
  const { rows } = await system.db.pool.query<{ subject_id: string; created_at: Date }>(
    `select subject_id, created_at from events where type = 'RESUMED' and subject_id = any($1::uuid[]) order by created_at, subject_id`,
    [ids],
  );
  expect(rows.map(({ subject_id }) => subject_id)).toEqual(ids);
  const times = rows.map(({ created_at }) => created_at.getTime());
  expect((times[2] ?? 0) - (times[1] ?? 0)).toBeGreaterThan(500);
  for (const id of ids) expect((await verifyEvents(system.db, id)).faults).toEqual([]);
  const handle = system.client.workflow.getHandle(workflowId('brakeRelease', brake.id));
  expect(await handle.result()).toBe('DONE');
  await recordHistory(system.client, 'brakeRelease', brake.id, 'messages');
});

test('a brake in the middle of a burst: nothing passes it once it is answered, and nothing is half done', async () => {
  const sending = Array.from({ length: 16 }, async () => await send(alpine, harbour));
  await Promise.race(sending);
  const brake = await brakeOf(alpine, { kind: 'OUTGOING' });
  const passed = await arrivals(harbour);
  // However quick the others were, these come too late.
  const late = Array.from({ length: 2 }, async () => await send(alpine, harbour));
  const ids = (await Promise.all([...sending, ...late])).map(({ id }) => id);
  const all = await settled(ids);
  expect(await arrivals(harbour)).toBe(passed);
  const { rows } = await system.db.pool.query<{ outgoing_id: string }>(
    'select outgoing_id from message_pairs where outgoing_id = any($1::uuid[])',
    [ids],
  );
  const delivered = all.filter(({ status }) => status === 'DELIVERED').map(({ id }) => id);
  expect(rows.map(({ outgoing_id }) => outgoing_id).toSorted()).toEqual(delivered.toSorted());
  expect(delivered.length).toBeLessThan(ids.length);
  await release(alpine, brake);
  for (const id of ids) await becomes(alpine, id, 'DELIVERED', 'AWAITING_COUNTERPARTY');
  expect(await ended(alpine, brake)).toMatchObject({ resumed: ids.length - delivered.length });
});

test('while a tenant takes no messages they wait with their senders, and only the operator who set that ends it', async () => {
  const path = `/operator/tenants/${harbour.id}/brakes`;
  const set = await asOperator<ShownBrake>('POST', path, { kind: 'INCOMING', reason: 'Under examination.' });
  expect(set).toMatchObject({
    status: 201,
    body: { setBy: { kind: 'OPERATOR' }, reason: 'Under examination.' },
  });
  const { id } = await send(alpine, harbour);
  const waiting = await becomes(alpine, id, 'PENDING', 'PAUSED');
  expect(waiting.clearance.reasons).toEqual(['PENDING', 'PAUSED']);
  expect(await shown(harbour, set.body)).toMatchObject({ state: 'ON', waiting: 1 });
  expect(await harbour.post(`/tenant/me/brakes/${set.body.id}/release`)).toMatchObject({
    status: 403,
    body: { code: 'forbidden' },
  });
  expect(await asOperator('POST', `${path}/${set.body.id}/release`)).toMatchObject({ status: 200 });
  await becomes(alpine, id, 'DELIVERED', 'AWAITING_COUNTERPARTY');
  await ended(harbour, set.body);
  expect(
    (await asOperator<ShownBrake[]>('GET', `${path}?_state=RELEASED`)).body.map((brake) => brake.id),
  ).toContain(set.body.id);
});

test('a brake towards one counterparty holds back nothing else', async () => {
  const meridian = await createTenant(system);
  const directory = await alpine.get<{ id: string; name: string }[]>(
    `/entities?q=${encodeURIComponent(meridian.name)}`,
  );
  const [entity] = directory.body;
  const brake = await brakeOf(alpine, { kind: 'OUTGOING', counterpartyEntityId: entity?.id ?? '' });
  const held = await send(alpine, meridian);
  const other = await send(alpine, harbour);
  await becomes(alpine, other.id, 'DELIVERED', 'AWAITING_COUNTERPARTY');
  await becomes(alpine, held.id, 'PENDING', 'PAUSED');
  // A brake on all that is set and released meanwhile ends nothing of it.
  const all = await brakeOf(alpine, { kind: 'OUTGOING' });
  await release(alpine, all);
  await ended(alpine, all);
  expect(await read(alpine, held.id)).toMatchObject({ status: 'PENDING', subStatus: 'PAUSED' });
  await release(alpine, brake);
  await becomes(alpine, held.id, 'DELIVERED', 'AWAITING_COUNTERPARTY');
});

test('a payout to a self-hosted wallet is not confirmed while its tenant sends nothing', async () => {
  const brake = await brakeOf(alpine, { kind: 'OUTGOING' });
  const payout = createBody({
    blockchainInfo: { destination: evmAddress(), destinationType: 'NON_CUSTODIAL' },
  });
  await alpine.patch('/tenant/me/settings', { selfHosted: { thresholdEur: null } });
  const { id } = (await alpine.post<Transaction>('/transactions', payout)).body;
  await eventually(
    async () => await typesOf(alpine, id),
    (types) => types.includes('SCREENED'),
  );
  expect(await read(alpine, id)).toMatchObject({
    status: 'PENDING',
    subStatus: 'PAUSED',
    clearance: { outcome: 'WAIT' },
  });
  // What its tenant cancels is not taken up again.
  const second = (await alpine.post<Transaction>('/transactions', payout)).body;
  expect((await alpine.patch(`/transactions/${second.id}`, { status: 'CANCELLED' })).status).toBe(200);
  await release(alpine, brake);
  await becomes(alpine, id, 'CONFIRMED', 'AWAITING_TRANSACTION_HASH');
  expect(await read(alpine, second.id)).toMatchObject({ status: 'CANCELLED' });
});

const deliveries = async () => (await harbour.get<WebhookDelivery[]>('/tenant/me/webhook-deliveries')).body;

test('webhooks that are held back are sent after the release, and meanwhile nobody is alarmed', async () => {
  await eventually(deliveries, (all) => all.every(({ status }) => status === 'DELIVERED'));
  const hits = hooks.seen.hits;
  const brake = await brakeOf(harbour, { kind: 'WEBHOOKS' });
  const { id } = await send(alpine, harbour);
  await becomes(alpine, id, 'DELIVERED', 'AWAITING_COUNTERPARTY');
  const outbox = async () =>
    (await system.db.pool.query('select 1 from outbox where tenant_id = $1', [harbour.id])).rowCount;
  await eventually(outbox, (left) => left === 0);
  await system.db.pool.query(
    `update webhook_deliveries set wake_at = now() - interval '1 hour' where tenant_id = $1 and status = 'PENDING'`,
    [harbour.id],
  );
  await system.sweep();
  expect(await outbox()).toBe(0);
  const { oldestUndelivered, rowsWithoutWorkflow } = await readFigures(system.db.pool);
  expect([oldestUndelivered, rowsWithoutWorkflow.webhook_delivery]).toEqual([[], 0]);
  expect(hooks.seen.hits).toBe(hits);
  expect(await shown(harbour, brake)).toMatchObject({ waiting: 1 });
  // A first attempt that begins only after the release would send it before the release takes it up.
  const held = (await deliveries()).find(({ status }) => status === 'PENDING');
  const workflow = system.client.workflow.getHandle(workflowId('webhookDelivery', held?.id ?? ''));
  await eventually(
    async () => (await workflow.describe()).status.name,
    (name) => name === 'COMPLETED',
  );
  await release(harbour, brake);
  await eventually(deliveries, (all) => all.every(({ status }) => status === 'DELIVERED'));
  expect(hooks.seen.hits).toBe(hits + 1);
  expect(await ended(harbour, brake)).toMatchObject({ waiting: 0, resumed: 1 });
});

test('a message that names a brake which is over goes on by itself', async () => {
  const brake = await brakeOf(alpine, { kind: 'OUTGOING' });
  const { id } = await send(alpine, harbour);
  await eventually(
    async () => await typesOf(alpine, id),
    (types) => types.includes('SCREENED'),
  );
  // As if it had been stored a moment after its release had ended.
  await system.db.pool.query(
    `update brakes set released_at = now(), finished_at = now(), released_by_kind = 'API_KEY', released_by = 'x' where id = $1`,
    [brake.id],
  );
  await system.db.pool.query(`update transactions set wake_at = now() - interval '2 minutes' where id = $1`, [
    id,
  ]);
  await system.sweep();
  await becomes(alpine, id, 'DELIVERED', 'AWAITING_COUNTERPARTY');
});
