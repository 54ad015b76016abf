import { verifyEvents } from '../../../db/events/verify-events.ts';
import type { EventView } from '../../../domain/events/schema.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import type { WorkItem } from '../../../domain/work-items/work-item.ts';
import type { Json } from '../../api-client.ts';
import { lifecycleSteps } from '../../factories/lifecycle-steps.ts';
import { activateList } from '../../factories/sanctions.ts';
import { configurations, draft } from '../../factories/rules.ts';
import { createTenant, WEBHOOK_URL, type TestTenant } from '../../factories/tenant.ts';
import {
  createMessagePair,
  createTransaction,
  letPass,
  readTransaction,
  registerWallet,
  type MessagePair,
} from '../../factories/transaction.ts';
import { storedWebhooks } from '../../stored-webhooks.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
const sender = useTenant(api, { webhookUrl: WEBHOOK_URL });
const receiver = useTenant(api, { webhookUrl: WEBHOOK_URL });

beforeAll(async () => {
  await activateList(api.db.pool, 'OFAC_SDN', []);
});

const FIELDS = ['originator.dateOfBirth', 'originator.placeOfBirth'];
const REASON = 'We cannot tell your customer from another person.';

const ask = async (id: string, body: Json = { fields: FIELDS, reason: REASON }) =>
  await receiver.post<Transaction>(`/transactions/${id}/repair`, body);

async function asked(body?: Json): Promise<MessagePair> {
  const exchange = await createMessagePair(api, sender, receiver);
  expect((await ask(exchange.incomingId, body)).status).toBe(200);
  return exchange;
}

async function both({ outgoingId, incomingId }: MessagePair) {
  return {
    sent: await readTransaction(sender, outgoingId),
    received: await readTransaction(receiver, incomingId),
  };
}

const give = async ({ outgoingId }: MessagePair, body: Json) =>
  expect((await sender.patch(`/transactions/${outgoingId}`, body)).status).toBe(200);

/** Newest first. */
async function eventsOf(tenant: TestTenant, id: string): Promise<EventView[]> {
  return (await tenant.get<EventView[]>(`/transactions/${id}/events`)).body;
}
const typesOf = async (tenant: TestTenant, id: string) =>
  (await eventsOf(tenant, id)).map(({ type }) => type);

async function workOf(tenant: TestTenant, id: string): Promise<WorkItem | undefined> {
  const { body } = await tenant.get<WorkItem[]>('/work-items?_kind=TRANSACTION');
  return body.find(({ resource }) => resource.id === id);
}

