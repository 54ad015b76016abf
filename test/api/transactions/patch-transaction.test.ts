import { failTransaction } from '../../factories/failed-transaction.ts';
import type { EventView } from '../../../domain/events/schema.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import type { Json } from '../../api-client.ts';
import {
  createMessagePair,
  createTransaction,
  evmAddress,
  evmHash,
  fullParty,
  readTransaction,
  rowCounts,
} from '../../factories/transaction.ts';
import { IS_FULL } from '../../full.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenant(api);
const counterparty = useTenant(api);

const patch = async (id: string, body: unknown) => await tenant.patch(`/transactions/${id}`, body);

/** Newest first. */
async function eventsOf(id: string): Promise<EventView[]> {
  return (await tenant.get<EventView[]>(`/transactions/${id}/events`)).body;
}

/** Patches and gives the record with the entries that are new in its log, oldest first. */
async function change(id: string, body: unknown) {
  const before = await readTransaction(tenant, id);
  const seen = (await eventsOf(id)).length;
  const answer = await patch(id, body);
  const events = (await eventsOf(id)).toReversed().slice(seen);
  return { answer, before, after: await readTransaction(tenant, id), events };
}

/** A record in any status that it can have, reached by calls where calls can reach it. */
const STANDINGS: Record<string, () => Promise<string>> = {
  'OUTGOING PENDING': async () => (await createTransaction(tenant)).id,
  'OUTGOING DELIVERED': async () => (await createMessagePair(api, tenant, counterparty)).outgoingId,
  'OUTGOING CONFIRMED': async () => await answered('CONFIRMED'),
  'OUTGOING DECLINED': async () => await answered('DECLINED'),
  'OUTGOING CANCELLED': async () => await patched(await createTransaction(tenant), 'CANCELLED'),
  'OUTGOING FAILED': async () => await failed(),
  'INCOMING PENDING': async () => (await createTransaction(tenant, { direction: 'INCOMING' })).id,
  'INCOMING DELIVERED': async () => (await createMessagePair(api, counterparty, tenant)).incomingId,
  'INCOMING CONFIRMED': async () =>
    await patched(await createTransaction(tenant, { direction: 'INCOMING' }), 'CONFIRMED'),
  'INCOMING DECLINED': async () =>
    await patched(await createTransaction(tenant, { direction: 'INCOMING' }), 'DECLINED'),
  'INCOMING CANCELLED': async () => await withdrawn(),
};

async function answered(status: string): Promise<string> {
  const { outgoingId, incomingId } = await createMessagePair(api, tenant, counterparty);
  await counterparty.patch(`/transactions/${incomingId}`, { status });
  return outgoingId;
}

async function patched({ id }: Transaction, status: string): Promise<string> {
  await patch(id, { status });
  return id;
}

async function withdrawn(): Promise<string> {
  const { outgoingId, incomingId } = await createMessagePair(api, counterparty, tenant);
  await counterparty.patch(`/transactions/${outgoingId}`, { status: 'CANCELLED' });
  return incomingId;
}

async function failed(): Promise<string> {
  const { id } = await createTransaction(tenant);
  await failTransaction(api, tenant, id);
  return id;
}

