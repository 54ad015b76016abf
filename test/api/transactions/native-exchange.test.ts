import { createHmac } from 'node:crypto';
import { canonicalJson } from '../../../domain/canonical-json.ts';
import { verifyEvents } from '../../../db/events/verify-events.ts';
import { sealingContext } from '../../../db/vault/contexts.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import type { EventView } from '../../../domain/events/schema.ts';
import type { Json } from '../../api-client.ts';
import { activateList, listEntry, untilLoaded } from '../../factories/sanctions.ts';
import { WEBHOOK_URL, type TestTenant } from '../../factories/tenant.ts';
import {
  createMessagePair,
  createTransaction,
  deliver,
  evmAddress,
  evmHash,
  fullBody,
  fullParty,
  readTransaction,
  registerWallet,
  letPass,
  deliverUnscreened,
} from '../../factories/transaction.ts';
import { storedWebhooks } from '../../stored-webhooks.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
const sender = useTenant(api, { webhookUrl: WEBHOOK_URL });
const receiver = useTenant(api, { webhookUrl: WEBHOOK_URL });

/** Oldest first. */
async function eventsOf(tenant: TestTenant, id: string): Promise<EventView[]> {
  return (await tenant.get<EventView[]>(`/transactions/${id}/events`)).body.toReversed();
}

/** Both sides with what is new in their logs and webhooks after a call. */
async function after(
  exchange: { outgoingId: string; incomingId: string },
  call: () => Promise<{ status: number }>,
) {
  const look = async (tenant: TestTenant, id: string) => ({
    record: await readTransaction(tenant, id),
    events: await eventsOf(tenant, id),
    webhooks: await storedWebhooks(api, tenant, id),
  });
  const sides = [
    [sender, exchange.outgoingId],
    [receiver, exchange.incomingId],
  ] as const;
  const before = await Promise.all(sides.map(async ([tenant, id]) => await look(tenant, id)));
  const { status } = await call();
  const now = await Promise.all(sides.map(async ([tenant, id]) => await look(tenant, id)));
  const [sent, received] = now.map(({ record, events, webhooks }, index) => ({
    record,
    before: before[index]?.record,
    events: events.slice(before[index]?.events.length),
    webhooks: webhooks.slice(before[index]?.webhooks.length),
  }));
  if (!sent || !received) throw new Error('two sides');
  return { status, sent, received };
}

const patchBy = (tenant: TestTenant, id: string, body: Json) => async () =>
  await tenant.patch(`/transactions/${id}`, body);

