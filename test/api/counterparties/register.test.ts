import { changeClaim } from '../../../db/claims/change-claim.ts';
import { expireClaim } from '../../../domain/claims/time.ts';
import { WARNINGS, type Counterparty, type CounterpartyStep } from '../../../domain/entities/counterparty.ts';
import type { EventView } from '../../../domain/events/schema.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import type { WorkItem } from '../../../domain/work-items/work-item.ts';
import type { Json } from '../../api-client.ts';
import { getTransaction } from '../../../db/transactions/find-transaction.ts';
import { createClaim } from '../../factories/claim.ts';
import { untilListsLoaded } from '../../factories/judged.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import type { Client } from '../../factories/tenant.ts';
import {
  createMessagePair,
  createTransaction,
  evmHash,
  readTransaction,
  letPass,
  markUnrouted,
} from '../../factories/transaction.ts';
import { useApi, useTenant, useTenantPerTest } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenantPerTest(api);
const other = useTenant(api);
const stranger = useTenant(api);

const entityOf = async ({ name }: { name: string }) =>
  String((await tenant.get(`/entities/lookup?name=${encodeURIComponent(name)}`)).body['id']);
const counterparty = async (by: Client = tenant) =>
  (await by.get<Counterparty>(`/counterparties/${await entityOf(other)}`)).body;
const addStep = async (body: Json, by: Client = tenant) =>
  await by.post<CounterpartyStep & Json>(`/counterparties/${await entityOf(other)}/steps`, body);
const dispose = async (id: string, body: Json, by: Client = tenant) =>
  await by.post<Transaction & Json>(`/transactions/${id}/assets-disposition`, body);
const eventsOf = async (id: string) => (await tenant.get<EventView[]>(`/transactions/${id}/events`)).body;

test('answer times, from the arrival of the message to its answer', async () => {
  expect(await counterparty()).toMatchObject({ medianAnswerHours: null, p95AnswerHours: null });
  for (const hours of [1, 2, 9]) {
    const { outgoingId, incomingId } = await createMessagePair(api, tenant, other);
    await other.patch(`/transactions/${incomingId}`, { status: 'CONFIRMED' });
    await database.pool.query(
      `update message_pairs set created_at = decided_at - $2 * interval '1 hour' where outgoing_id = $1`,
      [outgoingId, hours],
    );
  }
  expect(await counterparty()).toMatchObject({ answered: 3, medianAnswerHours: 2, p95AnswerHours: 8.3 });
});

test('who fails repeatedly: incomplete messages and claims without an answer count', async () => {
  await createMessagePair(api, other, tenant);
  const { incomingId } = await createMessagePair(api, other, tenant);
  expect(await counterparty()).toMatchObject({ received: 2, incomplete: 2, recentFailures: 2 });
  const claim = await createClaim(tenant, { vaspInfo: { originatorVaspName: other.name } });
  const now = new Date(Date.parse(claim.deadlineAt) + 1);
  await changeClaim(api.db, {
    tenantId: tenant.id,
    id: claim.id,
    now,
    decide: (own, counterpart) => expireClaim(own, counterpart, now),
  });
  const failing = await counterparty();
  expect(failing).toMatchObject({ claimsUnanswered: 1, recentFailures: 3 });
  expect(failing.warnings).toContain('REPEATED_FAILURES');
  await database.pool.query(
    `update transactions set created_at = created_at - interval '91 days' where id = $1`,
    [incomingId],
  );
  const later = await counterparty();
  expect(later).toMatchObject({ incomplete: 2, recentFailures: 2 });
  expect(later.warnings).not.toContain('REPEATED_FAILURES');
});