describe('fields', () => {
  const address = evmAddress();
  const hash = evmHash();
  const top: [field: string, value: unknown, shown: unknown][] = [
    ['metadata', 'order 18', 'order 18'],
    ['internalNote', 'asked twice', 'asked twice'],
    ['statusReasoning', 'still looking', 'still looking'],
    ['statusReasonCode', 'MISSING_DATA', 'MISSING_DATA'],
    ['blockchainInfo.origin', address, address],
    ['vaspInfo.beneficiaryVaspName', 'Far Away', 'Far Away'],
    ['vaspInfo.beneficiaryVaspEmail', 'tr@far.example', 'tr@far.example'],
    ['vaspInfo.beneficiaryVaspExtraInfo', 'branch 7', 'branch 7'],
    ['vaspInfo.originatorVaspName', 'Sender', 'Sender'],
    ['vaspInfo.originatorVaspEmail', 'tr@sender.example', 'tr@sender.example'],
  ];
  const ofParties = ['originator', 'beneficiary'].flatMap((section) =>
    Object.entries(fullParty('Anna')).map(([field, value]) => [`${section}.${field}`, value, value] as const),
  );

  const bodyOf = (field: string, value: unknown): Json => {
    const [section = '', name] = field.split('.');
    return name === undefined ? { [section]: value } : { [section]: { [name]: value } };
  };
  const shownAt = (record: Json, field: string): unknown => {
    const [section = '', name] = field.split('.');
    const value = record[section] as Json | null;
    return name === undefined ? value : (value?.[name] ?? null);
  };

  test.each([...top, ...ofParties])('%s is set, and cleared by null', async (field, value, shown) => {
    const { id } = await createTransaction(tenant, { direction: 'INCOMING' });
    const set = await change(id, bodyOf(field, value));
    expect(set.answer.status).toBe(200);
    expect(shownAt({ ...set.after }, field)).toEqual(shown);
    expect(set.events).toMatchObject([
      { type: 'DATA_UPDATED', data: { fields: [field] }, payloadHash: null },
    ]);
    const cleared = await change(id, bodyOf(field, null));
    expect(shownAt({ ...cleared.after }, field)).toBeNull();
    expect(cleared.after.version).toBe(3);
  });

  test.each(['transactionHash', 'blockchainInfo.transactionHash'])(
    '%s is added, replaced and removed',
    async (field) => {
      const { id } = await createTransaction(tenant);
      const steps: [string | null, string][] = [
        [hash, 'HASH_ADDED'],
        [evmHash(), 'HASH_REPLACED'],
        [null, 'HASH_REMOVED'],
      ];
      for (const [value, type] of steps) {
        const { after, before, events } = await change(id, bodyOf(field, value));
        expect(after.blockchainInfo.transactionHash).toBe(value);
        expect([after.status, after.subStatus]).toEqual([before.status, before.subStatus]);
        expect(events).toMatchObject([{ type, data: {} }]);
        expect(JSON.stringify(events)).not.toContain(hash.slice(2));
      }
    },
  );

  test('blockchain is set; null means the main chain of the asset again, and both are found by their place', async () => {
    const { id, blockchainInfo } = await createTransaction(tenant, { asset: 'ETH' });
    const moved = await change(id, { blockchainInfo: { blockchain: 'base' } });
    expect(moved.after.blockchainInfo.blockchain).toBe('base');
    const back = await change(id, { blockchainInfo: { blockchain: null } });
    expect(back.after.blockchainInfo.blockchain).toBe('Ethereum');
    expect(back.after.blockchainInfo.destination).toBe(blockchainInfo.destination);
  });

  test('a party is changed field by field, and taken away by null', async () => {
    const { id } = await createTransaction(tenant, { originator: { name: 'Anna', country: 'CH' } });
    await patch(id, { originator: { country: 'Germany', accountNumber: '1' } });
    expect((await readTransaction(tenant, id)).originator).toMatchObject({
      name: 'Anna',
      country: 'DE',
      accountNumber: '1',
    });
    await patch(id, { originator: null });
    expect((await readTransaction(tenant, id)).originator).toBeNull();
  });

  test('a party whose last field is cleared is none', async () => {
    const { id } = await createTransaction(tenant, { beneficiary: { name: 'Jonas' } });
    await patch(id, { beneficiary: { name: null } });
    expect((await readTransaction(tenant, id)).beneficiary).toBeNull();
  });

  test('additional originators are replaced as a list', async () => {
    const { id } = await createTransaction(tenant, {
      additionalOriginators: [{ name: 'Ada' }, { name: 'Bea' }],
    });
    const { after, events } = await change(id, {
      additionalOriginators: [{ name: 'Cia', country: 'france' }],
    });
    expect(after.additionalOriginators).toMatchObject([{ name: 'Cia', country: 'FR' }]);
    expect(events).toMatchObject([{ type: 'DATA_UPDATED', data: { fields: ['additionalOriginators'] } }]);
    expect((await change(id, { additionalOriginators: null })).after.additionalOriginators).toEqual([]);
  });

  test('an entry names all fields and no value', async () => {
    const { id } = await createTransaction(tenant);
    const body = {
      metadata: 'SECRET',
      originator: { name: 'SECRET', town: undefined },
      vaspInfo: { beneficiaryVaspName: 'SECRET' },
    };
    const { events } = await change(id, body);
    expect(events[0]?.data).toEqual({
      fields: ['metadata', 'originator.name', 'vaspInfo.beneficiaryVaspName'],
    });
    expect(JSON.stringify(events)).not.toContain('SECRET');
  });
});