describe('POST /transactions/{id}/repair', () => {
  test('200: both sides wait for the fields, by the same message, and the sender is told', async () => {
    const exchange = await createMessagePair(api, sender, receiver);
    const before = await both(exchange);
    const answer = await ask(exchange.incomingId);
    const { sent, received } = await both(exchange);
    expect(answer).toMatchObject({ status: 200, body: received });
    const deadlineAt = received.clearance.deadlineAt ?? '';
    expect(Date.parse(deadlineAt)).toBeGreaterThan(Date.now() + 2 * 86_400_000);
    const asks = {
      status: 'DELIVERED',
      subStatus: 'DATA_REQUESTED',
      requestedFields: FIELDS,
      requestReason: REASON,
    };
    expect(received).toMatchObject({
      ...asks,
      id: before.received.id,
      version: before.received.version + 1,
      clearance: { outcome: 'WAIT', nextAction: 'WAIT_FOR_COUNTERPARTY' },
    });
    expect(sent).toMatchObject({
      ...asks,
      id: before.sent.id,
      version: before.sent.version + 1,
      clearance: { outcome: 'WAIT', nextAction: 'PROVIDE_DATA', deadlineAt },
    });
    expect((await storedWebhooks(api, sender, exchange.outgoingId)).at(-1)).toEqual(sent);
    const told = { type: 'REPAIR_REQUESTED', data: { fields: FIELDS } };
    expect((await eventsOf(receiver, exchange.incomingId))[0]).toMatchObject({ ...told, actor: 'API_KEY' });
    expect((await eventsOf(sender, exchange.outgoingId))[0]).toMatchObject({
      ...told,
      actor: 'COUNTERPARTY',
    });
  });

  test('it is a work item of the sender, no longer one of the receiver, and lists find it by its words', async () => {
    const exchange = await createMessagePair(api, sender, receiver);
    expect(await workOf(receiver, exchange.incomingId)).toMatchObject({ nextAction: 'REVIEW' });
    await ask(exchange.incomingId);
    expect(await workOf(receiver, exchange.incomingId)).toBeUndefined();
    const { sent } = await both(exchange);
    expect(await workOf(sender, exchange.outgoingId)).toMatchObject({
      why: 'DATA_REQUESTED',
      nextAction: 'PROVIDE_DATA',
      deadlineAt: sent.clearance.deadlineAt,
    });
    const found = async (tenant: TestTenant, query: string) =>
      (await tenant.get<Transaction[]>(`/transactions?${query}`)).body.map(({ id }) => id);
    expect(await found(sender, '_nextAction=PROVIDE_DATA')).toContain(exchange.outgoingId);
    expect(await found(sender, '_subStatus=DATA_REQUESTED')).toContain(exchange.outgoingId);
    expect(await found(receiver, '_subStatus=DATA_REQUESTED')).toContain(exchange.incomingId);
  });

  test('what is asked for again takes the place of the request before; the same again changes nothing', async () => {
    const exchange = await asked();
    const { version } = (await both(exchange)).received;
    expect((await ask(exchange.incomingId)).body.version).toBe(version);
    const other = { fields: ['beneficiary.name'] };
    expect((await ask(exchange.incomingId, other)).body).toMatchObject({
      version: version + 1,
      requestReason: null,
    });
    expect((await both(exchange)).sent.requestedFields).toEqual(['beneficiary.name']);
  });

  test('the time is the one that the tenant gives this counterparty for claims', async () => {
    const exchange = await createMessagePair(api, sender, receiver);
    const { received } = await both(exchange);
    const entityId = received.vaspInfo.originatorVaspEntityId ?? '';
    expect((await receiver.patch(`/counterparties/${entityId}`, { claimDeadlineDays: 30 })).status).toBe(200);
    const { body } = await ask(exchange.incomingId);
    expect(Date.parse(body.clearance.deadlineAt ?? '')).toBeGreaterThan(Date.now() + 35 * 86_400_000);
    await receiver.patch(`/counterparties/${entityId}`, { claimDeadlineDays: null });
  });

  test.each([
    ['an unknown field', { fields: ['originator.shoeSize'] }, '/fields/0'],
    ['the destination, which nobody can change', { fields: ['blockchainInfo.destination'] }, '/fields/0'],
    ['no field', { fields: [] }, '/fields'],
    ['something else', { fields: FIELDS, until: '2030-01-01' }, '/until'],
    ['an empty reason', { fields: FIELDS, reason: '' }, '/reason'],
  ])('400: %s', async (_, body, pointer) => {
    const { incomingId } = await createMessagePair(api, sender, receiver);
    const answer = await ask(incomingId, body);
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
  });

  test('409: before the destination is confirmed; after it is, it can ask', async () => {
    const exchange = await createMessagePair(api, sender, receiver, { registered: false });
    const answer = await ask(exchange.incomingId);
    expect(answer).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition', allowed: ['DECLINED'], detail: expect.stringContaining('wallet') },
    });
    expect((await both(exchange)).sent.requestedFields).toEqual([]);
    await registerWallet(receiver, exchange.destination);
    expect((await ask(exchange.incomingId)).status).toBe(200);
  });

  test('409: what was decided, was sent, has no message, or whose sender has deleted it', async () => {
    const decided = await createMessagePair(api, sender, receiver);
    await receiver.patch(`/transactions/${decided.incomingId}`, { status: 'DECLINED' });
    const own = await createTransaction(receiver, { direction: 'INCOMING' });
    const sent = await createTransaction(receiver);
    const deleted = await createMessagePair(api, sender, receiver);
    await sender.delete(`/transactions/${deleted.outgoingId}`);
    for (const id of [decided.incomingId, own.id, sent.id, deleted.incomingId]) {
      expect(await ask(id)).toMatchObject({ status: 409, body: { code: 'invalid_transition' } });
    }
  });

  test('401, 403, 404: without key, by an observer, of another tenant', async () => {
    const { incomingId } = await createMessagePair(api, sender, receiver);
    const path = `/transactions/${incomingId}/repair`;
    expect((await api.request('POST', path, { body: { fields: FIELDS } })).status).toBe(401);
    expect((await (await receiver.as('OBSERVER')).post(path, { fields: FIELDS })).status).toBe(403);
    expect((await (await createTenant(api)).post(path, { fields: FIELDS })).status).toBe(404);
  });
});