describe('who fails repeatedly', () => {
  const failing = async () => (await tenant.get<WorkItem[]>('/work-items?_kind=COUNTERPARTY')).body;
  const warned = async (query: string) =>
    (await tenant.get<Counterparty[]>(`/counterparties?_warning=${query}`)).body.map(
      ({ entityId }) => entityId,
    );

  test('is a work item until a step is recorded that is later than the last failure', async () => {
    await createMessagePair(api, other, tenant);
    await createMessagePair(api, other, tenant);
    expect(await failing()).toEqual([]);
    const { incomingId } = await createMessagePair(api, other, tenant);
    const id = await entityOf(other);
    const [item, ...more] = await failing();
    expect(more).toEqual([]);
    expect(item).toMatchObject({
      why: 'REPEATED_FAILURES',
      resource: { id, path: `/counterparties/${id}` },
      since: (await readTransaction(tenant, incomingId)).createdAt,
      nextAction: 'RECORD_STEP',
    });
    expect((await stranger.get<WorkItem[]>('/work-items?_kind=COUNTERPARTY')).body).toEqual([]);

    await addStep({ kind: 'WARNED', takenAt: '2020-01-01' });
    expect(await failing()).toEqual([]);
    await createMessagePair(api, other, tenant);
    expect(await failing()).toMatchObject([{ resource: { id } }]);
  });

  test('counts claims without an answer, and messages of duplicates, but nothing before 90 days', async () => {
    const { incomingId } = await createMessagePair(api, other, tenant);
    await createMessagePair(api, other, tenant);
    const id = await entityOf(other);
    const claim = await createClaim(tenant, { vaspInfo: { originatorVaspName: other.name } });
    await database.pool.query(`update claims set status = 'EXPIRED', wake_at = null where id = $1`, [
      claim.id,
    ]);
    expect(await warned('REPEATED_FAILURES')).toEqual([id]);
    expect(await failing()).toHaveLength(1);

    const made = { name: `Duplicate of ${id}`, type: 'exchange' };
    const { operatorKey } = api;
    const { body } = await api.request('POST', '/operator/entities', { operatorKey, body: made });
    await database.pool.query('update entities set master_entity_id = $2 where id = $1', [body['id'], id]);
    await database.pool.query('update transactions set counterparty_entity_id = $2 where id = $1', [
      incomingId,
      body['id'],
    ]);
    expect(await warned('REPEATED_FAILURES')).toEqual([id]);
    expect(await failing()).toMatchObject([{ resource: { id } }]);

    await database.pool.query(
      `update transactions set created_at = created_at - interval '91 days' where id = $1`,
      [incomingId],
    );
    expect(await warned('REPEATED_FAILURES')).toEqual([]);
    expect(await failing()).toEqual([]);
  });

  test('every warning is found by the filter as the counterparty shows it', async () => {
    const id = await entityOf(other);
    for (let failures = 0; failures < 3; failures += 1) await createMessagePair(api, other, tenant);
    const { outgoingId } = await createMessagePair(api, tenant, other);
    await database.pool.query(
      `update transactions set created_at = created_at - interval '73 hours' where id = $1`,
      [outgoingId],
    );
    await tenant.patch(`/counterparties/${id}`, { nextReviewAt: '2020-01-01' });
    await database.pool.query(
      `update entities set countries = array['KP'], risk_severity = 'high' where id = $1`,
      [id],
    );
    const { warnings } = await counterparty();
    expect(warnings).toEqual([...WARNINGS]);
    for (const warning of WARNINGS) expect([warning, await warned(warning)]).toEqual([warning, [id]]);

    await tenant.patch(`/counterparties/${id}`, { nextReviewAt: null, dueDiligenceAt: '2026-01-01' });
    await database.pool.query(`update entities set countries = '{}', risk_severity = 'low' where id = $1`, [
      id,
    ]);
    const rest = (await counterparty()).warnings;
    for (const warning of WARNINGS)
      expect([warning, await warned(warning)]).toEqual([warning, rest.includes(warning) ? [id] : []]);
    expect(await warned('HIGH_RISK,REPEATED_FAILURES')).toEqual([id]);
    expect((await tenant.get('/counterparties?_warning=ANY')).status).toBe(400);
  });
});

describe('steps', () => {
  test('are kept in their order with who recorded them, sealed, for this tenant alone', async () => {
    const reported = await addStep({ kind: 'REPORTED', note: 'To the FIU, Jonas Brandt.' });
    expect(reported).toMatchObject({
      status: 201,
      body: { kind: 'REPORTED', note: 'To the FIU, Jonas Brandt.', userId: null },
    });
    expect(reported.body.apiKeyId).not.toBeNull();
    const warned = await addStep({ kind: 'WARNED', takenAt: '2026-01-31' });
    expect(warned.body.takenAt).toBe('2026-01-31T00:00:00.000Z');
    const { steps, policy, updatedAt } = await counterparty();
    expect(steps).toEqual([warned.body, reported.body]);
    expect([policy, updatedAt]).toEqual(['ALLOW', null]);
    expect((await counterparty(stranger)).steps).toEqual([]);
    const listed = await tenant.get<Counterparty[]>('/counterparties');
    expect(listed.body.map(({ steps: each }) => each.length)).toEqual([2]);
    const { rows } = await database.pool.query<{ text: string }>(
      `select encode(note, 'escape') as text from counterparty_steps where id = $1`,
      [reported.body.id],
    );
    expect(rows[0]?.text).not.toContain('Jonas');
  });

  test('one under a key is added once; what no step can be is refused', async () => {
    const headers = { 'Idempotency-Key': 'step-1' };
    const path = `/counterparties/${await entityOf(other)}/steps`;
    const first = await tenant.post<CounterpartyStep>(path, { kind: 'WARNED', note: 'once' }, { headers });
    const again = await tenant.post<CounterpartyStep>(path, { kind: 'WARNED', note: 'once' }, { headers });
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect((await counterparty()).steps).toHaveLength(1);
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    for (const body of [
      {},
      { kind: 'FORGIVEN' },
      { kind: 'WARNED', takenAt: tomorrow },
      { kind: 'WARNED', by: 'me' },
    ])
      expect((await addStep(body)).status).toBe(400);
    const nobody = '/counterparties/01a20adf-3882-722d-8ca3-04bffa9941c3/steps';
    expect((await tenant.post(nobody, { kind: 'WARNED' })).status).toBe(404);
  });
});