describe('200', () => {
  test('the answer has no bytes', async () => {
    const { id } = await createTransaction(tenant);
    const answer = await fetch(`${api.url}/transactions/${id}`, {
      method: 'PATCH',
      headers: { 'X-Api-Key': tenant.apiKey, 'Content-Type': 'application/json' },
      body: JSON.stringify({ metadata: 'x' }),
    });
    expect([answer.status, answer.headers.get('Content-Length'), answer.headers.get('Content-Type')]).toEqual(
      [200, '0', null],
    );
    expect((await answer.arrayBuffer()).byteLength).toBe(0);
  });

  test('version and updatedAt move with each change, createdAt does not', async () => {
    const created = await createTransaction(tenant);
    let last = created;
    for (const metadata of ['a', 'b', 'c']) {
      const { after } = await change(created.id, { metadata });
      expect(after.version).toBe(last.version + 1);
      expect(after.updatedAt > last.updatedAt).toBe(true);
      expect(after.createdAt).toBe(created.createdAt);
      last = after;
    }
  });

  test.each<[string, Json]>([
    ['nothing', {}],
    ['empty sections', { blockchainInfo: {}, vaspInfo: {}, originator: {}, beneficiary: {} }],
    [
      'the same values',
      { metadata: 'order 17', originator: { name: 'Anna' }, blockchainInfo: { origin: null } },
    ],
    ['the same status', { status: 'PENDING' }],
  ])('a patch with %s changes nothing: no version, no event', async (_what, body) => {
    const { id } = await createTransaction(tenant, { metadata: 'order 17', originator: { name: 'Anna' } });
    const before = await rowCounts(api);
    const { answer, before: was, after } = await change(id, body);
    expect(answer.status).toBe(200);
    expect(after).toEqual(was);
    expect(await rowCounts(api)).toEqual(before);
  });

  const AT_ONCE = IS_FULL ? 100 : 30;
  test(`${AT_ONCE} changes at once are all kept, one version each`, async () => {
    const { id } = await createTransaction(tenant);
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, async (_, index) => await patch(id, { metadata: `m${index}` })),
    );
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    const record = await readTransaction(tenant, id);
    expect(record.version).toBe(AT_ONCE + 1);
    expect((await eventsOf(id)).map((event) => event.version)).toEqual(
      Array.from({ length: AT_ONCE + 1 }, (_, index) => AT_ONCE + 1 - index),
    );
  });

  test.each([
    ['a message that nobody was found for', 'OUTGOING PENDING'],
    ['a message that failed', 'OUTGOING FAILED'],
  ])('new routing data sends %s on its way again', async (_what, standing) => {
    const id = await STANDINGS[standing]?.();
    if (!id) throw new Error('no such standing');
    await database.pool.query(`update transactions set wake_at = now() + interval '1 day' where id = $1`, [
      id,
    ]);
    const told = api.outbox.length;
    const { after } = await change(id, { vaspInfo: { beneficiaryVaspName: 'Somebody New' } });
    expect(after).toMatchObject({ status: 'PENDING', subStatus: 'ROUTING', statusReasonCode: null });
    expect(api.outbox.slice(told)).toMatchObject([{ workflow: 'transactionLifecycle', subjectId: id }]);
  });
});