describe('what was asked for', () => {
  test('is given: the request ends on both sides, and the version says which fields have changed', async () => {
    const exchange = await asked();
    await give(exchange, { originator: { dateOfBirth: '1984-03-12', placeOfBirth: 'Chur' } });
    const { sent, received } = await both(exchange);
    expect(sent).toMatchObject({
      subStatus: 'AWAITING_COUNTERPARTY',
      requestedFields: [],
      requestReason: null,
    });
    expect(received).toMatchObject({
      id: exchange.incomingId,
      requestedFields: [],
      originator: { dateOfBirth: '1984-03-12', placeOfBirth: 'Chur' },
    });
    expect((await storedWebhooks(api, receiver, exchange.incomingId)).at(-1)).toEqual(received);
    await letPass(api.db, exchange.incomingId);
    expect((await both(exchange)).received.clearance.nextAction).toBe('REVIEW');
    for (const [tenant, id] of [
      [sender, exchange.outgoingId],
      [receiver, exchange.incomingId],
    ] as const) {
      const events = await eventsOf(tenant, id);
      const repaired = events.find(({ type }) => type === 'REPAIRED');
      expect(repaired).toMatchObject({ data: { fields: FIELDS, open: [] } });
      const changed = events.find(({ type }) => type === 'DATA_UPDATED');
      expect(changed).toMatchObject({
        data: { fields: FIELDS },
        payloadHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      });
    }
    expect((await verifyEvents(api.db)).faults).toEqual([]);
  });

  test('is given in parts: the request goes on for the rest', async () => {
    const exchange = await asked();
    await give(exchange, { originator: { placeOfBirth: 'Chur' } });
    const { sent, received } = await both(exchange);
    for (const side of [sent, received]) {
      expect(side).toMatchObject({
        subStatus: 'DATA_REQUESTED',
        requestedFields: ['originator.dateOfBirth'],
      });
    }
    await give(exchange, { originator: { dateOfBirth: '1984-03-12' } });
    expect((await both(exchange)).sent.subStatus).toBe('AWAITING_COUNTERPARTY');
  });

  test('is confirmed by sending the same value again', async () => {
    const exchange = await asked({ fields: ['originator.name'] });
    await give(exchange, { originator: { name: 'Anna Keller' } });
    const { sent, received } = await both(exchange);
    expect([sent.requestedFields, received.requestedFields]).toEqual([[], []]);
    expect(await typesOf(sender, exchange.outgoingId)).not.toContain('DATA_UPDATED');
    expect((await eventsOf(receiver, exchange.incomingId))[0]).toMatchObject({
      type: 'REPAIRED',
      data: { fields: ['originator.name'] },
    });
  });

  test.each<[string, string, Json]>([
    ['a name in parts', 'originator.name', { originator: { firstName: 'Anna', lastName: 'Keller' } }],
    ['an address in parts', 'originator.address', { originator: { addressDetails: { town: 'Chur' } } }],
    [
      'an origin',
      'blockchainInfo.origin',
      { blockchainInfo: { origin: '0x52908400098527886E0F7030069857D2E4169EE7' } },
    ],
  ])('may be %s', async (_, field, body) => {
    const exchange = await asked({ fields: [field] });
    await give(exchange, body);
    expect((await both(exchange)).received.requestedFields).toEqual([]);
  });

  test.each<[string, Json]>([
    ['a placeholder', { originator: { name: '-' } }],
    ['another field', { originator: { country: 'CH' } }],
    ['a note', { internalNote: 'asked the customer' }],
    ['a hash', { transactionHash: `0x${'ab'.repeat(32)}` }],
  ])('is not %s', async (_, body) => {
    const exchange = await asked({ fields: ['originator.name'] });
    await give(exchange, body);
    const { sent, received } = await both(exchange);
    expect([sent.subStatus, received.subStatus]).toEqual(['DATA_REQUESTED', 'DATA_REQUESTED']);
  });

  test('is given no more once the receiver has decided or the sender has withdrawn', async () => {
    const declined = await asked();
    const decision = { status: 'DECLINED', statusReasonCode: 'MISSING_DATA' };
    expect((await receiver.patch(`/transactions/${declined.incomingId}`, decision)).status).toBe(200);
    const withdrawn = await asked();
    await give(withdrawn, { status: 'CANCELLED' });
    for (const exchange of [declined, withdrawn]) {
      const { sent, received } = await both(exchange);
      for (const side of [sent, received]) {
        expect(side).toMatchObject({
          subStatus: null,
          requestedFields: [],
          clearance: { nextAction: 'NONE', deadlineAt: null },
        });
      }
    }
  });

  test('is waited for no more when the sender deletes its record', async () => {
    const exchange = await asked();
    expect((await sender.delete(`/transactions/${exchange.outgoingId}`)).status).toBe(204);
    expect(await readTransaction(receiver, exchange.incomingId)).toMatchObject({
      subStatus: 'ON_HOLD',
      requestedFields: [],
      clearance: { nextAction: 'REVIEW' },
    });
  });
});