describe('assetsDisposition', () => {
  test('is an event that the other side does not see, counted for the counterparty', async () => {
    const { incomingId, outgoingId } = await createMessagePair(api, other, tenant);
    const before = await readTransaction(other, outgoingId);
    const suspended = await dispose(incomingId, { assetsDisposition: 'SUSPENDED' });
    expect(suspended).toMatchObject({
      status: 200,
      body: { assetsDisposition: 'SUSPENDED', returnTransactionHash: null, status: 'DELIVERED' },
    });
    expect(await counterparty()).toMatchObject({ suspended: 1, returned: 0, rejected: 0 });
    await tenant.patch(`/transactions/${incomingId}`, { status: 'DECLINED' });
    const hash = evmHash();
    const returned = await dispose(incomingId, {
      assetsDisposition: 'RETURNED',
      returnTransactionHash: hash,
    });
    expect(returned.body).toMatchObject({ assetsDisposition: 'RETURNED', returnTransactionHash: hash });
    expect(await counterparty()).toMatchObject({ suspended: 0, returned: 1 });
    const [latest, , first] = await eventsOf(incomingId);
    expect(latest).toMatchObject({
      type: 'ASSETS_DISPOSED',
      actor: 'API_KEY',
      data: { assetsDisposition: 'RETURNED', previous: 'SUSPENDED' },
    });
    expect(first).toMatchObject({ type: 'ASSETS_DISPOSED', data: { previous: null } });
    const sender = await readTransaction(other, outgoingId);
    expect([sender.assetsDisposition, sender.version]).toEqual([null, before.version + 1]);
  });

  test('the same again is no event; what does not fit is refused', async () => {
    const { incomingId, outgoingId } = await createMessagePair(api, other, tenant);
    await dispose(incomingId, { assetsDisposition: 'CREDITED' });
    const { version } = await readTransaction(tenant, incomingId);
    expect((await dispose(incomingId, { assetsDisposition: 'CREDITED' })).body.version).toBe(version);
    for (const body of [
      {},
      { assetsDisposition: 'KEPT' },
      { assetsDisposition: 'RETURNED' },
      { assetsDisposition: 'CREDITED', returnTransactionHash: evmHash() },
    ])
      expect((await dispose(incomingId, body)).status).toBe(400);
    expect((await dispose(outgoingId, { assetsDisposition: 'CREDITED' })).status).toBe(404);
    expect(await dispose(outgoingId, { assetsDisposition: 'CREDITED' }, other)).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition' },
    });
  });
});

test('the report is CSV without notes, and no formula', async () => {
  await createMessagePair(api, tenant, other);
  await tenant.patch(`/counterparties/${await entityOf(other)}`, { note: 'secret note' });
  await addStep({ kind: 'WARNED', takenAt: '2026-02-01', note: 'secret step' });
  await addStep({ kind: 'RESTRICTED', takenAt: '2026-03-01' });
  const { body: made } = await api.request('POST', '/operator/entities', {
    operatorKey: api.operatorKey,
    body: { name: '=SUM(A1)', type: 'exchange' },
  });
  await tenant.patch(`/counterparties/${String(made['id'])}`, { policy: 'BLOCK' });
  const answer = await fetch(`${api.url}/counterparties/report`, { headers: { 'X-Api-Key': tenant.apiKey } });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const text = await answer.text();
  const [header, ...lines] = text.trimEnd().split('\r\n');
  expect(header).toMatch(/^entityId,name,.*,warnings,steps$/);
  expect(lines).toHaveLength(2);
  expect(text).toContain("'=SUM(A1)");
  expect(text).toContain('WARNED 2026-02-01;RESTRICTED 2026-03-01');
  expect(text).not.toContain('secret');
  const foreign = await fetch(`${api.url}/counterparties/report`, {
    headers: { 'X-Api-Key': stranger.apiKey },
  });
  expect(await foreign.text()).toBe(`${header}\r\n`);
});