describe('status', () => {
  const ALL = ['PENDING', 'DELIVERED', 'CONFIRMED', 'DECLINED', 'FAILED', 'CANCELLED'];
  const OPEN: Record<string, string[]> = {
    'OUTGOING PENDING': ['CANCELLED'],
    'OUTGOING DELIVERED': ['CANCELLED'],
    'INCOMING PENDING': ['CONFIRMED', 'DECLINED'],
    'INCOMING DELIVERED': ['CONFIRMED', 'DECLINED'],
  };
  const cases = Object.keys(STANDINGS).flatMap((standing) => ALL.map((to) => [standing, to] as const));

  test.each(cases)('%s set to %s: allowed, the same, or 409 with what is allowed', async (standing, to) => {
    const id = (await STANDINGS[standing]?.()) ?? '';
    const allowed = OPEN[standing] ?? [];
    const { answer, before, after, events } = await change(id, { status: to });
    const isMove = before.status !== to;
    if (isMove && !allowed.includes(to)) {
      expect(answer).toMatchObject({ status: 409, body: { code: 'invalid_transition', allowed } });
    } else {
      expect(answer.status).toBe(200);
      expect(after.status).toBe(to);
    }
    const moved = isMove && allowed.includes(to);
    expect(events.map((event) => [event.type, event.previousStatus, event.newStatus])).toEqual(
      moved ? [['STATUS_CHANGED', before.status, to]] : [],
    );
    if (!moved) expect(after).toEqual(before);
  });

  test.each(['OPEN', 'confirmed', '', null, 1])('the word %j is 400', async (status) => {
    const { id } = await createTransaction(tenant, { direction: 'INCOMING' });
    const answer = await patch(id, { status });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ pointer: '/status' }] },
    });
  });

  test('a decision is logged with the key that made it as its basis, and its reason is kept in the record only', async () => {
    const { id } = await createTransaction(tenant, { direction: 'INCOMING' });
    const reasons = { statusReasoning: 'the name is another one', statusReasonCode: 'NAME_MISMATCH' };
    const { after, events } = await change(id, { status: 'DECLINED', ...reasons });
    expect(after).toMatchObject({ status: 'DECLINED', subStatus: null, ...reasons });
    expect(events).toMatchObject([
      {
        type: 'STATUS_CHANGED',
        actor: 'API_KEY',
        apiKeyId: tenant.apiKeyId,
        basis: { kind: 'API_KEY', id: tenant.apiKeyId },
      },
    ]);
    expect(JSON.stringify(events)).not.toContain('another one');
  });

  test('who cancels without a reason code gets CANCELLED_BY_SENDER, else the one given', async () => {
    const [one, other] = [await createTransaction(tenant), await createTransaction(tenant)];
    expect((await change(one.id, { status: 'CANCELLED' })).after.statusReasonCode).toBe(
      'CANCELLED_BY_SENDER',
    );
    expect(
      (await change(other.id, { status: 'CANCELLED', statusReasonCode: 'OTHER' })).after.statusReasonCode,
    ).toBe('OTHER');
  });

  test.each([
    ['CONFIRMED', null, 'AWAITING_TRANSACTION_HASH'],
    ['CONFIRMED', 'hash', null],
    ['DECLINED', null, null],
  ])(
    '%s with hash %j has subStatus %j, and a hash that comes later ends the wait',
    async (status, given, subStatus) => {
      const info = given ? { transactionHash: evmHash() } : {};
      const { id } = await createTransaction(tenant, { direction: 'INCOMING', blockchainInfo: info });
      expect((await change(id, { status })).after.subStatus).toBe(subStatus);
      expect((await change(id, { transactionHash: evmHash() })).after).toMatchObject({
        status,
        subStatus: null,
      });
    },
  );
});

describe('after a final status', () => {
  const FINAL = [
    'OUTGOING CONFIRMED',
    'OUTGOING DECLINED',
    'OUTGOING CANCELLED',
    'INCOMING CONFIRMED',
    'INCOMING DECLINED',
    'INCOMING CANCELLED',
  ];

  test.each(FINAL)('%s takes the hash, metadata and internalNote', async (standing) => {
    const id = (await STANDINGS[standing]?.()) ?? '';
    const hash = evmHash();
    const { answer, before, after } = await change(id, {
      blockchainInfo: { transactionHash: hash },
      metadata: 'm',
      internalNote: 'n',
    });
    expect(answer.status).toBe(200);
    expect(after).toMatchObject({
      status: before.status,
      metadata: 'm',
      internalNote: 'n',
      version: before.version + 1,
    });
    expect(after.blockchainInfo.transactionHash).toBe(hash);
  });

  const CLOSED: Json[] = [
    { originator: { name: 'X' } },
    { beneficiary: { name: 'X' } },
    { additionalOriginators: [{ name: 'X' }] },
    { vaspInfo: { beneficiaryVaspName: 'X' } },
    { statusReasoning: 'X' },
    { statusReasonCode: 'OTHER' },
    { blockchainInfo: { blockchain: 'Base' } },
    { blockchainInfo: { origin: evmAddress() } },
  ];
  // Those that need no second tenant to come about, which is quicker.
  const QUICK = ['OUTGOING CANCELLED', 'INCOMING DECLINED'];
  test.each(QUICK.flatMap((standing) => CLOSED.map((body) => [standing, body] as const)))(
    '%s refuses %j with 409, together with everything else in the patch',
    async (standing, body) => {
      const id = (await STANDINGS[standing]?.()) ?? '';
      const { answer, before, after } = await change(id, { metadata: 'not kept', ...body });
      expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } });
      expect(after).toEqual(before);
    },
  );

  test('a decision that is sent again with its reasons is 200, as is every patch that changes nothing', async () => {
    const { id } = await createTransaction(tenant, { direction: 'INCOMING' });
    const decision = { status: 'DECLINED', statusReasoning: 'unknown', statusReasonCode: 'UNKNOWN_ADDRESS' };
    expect((await patch(id, decision)).status).toBe(200);
    const again = await change(id, decision);
    expect(again.answer.status).toBe(200);
    expect(again.after).toEqual(again.before);
    expect((await patch(id, { ...decision, statusReasoning: 'another reason' })).status).toBe(409);
  });
});