describe('delivery', () => {
  test('to a registered wallet: the receiver sees what was sent, and nothing that is the sender’s own', async () => {
    const body = fullBody();
    await registerWallet(receiver, body.blockchainInfo.destination);
    const sent = await createTransaction(sender, body);
    const incomingId = await deliver(api, sender, receiver, sent.id);
    const [outgoing, incoming] = [
      await readTransaction(sender, sent.id),
      await readTransaction(receiver, incomingId),
    ];
    expect(outgoing).toMatchObject({
      status: 'DELIVERED',
      subStatus: 'AWAITING_COUNTERPARTY',
      travelRuleMessageSource: 'NATIVE',
      version: 3,
    });
    expect(incoming).toEqual({
      ...outgoing,
      id: incomingId,
      direction: 'INCOMING',
      subStatus: 'ON_HOLD',
      createdAt: incoming.createdAt,
      // It was screened after it had arrived.
      updatedAt: incoming.updatedAt,
      version: 2,
      reference: null,
      metadata: null,
      internalNote: null,
      // What this side may do next, and when.
      clearance: incoming.clearance,
      blockchainInfo: {
        ...outgoing.blockchainInfo,
        isDestinationConfirmed: true,
        destinationWalletId: expect.any(Number),
      },
    });
    expect(outgoing.vaspInfo.beneficiaryVaspEntityId).toEqual(expect.any(String));
    const webhooks = await storedWebhooks(api, receiver, incomingId);
    expect(webhooks).toEqual([incoming]);
    expect((await storedWebhooks(api, sender, sent.id)).at(-1)).toEqual(outgoing);
  });

  test('the sender sees the VASP that was found where it has named none; it is not stored as its own data', async () => {
    const { outgoingId } = await createMessagePair(api, sender, receiver);
    const outgoing = await readTransaction(sender, outgoingId);
    expect(outgoing.vaspInfo).toMatchObject({
      beneficiaryVaspName: receiver.name,
      beneficiaryVaspEntityId: expect.any(String),
    });
    expect((await storedWebhooks(api, sender, outgoingId)).at(-1)).toEqual(outgoing);
    const { body: listed } = await sender.get<Transaction[]>('/transactions?_start=0&_end=1');
    expect(listed).toEqual([outgoing]);
    await sender.patch(`/transactions/${outgoingId}`, { vaspInfo: { beneficiaryVaspName: null } });
    expect((await eventsOf(sender, outgoingId)).map(({ type }) => type)).not.toContain('DATA_UPDATED');
  });

  test('both logs tell of it, each with a hash of the payload that only the sealed version explains', async () => {
    const { outgoingId, incomingId } = await createMessagePair(api, sender, receiver);
    const delivered = (await eventsOf(sender, outgoingId)).at(-1);
    const [received] = await eventsOf(receiver, incomingId);
    expect(delivered).toMatchObject({
      type: 'DELIVERED',
      actor: 'SYSTEM',
      previousStatus: 'PENDING',
      newStatus: 'DELIVERED',
    });
    expect(received).toMatchObject({
      type: 'RECEIVED',
      actor: 'COUNTERPARTY',
      previousStatus: null,
      newStatus: 'DELIVERED',
    });
    for (const [tenant, id, event] of [
      [sender, outgoingId, delivered],
      [receiver, incomingId, received],
    ] as const) {
      expect(event?.payloadHash).toBe(await hashOfVersion(tenant, id, event?.id ?? ''));
    }
    expect(delivered?.payloadHash).not.toBe(received?.payloadHash);
  });

  async function hashOfVersion(tenant: TestTenant, id: string, eventId: string): Promise<string> {
    const { rows } = await database.pool.query<{ payload: Buffer; record_key: Buffer }>(
      `select v.payload, t.record_key from payload_versions v join transactions t on t.id = v.transaction_id
       where v.event_id = $1 and v.tenant_id = $2`,
      [eventId, tenant.id],
    );
    const [row] = rows;
    if (!row) throw new Error('no version');
    const place = { tenantId: tenant.id, id };
    const key = (await api.db.vault.tenantKeys(tenant.id)).openRecordKey(
      row.record_key,
      sealingContext.transaction.key(place),
    );
    const { salt, payload } = key.open<{ salt: string; payload: Json }>(
      sealingContext.transaction.payload(place, eventId),
      row.payload,
    );
    expect(payload['originator']).toMatchObject({ name: 'Anna Keller' });
    const { body } = await tenant.get<Json & { blockchainInfo: Json }>(`/transactions/${id}`);
    const { blockchain, transactionHash, origin, destination, destinationTag } = body.blockchainInfo;
    expect(payload).toMatchObject({ asset: body['asset'], amount: String(body['amount']) });
    expect(payload).toMatchObject({ blockchain, transactionHash, origin, destination, destinationTag });
    expect(payload).not.toHaveProperty('metadata');
    return createHmac('sha256', salt).update(canonicalJson(payload)).digest('hex');
  }

  test('to an address that is not registered: no personal data, not in the record, the webhook or by a patch', async () => {
    const exchange = await createMessagePair(api, sender, receiver, {
      registered: false,
      body: { additionalOriginators: [{ name: 'Ada' }] },
    });
    const incoming = await readTransaction(receiver, exchange.incomingId);
    expect(incoming).toMatchObject({
      status: 'DELIVERED',
      subStatus: 'OWNERSHIP_UNCONFIRMED',
      originator: null,
      beneficiary: null,
      additionalOriginators: [],
      blockchainInfo: { isDestinationConfirmed: false, destinationWalletId: expect.any(Number) },
    });
    expect(await storedWebhooks(api, receiver, exchange.incomingId)).toEqual([{ ...incoming, version: 1 }]);
    const moved = await after(
      exchange,
      patchBy(sender, exchange.outgoingId, { originator: { name: 'Berta' } }),
    );
    expect(moved.received.record.originator).toBeNull();
    expect(moved.received.webhooks).toEqual([moved.received.record]);
  });

  test('done twice at once makes one record', async () => {
    const { id } = await createTransaction(sender);
    await letPass(api.db, id);
    const delivery = { tenantId: sender.id, id, receiverTenantId: receiver.id, now: new Date() };
    const done = await Promise.all(
      Array.from({ length: 10 }, async () => await deliverUnscreened(api.db, delivery)),
    );
    expect(done.filter((result) => result !== null)).toHaveLength(1);
    const { rows } = await database.pool.query('select 1 from message_pairs where outgoing_id = $1', [id]);
    expect(rows).toHaveLength(1);
  });

  test.each(['CANCELLED', 'deleted'])('a message that was %s meanwhile is not delivered', async (what) => {
    const { id } = await createTransaction(sender);
    await letPass(api.db, id);
    if (what === 'deleted') await sender.delete(`/transactions/${id}`);
    else await sender.patch(`/transactions/${id}`, { status: what });
    const delivery = { tenantId: sender.id, id, receiverTenantId: receiver.id, now: new Date() };
    expect(await deliverUnscreened(api.db, delivery)).toBeNull();
  });
});