test('no rule confirms a message before all is given that was asked for', async () => {
  const other = await createTenant(api, { webhookUrl: WEBHOOK_URL });
  const exchange = await createMessagePair(api, sender, other);
  const ofOther = async () => await readTransaction(other, exchange.incomingId);
  expect((await other.post(`/transactions/${exchange.incomingId}/repair`, { fields: FIELDS })).status).toBe(
    200,
  );
  const { id } = (await configurations(other)).INCOMING;
  expect((await draft(other, id, [], { defaultDecision: 'PROCEED' })).status).toBe(200);
  expect((await other.post(`/rule-engine/${id}/publish`, { comment: 'for a test' })).status).toBe(201);
  const advance = lifecycleSteps(api);
  await give(exchange, { originator: { placeOfBirth: 'Chur' } });
  await advance(other, { id: exchange.incomingId });
  expect(await ofOther()).toMatchObject({ status: 'DELIVERED', subStatus: 'DATA_REQUESTED' });
  await give(exchange, { originator: { dateOfBirth: '1984-03-12' } });
  await advance(other, { id: exchange.incomingId });
  expect((await ofOther()).status).toBe('CONFIRMED');
});

describe('when the time is over', () => {
  async function expectLapsed(exchange: MessagePair): Promise<void> {
    const { sent, received } = await both(exchange);
    expect(sent).toMatchObject({
      status: 'DELIVERED',
      subStatus: 'AWAITING_COUNTERPARTY',
      requestedFields: [],
    });
    expect(received).toMatchObject({
      subStatus: 'ON_HOLD',
      clearance: { nextAction: 'REVIEW', deadlineAt: null },
    });
    for (const [tenant, id, shown] of [
      [sender, exchange.outgoingId, sent],
      [receiver, exchange.incomingId, received],
    ] as const) {
      expect((await eventsOf(tenant, id))[0]).toMatchObject({
        type: 'REPAIR_EXPIRED',
        data: { fields: FIELDS },
        basis: { kind: 'EXPIRY' },
      });
      expect((await storedWebhooks(api, tenant, id)).at(-1)).toEqual(shown);
    }
  }

  test('the workflow of the sender ends the request for both, and the message waits for its 90 days', async () => {
    const exchange = await asked();
    const { sent } = await both(exchange);
    const at = new Date(Date.parse(sent.clearance.deadlineAt ?? '') + 1);
    const early = new Date(at.getTime() - 60_000);
    await lifecycleSteps(api, { now: () => early })(sender, { id: exchange.outgoingId });
    expect((await both(exchange)).sent.subStatus).toBe('DATA_REQUESTED');
    await lifecycleSteps(api, { now: () => at })(sender, { id: exchange.outgoingId });
    await expectLapsed(exchange);
    const { rows } = await database.pool.query<{ same: boolean }>(
      'select wake_at = deadline_at as same from transactions where id = $1',
      [exchange.outgoingId],
    );
    expect(rows).toEqual([{ same: true }]);
  });

  test('the workflow wakes at that time, also after the sender’s new data was screened', async () => {
    const exchange = await asked();
    const { sent } = await both(exchange);
    const wakeAt = async () => {
      const { rows } = await database.pool.query<{ wake_at: Date }>(
        'select wake_at from transactions where id = $1',
        [exchange.outgoingId],
      );
      return rows[0]?.wake_at.toISOString();
    };
    expect(await wakeAt()).toBe(sent.clearance.deadlineAt);
    await give(exchange, { originator: { country: 'CH' } });
    await lifecycleSteps(api)(sender, { id: exchange.outgoingId });
    expect(await wakeAt()).toBe(sent.clearance.deadlineAt);
  });

  test('a message that nobody answered in 90 days can still be asked about', async () => {
    const exchange = await createMessagePair(api, sender, receiver);
    await database.pool.query(
      `update transactions set deadline_at = null, wake_at = null, expired_at = now() where id = $1`,
      [exchange.outgoingId],
    );
    const { body } = await ask(exchange.incomingId);
    const at = new Date(Date.parse(body.clearance.deadlineAt ?? '') + 1);
    await lifecycleSteps(api, { now: () => at })(sender, { id: exchange.outgoingId });
    expect((await both(exchange)).sent).toMatchObject({ subStatus: 'EXPIRED', requestedFields: [] });
  });

  test.each(['sender', 'receiver'])('by fire-timer of the %s', async (side) => {
    const exchange = await asked();
    const [tenant, id] = side === 'sender' ? [sender, exchange.outgoingId] : [receiver, exchange.incomingId];
    expect((await tenant.post(`/sandbox/transactions/${id}/fire-timer`)).status).toBe(202);
    expect((await typesOf(tenant, id)).slice(0, 2)).toEqual(['REPAIR_EXPIRED', 'TIMER_FIRED']);
    await expectLapsed(exchange);
  });
});

test('of twenty requests and a decision at once, the first of them counts on both sides', async () => {
  const exchange = await createMessagePair(api, sender, receiver);
  const calls = [
    ...Array.from({ length: 10 }, async () => await ask(exchange.incomingId)),
    receiver.patch(`/transactions/${exchange.incomingId}`, { status: 'DECLINED' }),
    ...Array.from({ length: 10 }, async () => await ask(exchange.incomingId)),
  ];
  const statuses = new Set((await Promise.all(calls)).map(({ status }) => status));
  expect([...statuses].every((status) => status === 200 || status === 409)).toBe(true);
  const { sent, received } = await both(exchange);
  expect([sent.status, received.status]).toEqual(['DECLINED', 'DECLINED']);
  expect((await verifyEvents(api.db)).faults).toEqual([]);
});