describe('400', () => {
  test.each<[string, string, Json]>([
    ['/asset', 'unknown_field', { asset: 'BTC' }],
    ['/amount', 'unknown_field', { amount: '2' }],
    ['/direction', 'unknown_field', { direction: 'INCOMING' }],
    ['/reference', 'unknown_field', { reference: 'r' }],
    ['/blockchainInfo/destination', 'unknown_field', { blockchainInfo: { destination: 'x' } }],
    ['/blockchainInfo/destinationTag', 'unknown_field', { blockchainInfo: { destinationTag: 'x' } }],
    ['/transactionHash', 'hash_invalid', { transactionHash: '0xzz', blockchainInfo: { blockchain: 'Base' } }],
    [
      '/blockchainInfo/transactionHash',
      'hash_invalid',
      { blockchainInfo: { blockchain: 'Base', transactionHash: '0xzz' } },
    ],
    ['/transactionHash', 'given_twice', { transactionHash: 'a', blockchainInfo: { transactionHash: 'b' } }],
    ['/vaspInfo/originatorVaspName', 'not_allowed', { vaspInfo: { originatorVaspName: 'Me' } }],
    ['/vaspInfo/originatorVaspEmail', 'not_allowed', { vaspInfo: { originatorVaspEmail: 'me@me.example' } }],
    ['/blockchainInfo/origin', 'address_invalid', { blockchainInfo: { origin: '0x1' } }],
    ['/blockchainInfo/blockchain', 'address_invalid', { blockchainInfo: { blockchain: 'Bitcoin' } }],
    ['/originator/country', 'invalid', { originator: { country: 'Atlantis' } }],
    ['/originator/dateOfBirth', 'date_in_future', { originator: { dateOfBirth: '2999-01-01' } }],
    [
      '/beneficiary/nationalIdentificator',
      'lei_invalid',
      { beneficiary: { nationalIdentificatorType: 'LEIX', nationalIdentificator: 'X' } },
    ],
    [
      '/additionalOriginators/1/nationalIdentificator',
      'lei_invalid',
      { additionalOriginators: [{}, { nationalIdentificatorType: 'LEIX', nationalIdentificator: 'X' }] },
    ],
    [
      '/additionalOriginators',
      'too_big',
      { additionalOriginators: Array.from({ length: 6 }, () => ({ name: 'A' })) },
    ],
    ['/statusReasonCode', 'invalid_value', { statusReasonCode: 'BECAUSE' }],
    ['/metadata', 'too_big', { metadata: 'x'.repeat(2_001) }],
  ])('%s (%s): nothing is changed, not even what was fine', async (pointer, code, body) => {
    const { id } = await createTransaction(tenant);
    const { answer, before, after } = await change(id, { internalNote: 'fine', ...body });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ pointer, code }] },
    });
    expect(after).toEqual(before);
  });

  test('a refused move leaves the data of the same patch alone', async () => {
    const { id } = await createTransaction(tenant);
    const { answer, before, after } = await change(id, { status: 'CONFIRMED', metadata: 'not kept' });
    expect(answer.status).toBe(409);
    expect(after).toEqual(before);
  });

  test('a type that makes the stored identifier wrong is refused', async () => {
    const { id } = await createTransaction(tenant, { originator: { nationalIdentificator: 'NOT-AN-LEI' } });
    expect((await patch(id, { originator: { nationalIdentificatorType: 'LEIX' } })).status).toBe(400);
  });

  test('an empty body is no JSON', async () => {
    const { id } = await createTransaction(tenant);
    expect(await patch(id, '')).toMatchObject({ status: 400, body: { code: 'malformed_json' } });
  });
});

describe('401, 403, 404', () => {
  test('nobody without a key or with a reading key changes anything', async () => {
    const { id } = await createTransaction(tenant);
    const observer = await tenant.as('OBSERVER');
    expect((await api.request('PATCH', `/transactions/${id}`, { body: { metadata: 'x' } })).status).toBe(401);
    expect((await observer.patch(`/transactions/${id}`, { metadata: 'x' })).status).toBe(403);
    expect((await readTransaction(tenant, id)).metadata).toBeNull();
  });

  test('an unknown id is 404', async () => {
    expect((await patch('0190d1a2-7b3c-7def-8123-456789abcdef', { metadata: 'x' })).status).toBe(404);
  });
});