describe('the answer of the beneficiary VASP', () => {
  test.each(['CONFIRMED', 'DECLINED'])(
    '%s reaches the originator VASP with its reasons, and nothing else',
    async (status) => {
      const exchange = await createMessagePair(api, sender, receiver);
      const reasons = { statusReasoning: 'after our checks', statusReasonCode: 'COMPLIANCE' };
      const own = { internalNote: 'secret note', metadata: 'secret data' };
      const done = await after(
        exchange,
        patchBy(receiver, exchange.incomingId, { status, ...reasons, ...own }),
      );
      expect(done.received.record).toMatchObject({ status, ...reasons, ...own });
      expect(done.sent.record).toMatchObject({ status, ...reasons, internalNote: null, metadata: null });
      expect(done.sent.record.version).toBe((done.sent.before?.version ?? 0) + 1);
      expect(done.sent.events).toMatchObject([
        {
          type: 'STATUS_CHANGED',
          actor: 'COUNTERPARTY',
          previousStatus: 'DELIVERED',
          newStatus: status,
          apiKeyId: null,
          basis: { kind: 'COUNTERPARTY' },
        },
      ]);
      expect(done.sent.webhooks).toEqual([done.sent.record]);
      expect(JSON.stringify([done.sent.events, done.sent.webhooks])).not.toContain('secret');
    },
  );

  test.each([
    [{ status: 'CONFIRMED' }, true],
    [{ status: 'DECLINED', statusReasonCode: 'UNKNOWN_ADDRESS' }, false],
    [{ status: 'DECLINED', statusReasonCode: 'COMPLIANCE' }, null],
    [{ status: 'DECLINED' }, null],
  ])('%j tells the originator VASP whether the destination is confirmed: %s', async (decision, confirmed) => {
    const exchange = await createMessagePair(api, sender, receiver);
    expect(
      (await readTransaction(sender, exchange.outgoingId)).blockchainInfo.isDestinationConfirmed,
    ).toBeNull();
    const done = await after(exchange, patchBy(receiver, exchange.incomingId, decision));
    expect(done.sent.record.blockchainInfo.isDestinationConfirmed).toBe(confirmed);
  });

  test('other changes that the beneficiary VASP makes to its record stay there', async () => {
    const exchange = await createMessagePair(api, sender, receiver);
    const body = {
      metadata: 'm',
      internalNote: 'n',
      statusReasoning: 'r',
      beneficiary: { name: 'Other' },
      transactionHash: evmHash(),
    };
    const done = await after(exchange, patchBy(receiver, exchange.incomingId, body));
    expect(done.status).toBe(200);
    expect(done.sent).toMatchObject({ record: done.sent.before, events: [], webhooks: [] });
    expect(done.received.events.map((event) => event.payloadHash)).toEqual([null, null]);
  });

  test('the originator VASP cannot answer for it, nor take its answer back', async () => {
    const exchange = await createMessagePair(api, sender, receiver);
    for (const status of ['CONFIRMED', 'DECLINED']) {
      const done = await after(exchange, patchBy(sender, exchange.outgoingId, { status }));
      expect(done).toMatchObject({ status: 409, sent: { events: [] }, received: { events: [] } });
    }
    await receiver.patch(`/transactions/${exchange.incomingId}`, { status: 'CONFIRMED' });
    const answer = await sender.patch(`/transactions/${exchange.outgoingId}`, { status: 'CANCELLED' });
    expect(answer).toMatchObject({ status: 409, body: { code: 'invalid_transition', allowed: [] } });
  });
});