describe('POST /transactions/{id}/proceed', () => {
  const proceed = async (id: string, by: Client = tenant) =>
    await by.post<Transaction & Json>(`/transactions/${id}/proceed`, {
      reason: 'Sunrise: approved by Anna.',
    });

  test('coins go without an answer: the outcome stays WAIT, and an answer is still taken', async () => {
    const { outgoingId, incomingId } = await createMessagePair(api, tenant, other);
    const { version } = await readTransaction(other, incomingId);
    const answer = await proceed(outgoingId);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        status: 'DELIVERED',
        clearance: { outcome: 'WAIT', reasons: ['DELIVERED', 'AWAITING_COUNTERPARTY', 'SUNRISE_OVERRIDE'] },
        sunriseOverride: { reason: 'Sunrise: approved by Anna.', at: expect.any(String) as string },
      },
    });
    const [event] = await eventsOf(outgoingId);
    expect(event).toMatchObject({ type: 'SUNRISE_OVERRIDE', actor: 'API_KEY' });
    expect(JSON.stringify(event)).not.toContain('Anna');
    expect(await readTransaction(other, incomingId)).toMatchObject({ sunriseOverride: null, version });
    expect((await proceed(outgoingId)).status).toBe(409);
    await other.patch(`/transactions/${incomingId}`, { status: 'CONFIRMED' });
    const { clearance } = await readTransaction(tenant, outgoingId);
    expect(clearance.reasons).not.toContain('SUNRISE_OVERRIDE');
  });

  test('an unanswered one that was overridden is no work any more', async () => {
    const { outgoingId } = await createMessagePair(api, tenant, other);
    await database.pool.query(
      `update transactions set created_at = created_at - interval '4 days' where id = $1`,
      [outgoingId],
    );
    const work = async () => (await tenant.get<Json[]>('/work-items?_kind=RECONCILIATION')).body.length;
    expect(await work()).toBe(1);
    await proceed(outgoingId);
    expect(await work()).toBe(0);
    const { body } = await tenant.get<Json[]>('/reconciliation');
    expect(body).toMatchObject([{ transactionId: outgoingId, nextAction: 'WAIT_FOR_COUNTERPARTY' }]);
  });

  test("not before the screening, nor past a hold, a decision or one's own wallet", async () => {
    const { id } = await createTransaction(tenant);
    expect(await proceed(id)).toMatchObject({ body: { code: 'screening_pending' } });
    const { incomingId, outgoingId } = await createMessagePair(api, other, tenant);
    expect(await proceed(incomingId)).toMatchObject({ status: 409, body: { code: 'invalid_transition' } });
    await database.pool.query(`update transactions set hold = 'SANCTIONS' where id = $1`, [outgoingId]);
    expect(await proceed(outgoingId, other)).toMatchObject({
      status: 409,
      body: { code: 'review_required' },
    });
    expect((await proceed(outgoingId)).status).toBe(404);
    const { id: selfHosted } = await createTransaction(tenant, {
      blockchainInfo: { blockchain: 'Ethereum', destinationType: 'NON_CUSTODIAL' },
    });
    expect((await proceed(selfHosted)).status).toBe(409);
    await tenant.patch(`/transactions/${id}`, { status: 'CANCELLED' });
    expect((await proceed(id)).status).toBe(409);
    expect((await tenant.post(`/transactions/${id}/proceed`, {})).status).toBe(400);
  });

  test('a message that found no VASP, though it is due for its next screening', async () => {
    const { id } = await createTransaction(tenant);
    await letPass(api.db, id);
    await markUnrouted(api.db, await getTransaction(api.db, tenant.id, id));
    await database.pool.query(
      `update transactions set screening_state = 'DUE', screening_due_since = wake_at where id = $1`,
      [id],
    );
    // It is screened within the request, since nobody knows what has changed in the meantime.
    expect(await proceed(id)).toMatchObject({ body: { code: 'screening_pending' } });
    await activateList(database.pool, 'OFAC_SDN', [listEntry('1', 'Quillon Thistlewood')]);
    await untilListsLoaded(api, tenant.id);
    expect(await proceed(id)).toMatchObject({
      status: 200,
      body: { clearance: { outcome: 'WAIT', nextAction: 'FIX_ROUTING' } },
    });
  });
});