describe('what the originator VASP does after delivery', () => {
  test('CANCELLED withdraws the message there too, with webhook and reasons', async () => {
    const exchange = await createMessagePair(api, sender, receiver);
    const done = await after(
      exchange,
      patchBy(sender, exchange.outgoingId, { status: 'CANCELLED', statusReasoning: 'typed wrong' }),
    );
    const expected = {
      status: 'CANCELLED',
      subStatus: null,
      statusReasoning: 'typed wrong',
      statusReasonCode: 'CANCELLED_BY_SENDER',
    };
    expect([done.sent.record, done.received.record]).toMatchObject([expected, expected]);
    expect(done.received.events).toMatchObject([
      { type: 'STATUS_CHANGED', actor: 'COUNTERPARTY', newStatus: 'CANCELLED' },
    ]);
    expect(done.received.webhooks).toEqual([done.received.record]);
    expect(done.sent.webhooks).toEqual([done.sent.record]);
    const answer = await receiver.patch(`/transactions/${exchange.incomingId}`, { status: 'CONFIRMED' });
    expect(answer).toMatchObject({ status: 409, body: { code: 'invalid_transition', allowed: [] } });
  });

  test('new party data arrives as a new version; both logs name the fields and hash the payload', async () => {
    const exchange = await createMessagePair(api, sender, receiver);
    const body = {
      originator: { name: null, lastName: 'Keller', country: 'Austria' },
      beneficiary: fullParty('Jonas'),
      additionalOriginators: [{ name: 'Ada' }],
      vaspInfo: { beneficiaryVaspExtraInfo: 'desk 2' },
      blockchainInfo: { origin: evmAddress() },
      metadata: 'own data',
      internalNote: 'own note',
    };
    const { sent, received, status } = await after(exchange, patchBy(sender, exchange.outgoingId, body));
    expect(status).toBe(200);
    expect(received.record).toMatchObject({
      version: (received.before?.version ?? 0) + 1,
      originator: { name: null, lastName: 'Keller', country: 'AT' },
      beneficiary: fullParty('Jonas'),
      additionalOriginators: [{ name: 'Ada' }],
      vaspInfo: { beneficiaryVaspExtraInfo: 'desk 2' },
      blockchainInfo: { origin: body.blockchainInfo.origin },
      metadata: null,
      internalNote: null,
      status: 'DELIVERED',
      subStatus: 'ON_HOLD',
    });
    const [event] = received.events;
    expect(event).toMatchObject({
      type: 'DATA_UPDATED',
      actor: 'COUNTERPARTY',
      payloadHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const fields = event?.data['fields'] as string[];
    expect(fields).toEqual(
      expect.arrayContaining([
        'originator.name',
        'originator.lastName',
        'blockchainInfo.origin',
        'additionalOriginators',
      ]),
    );
    expect(fields).not.toContain('metadata');
    expect(fields).not.toContain('internalNote');
    expect(sent.events).toMatchObject([
      { type: 'DATA_UPDATED', payloadHash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
    expect(received.webhooks).toEqual([received.record]);
    expect(JSON.stringify(received.events)).not.toMatch(/Keller|Jonas|own data|own note/);
  });

  test('what is its own stays its own: metadata, internalNote and reasons without a decision', async () => {
    const exchange = await createMessagePair(api, sender, receiver);
    const body = { metadata: 'm', internalNote: 'n', statusReasoning: 'r', statusReasonCode: 'OTHER' };
    const done = await after(exchange, patchBy(sender, exchange.outgoingId, body));
    expect(done.received).toMatchObject({ record: done.received.before, events: [], webhooks: [] });
    expect(done.sent.events).toMatchObject([{ type: 'DATA_UPDATED', payloadHash: null }]);
  });

  test('a hash is forwarded when added, replaced and removed, also after the answer', async () => {
    const exchange = await createMessagePair(api, sender, receiver);
    const steps: [string | null, string][] = [
      [evmHash(), 'HASH_ADDED'],
      [evmHash(), 'HASH_REPLACED'],
      [null, 'HASH_REMOVED'],
    ];
    for (const status of ['DELIVERED', 'CONFIRMED']) {
      await receiver.patch(`/transactions/${exchange.incomingId}`, status === 'CONFIRMED' ? { status } : {});
      for (const [transactionHash, type] of steps) {
        const done = await after(exchange, patchBy(sender, exchange.outgoingId, { transactionHash }));
        for (const side of [done.sent, done.received]) {
          expect(side.record).toMatchObject({ status, blockchainInfo: { transactionHash } });
          expect(side.events).toMatchObject([{ type, payloadHash: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
        }
        expect(done.received.webhooks).toEqual([done.received.record]);
      }
    }
  });

  test('a confirmed message without hash waits for it on both sides until it is added', async () => {
    const exchange = await createMessagePair(api, sender, receiver);
    const confirmed = await after(exchange, patchBy(receiver, exchange.incomingId, { status: 'CONFIRMED' }));
    const waits = { status: 'CONFIRMED', subStatus: 'AWAITING_TRANSACTION_HASH' };
    expect([confirmed.sent.record, confirmed.received.record]).toMatchObject([waits, waits]);
    const added = await after(exchange, patchBy(sender, exchange.outgoingId, { transactionHash: evmHash() }));
    const done = { status: 'CONFIRMED', subStatus: null };
    expect([added.sent.record, added.received.record]).toMatchObject([done, done]);
  });
});

describe('a sealed record', () => {
  test('cannot be confirmed: 409 with DECLINED as what is allowed', async () => {
    const exchange = await createMessagePair(api, sender, receiver, { registered: false });
    const answer = await receiver.patch(`/transactions/${exchange.incomingId}`, { status: 'CONFIRMED' });
    expect(answer).toMatchObject({
      status: 409,
      body: {
        code: 'invalid_transition',
        allowed: ['DECLINED'],
        detail: 'Confirm the destination wallet first: until then the transaction can only be declined.',
      },
    });
    expect((await readTransaction(sender, exchange.outgoingId)).status).toBe('DELIVERED');
  });

  test('can be declined, which shows nothing', async () => {
    const exchange = await createMessagePair(api, sender, receiver, { registered: false });
    const done = await after(
      exchange,
      patchBy(receiver, exchange.incomingId, { status: 'DECLINED', statusReasonCode: 'UNKNOWN_ADDRESS' }),
    );
    expect([done.sent.record.status, done.received.record.status]).toEqual(['DECLINED', 'DECLINED']);
    expect(done.received.record).toMatchObject({ originator: null, beneficiary: null });
  });

  test.each<[string, Json]>([
    ['originator', { originator: { name: 'X' } }],
    ['originator', { originator: null }],
    ['beneficiary', { beneficiary: { country: 'CH' } }],
    ['additionalOriginators', { additionalOriginators: [] }],
    ['additionalOriginators', { additionalOriginators: null }],
  ])('takes no patch of %s: 409, since nobody changes what they cannot see', async (_field, body) => {
    const exchange = await createMessagePair(api, sender, receiver, { registered: false });
    const done = await after(
      exchange,
      patchBy(receiver, exchange.incomingId, { metadata: 'not kept', ...body }),
    );
    expect(done.status).toBe(409);
    expect(done.received).toMatchObject({ record: done.received.before, events: [] });
  });

  test('shows its data once the wallet is registered, with a webhook, and can then be confirmed', async () => {
    await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', 'Somebody Else')]);
    await untilLoaded(api.screener, 'OFAC_SDN');
    const exchange = await createMessagePair(api, sender, receiver, { registered: false });
    const released = await after(exchange, async () => {
      await registerWallet(receiver, exchange.destination);
      return { status: 201 };
    });
    expect(released.received.record).toMatchObject({
      originator: { name: 'Anna Keller' },
      subStatus: 'ON_HOLD',
    });
    expect(released.received.webhooks).toEqual([released.received.record]);
    expect(
      (await receiver.patch(`/transactions/${exchange.incomingId}`, { status: 'CONFIRMED' })).status,
    ).toBe(200);
  });
});

describe('a record that the receiver made itself', () => {
  const place = () => ({
    blockchain: 'Ethereum',
    destination: evmAddress(),
    destinationTag: '8',
    transactionHash: evmHash(),
  });
  const named = () => ({ direction: 'INCOMING', vaspInfo: { originatorVaspName: sender.name } });

  test('is completed by the message for the same chain, hash and destination, and is never sealed', async () => {
    const blockchainInfo = place();
    const own = await createTransaction(receiver, {
      ...named(),
      reference: `own-${evmHash()}`,
      metadata: 'mine',
      blockchainInfo,
    });
    const sent = await createTransaction(sender, { originator: { name: 'Anna' }, blockchainInfo });
    expect(await deliver(api, sender, receiver, sent.id)).toBe(own.id);
    expect(await readTransaction(receiver, own.id)).toMatchObject({
      status: 'DELIVERED',
      subStatus: 'ON_HOLD',
      originator: { name: 'Anna' },
      reference: own.reference,
      metadata: 'mine',
      version: 3,
      createdAt: own.createdAt,
      travelRuleMessageSource: 'NATIVE',
    });
    expect((await receiver.patch(`/transactions/${own.id}`, { status: 'CONFIRMED' })).status).toBe(200);
    expect((await readTransaction(sender, sent.id)).status).toBe('CONFIRMED');
  });

  test.each(['CONFIRMED', 'DECLINED'])(
    'that is %s already answers the sender, after its screening',
    async (status) => {
      const blockchainInfo = place();
      const own = await createTransaction(receiver, { ...named(), blockchainInfo });
      await receiver.patch(`/transactions/${own.id}`, {
        status,
        statusReasoning: 'we knew',
        internalNote: 'secret',
      });
      const sent = await createTransaction(sender, { originator: { name: 'Anna' }, blockchainInfo });
      await deliver(api, sender, receiver, sent.id);
      expect(await readTransaction(sender, sent.id)).toMatchObject({
        status,
        statusReasoning: null,
        internalNote: null,
      });
      expect(await readTransaction(receiver, own.id)).toMatchObject({ status, originator: { name: 'Anna' } });
      expect((await eventsOf(sender, sent.id)).map((event) => [event.type, event.newStatus])).toEqual([
        ['CREATED', 'PENDING'],
        ['SCREENED', null],
        ['DELIVERED', 'DELIVERED'],
        ['STATUS_CHANGED', status],
      ]);
      const { rows } = await database.pool.query('select outcome from message_pairs where outgoing_id = $1', [
        sent.id,
      ]);
      expect(rows).toEqual([{ outcome: status }]);
    },
  );

  test.each<[string, (info: ReturnType<typeof place>) => Json]>([
    ['another hash', (info) => ({ ...info, transactionHash: evmHash() })],
    ['another chain', (info) => ({ ...info, blockchain: 'Base' })],
    ['another destination', (info) => ({ ...info, destination: evmAddress() })],
    ['another tag', (info) => ({ ...info, destinationTag: '7' })],
  ])('is left alone by a message for %s', async (_what, other) => {
    const blockchainInfo = place();
    const own = await createTransaction(receiver, { ...named(), blockchainInfo });
    const sent = await createTransaction(sender, { blockchainInfo: other(blockchainInfo) });
    expect(await deliver(api, sender, receiver, sent.id)).not.toBe(own.id);
    expect((await readTransaction(receiver, own.id)).version).toBe(1);
  });

  test('is found whatever the spelling of chain, hash and address', async () => {
    const blockchainInfo = {
      blockchain: 'eip155:1',
      destination: '0x52908400098527886E0F7030069857D2E4169EE7',
      transactionHash: evmHash(),
    };
    const own = await createTransaction(receiver, { ...named(), blockchainInfo });
    const sent = await createTransaction(sender, {
      blockchainInfo: {
        blockchain: 'ETH',
        destination: blockchainInfo.destination.toLowerCase(),
        transactionHash: blockchainInfo.transactionHash.slice(2).toUpperCase(),
      },
    });
    expect(await deliver(api, sender, receiver, sent.id)).toBe(own.id);
  });
});

test('after all of this the event log of every record verifies', async () => {
  expect((await verifyEvents(api.db)).faults).toEqual([]);
});
