import { COUNTERPARTY, type Actor } from '../../../../domain/events/actor.ts';
import { isForwarded } from '../../../../domain/transactions/exchanging/carry-over.ts';
import type { RecordChange } from '../../../../domain/transactions/change.ts';
import { patchTransaction } from '../../../../domain/transactions/changing/patch-transaction.ts';
import type { TransactionRecord } from '../../../../domain/transactions/record.ts';
import { PatchTransactionBody } from '../../../../domain/transactions/schema.ts';
import { NOW, shown, shownChange, transactionRecord } from '../../../factories/transaction-record.ts';

const LATER = new Date(NOW.getTime() + 60_000);
const actor: Actor = { kind: 'API_KEY', id: 'key-1' };
const DEADLINE = new Date(NOW.getTime() + 90 * 86_400_000);

const sent = (overrides: Parameters<typeof transactionRecord>[0] = {}) =>
  transactionRecord({
    status: 'DELIVERED',
    deadlineAt: DEADLINE,
    wakeAt: DEADLINE,
    ...overrides,
  });
const received = (overrides: Parameters<typeof transactionRecord>[0] = {}) =>
  transactionRecord({
    direction: 'INCOMING',
    status: 'DELIVERED',
    messageSource: 'NATIVE',
    isDestinationConfirmed: true,
    ...overrides,
  });

/** What a PATCH of one side makes of the other; null when the other side learns nothing. */
function carried(own: TransactionRecord, counterpart: TransactionRecord, body: object): RecordChange | null {
  const patch = PatchTransactionBody.parse(body);
  return patchTransaction(own, counterpart, patch, { actor, now: LATER }).counterpart;
}

/** The record that a PATCH of one side makes of the other; fails where the other side learns nothing. */
function carriedRecord(own: TransactionRecord, counterpart: TransactionRecord, body: object) {
  const change = carried(own, counterpart, body);
  if (!change) throw new Error('nothing was carried over');
  return shown(change.after);
}

describe('a decision of the beneficiary VASP', () => {
  test.each(['CONFIRMED', 'DECLINED'] as const)('%s reaches the originator VASP, by webhook', (status) => {
    const change = carried(received(), sent(), { status });
    expect(change).toMatchObject({
      after: { direction: 'OUTGOING', status, deadlineAt: null, wakeAt: null, updatedAt: LATER },
      notify: true,
      wakesWorkflow: true,
    });
    expect(change?.events).toEqual([
      {
        type: 'STATUS_CHANGED',
        message: 'The counterparty answered.',
        actor: COUNTERPARTY,
        previousStatus: 'DELIVERED',
        newStatus: status,
        basis: { kind: 'COUNTERPARTY' },
      },
    ]);
  });

  test('takes its reasons along, and nothing else that is written in the record', () => {
    const change = carried(received(), sent({ personal: { metadata: 'mine', internalNote: 'mine' } }), {
      status: 'DECLINED',
      statusReasoning: 'names differ',
      statusReasonCode: 'NAME_MISMATCH',
      metadata: 'theirs',
      internalNote: 'theirs',
    });
    expect(change?.after).toMatchObject({
      statusReasonCode: 'NAME_MISMATCH',
      personal: { statusReasoning: 'names differ', metadata: 'mine', internalNote: 'mine' },
    });
    expect(JSON.stringify(change)).not.toContain('theirs');
  });

  test('takes reasons along that were written down before', () => {
    const reasoned = received({ statusReasonCode: 'COMPLIANCE', personal: { statusReasoning: 'late' } });
    expect(carried(reasoned, sent(), { status: 'DECLINED' })?.after).toMatchObject({
      statusReasonCode: 'COMPLIANCE',
      personal: { statusReasoning: 'late' },
    });
  });

  test.each([
    [{ status: 'CONFIRMED' }, true],
    [{ status: 'DECLINED', statusReasonCode: 'UNKNOWN_ADDRESS' }, false],
    [{ status: 'DECLINED', statusReasonCode: 'COMPLIANCE' }, null],
    [{ status: 'DECLINED' }, null],
  ])('%j says of the destination: %j', (body, isDestinationConfirmed) => {
    expect(carried(received(), sent(), body)?.after).toMatchObject({ isDestinationConfirmed });
  });

  test('CONFIRMED waits for the hash where the originator VASP gave none', () => {
    const confirm = { status: 'CONFIRMED' };
    expect(carriedRecord(received(), sent(), confirm).subStatus).toBe('AWAITING_TRANSACTION_HASH');
    const hashed = sent({ transactionHash: 'abc', hashNormal: 'abc' });
    expect(carriedRecord(received(), hashed, confirm).subStatus).toBeNull();
  });

  test('reaches a message that expired, for it may still be answered', () => {
    const expired = sent({ expiredAt: NOW, deadlineAt: null, wakeAt: null });
    expect(carried(received(), expired, { status: 'CONFIRMED' })?.after.status).toBe('CONFIRMED');
  });

  test('its data and hash stay with the beneficiary VASP', () => {
    for (const body of [
      { originator: { name: 'corrected' } },
      { beneficiary: { name: 'corrected' } },
      { transactionHash: 'abc' },
      { statusReasoning: 'not yet decided', statusReasonCode: 'OTHER' },
    ]) {
      expect(carried(received(), sent(), body)).toBeNull();
    }
  });
});

describe('a withdrawal of the originator VASP', () => {
  test('cancels what is undecided at the beneficiary VASP, by webhook', () => {
    const body = { status: 'CANCELLED', statusReasoning: 'wrong amount' };
    const change = carried(sent(), received(), body);
    expect(shownChange(change)).toMatchObject({
      after: {
        direction: 'INCOMING',
        status: 'CANCELLED',
        subStatus: null,
        statusReasonCode: 'CANCELLED_BY_SENDER',
        isDestinationConfirmed: true,
        personal: { statusReasoning: 'wrong amount' },
      },
      notify: true,
      wakesWorkflow: false,
    });
    expect(change?.events).toMatchObject([
      {
        type: 'STATUS_CHANGED',
        message: 'The originator withdrew the transfer.',
        previousStatus: 'DELIVERED',
        newStatus: 'CANCELLED',
      },
    ]);
  });

  test('leaves a sealed record sealed', () => {
    const sealed = received({
      sealed: true,
      isDestinationConfirmed: false,
    });
    expect(carried(sent(), sealed, { status: 'CANCELLED' })?.after).toMatchObject({
      status: 'CANCELLED',
      sealed: true,
      isDestinationConfirmed: false,
    });
  });
});

test.each(['CONFIRMED', 'DECLINED', 'CANCELLED'] as const)(
  'a counterpart that is %s for good never gets another status',
  (status) => {
    expect(carried(sent(), received({ status }), { status: 'CANCELLED' })).toBeNull();
    expect(carried(received(), sent({ status }), { status: 'DECLINED' })).toBeNull();
    expect(carried(received(), sent({ status }), { status: 'CONFIRMED' })).toBeNull();
  },
);

describe('data that the originator VASP sends later', () => {
  const body = {
    originator: { name: 'Ada King', placeOfBirth: null },
    beneficiary: { accountNumber: '17' },
    additionalOriginators: [{ name: 'Charles Babbage' }],
    vaspInfo: { beneficiaryVaspExtraInfo: 'desk 4' },
    blockchainInfo: { origin: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359' },
  };
  const originator = { name: 'Ada', placeOfBirth: 'London', country: 'GB' };

  test('reaches the beneficiary VASP as a new version, whose entry names the fields', () => {
    const change = carried(sent({ personal: { originator } }), received({ personal: { originator } }), body);
    expect(shownChange(change)?.after).toMatchObject({
      status: 'DELIVERED',
      subStatus: 'ON_HOLD',
      origin: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
      originNormal: '0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359',
      updatedAt: LATER,
    });
    expect(change?.after.personal).toMatchObject({
      originator: { name: 'Ada King', country: 'GB' },
      beneficiary: { accountNumber: '17' },
      additionalOriginators: [{ name: 'Charles Babbage' }],
      vaspInfo: { beneficiaryVaspExtraInfo: 'desk 4' },
    });
    expect(change?.after.personal.originator).not.toHaveProperty('placeOfBirth');
    expect(change).toMatchObject({
      after: { screeningState: 'DUE', wakeAt: LATER },
      notify: true,
      wakesWorkflow: true,
    });
    expect(change?.events).toEqual([
      {
        type: 'DATA_UPDATED',
        message: 'The originator sent a new version of the data.',
        actor: COUNTERPARTY,
        data: {
          fields: [
            'additionalOriginators',
            'beneficiary.accountNumber',
            'blockchainInfo.origin',
            'originator.name',
            'originator.placeOfBirth',
            'vaspInfo.beneficiaryVaspExtraInfo',
          ],
        },
      },
    ]);
  });

  test('takes back a party whole', () => {
    const change = carried(sent({ personal: { originator } }), received({ personal: { originator } }), {
      originator: null,
    });
    expect(change?.after.personal.originator).toBeNull();
  });

  test('leaves alone what the beneficiary VASP wrote itself', () => {
    const corrected = received({
      transactionHash: 'own hash',
      hashNormal: 'own hash',
      personal: {
        beneficiary: { name: 'Grace', accountNumber: '4711' },
        additionalOriginators: [{ name: 'Charles Babbage' }],
        vaspInfo: { originatorVaspEmail: 'desk@alpine.example' },
        metadata: 'own',
        internalNote: 'own',
        statusReasoning: 'own',
      },
    });
    const change = carried(sent({ personal: { originator } }), corrected, {
      originator: { name: 'Ada King' },
    });
    expect(change?.after).toMatchObject({
      transactionHash: 'own hash',
      hashNormal: 'own hash',
      personal: { ...corrected.personal, originator: { name: 'Ada King' } },
    });
    const hashed = carried(sent(), corrected, { transactionHash: 'abc' });
    expect(hashed?.after).toMatchObject({ transactionHash: 'abc', personal: corrected.personal });
  });

  test('brings the chain with the normal forms that depend on it', () => {
    const legacy = '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu';
    const place = { asset: 'TOKEN', blockchain: null, blockchainKey: null };
    const at = { ...place, destination: legacy, destinationNormal: legacy };
    const change = carried(sent(at), received(at), { blockchainInfo: { blockchain: 'Bitcoin Cash' } });
    expect(change?.after).toMatchObject({
      blockchain: 'Bitcoin Cash',
      blockchainKey: 'Bitcoin Cash',
      destinationNormal: 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
    });
  });

  test('and notes of the originator VASP never go with it', () => {
    const noted = { ...body, metadata: 'canary', internalNote: 'canary', statusReasoning: 'canary' };
    const change = carried(sent(), received(), noted);
    expect(JSON.stringify(change)).not.toContain('canary');
    expect(JSON.stringify(change?.events)).not.toMatch(/metadata|internalNote|statusReason/);
    const alone = { metadata: 'canary', internalNote: 'canary', statusReasonCode: 'OTHER' };
    expect(carried(sent(), received(), alone)).toBeNull();
  });

  test('together with a withdrawal comes before it in the log', () => {
    const change = carried(sent(), received(), { ...body, transactionHash: 'abc', status: 'CANCELLED' });
    expect(change?.events.map(({ type }) => type)).toEqual(['DATA_UPDATED', 'HASH_ADDED', 'STATUS_CHANGED']);
    expect(change?.after).toMatchObject({ status: 'CANCELLED', transactionHash: 'abc' });
  });
});

describe('a hash that the originator VASP sends later', () => {
  test.each([
    [null, 'first', 'HASH_ADDED'],
    ['first', 'second', 'HASH_REPLACED'],
    ['first', null, 'HASH_REMOVED'],
  ])(
    'from %j to %j reaches the beneficiary VASP as %s, in final states too',
    (transactionHash, next, type) => {
      for (const status of ['DELIVERED', 'CONFIRMED', 'DECLINED', 'CANCELLED'] as const) {
        const place = { status, transactionHash, hashNormal: transactionHash };
        const change = carried(sent(place), received(place), { transactionHash: next });
        expect(change?.after).toMatchObject({ status, transactionHash: next, hashNormal: next });
        expect(change?.events).toMatchObject([{ type, actor: COUNTERPARTY }]);
        expect(change?.events[0]?.data).toBeUndefined();
      }
    },
  );

  test('that the beneficiary VASP has already tells it nothing', () => {
    const hash = 'ab'.repeat(32);
    const known = received({ transactionHash: hash, hashNormal: hash });
    expect(carried(sent(), known, { transactionHash: `0x${hash.toUpperCase()}` })).toBeNull();
  });

  test('ends the wait of what was confirmed without it', () => {
    const waiting = received({ status: 'CONFIRMED' });
    expect(shown(waiting).subStatus).toBe('AWAITING_TRANSACTION_HASH');
    const change = carried(sent({ status: 'CONFIRMED' }), waiting, { transactionHash: 'abc' });
    expect(shownChange(change)?.after).toMatchObject({ status: 'CONFIRMED', subStatus: null });
  });
});

test.each([
  ['originator.name', true],
  ['beneficiary.lei', true],
  ['additionalOriginators', true],
  ['vaspInfo.originatorVaspName', true],
  ['blockchainInfo.blockchain', true],
  ['metadata', false],
  ['internalNote', false],
  ['statusReasoning', false],
  ['statusReasonCode', false],
  ['blockchainInfo.transactionHash', true],
])('whether %s is part of a forwarded version: %j', (field, expected) => {
  expect(isForwarded(field)).toBe(expected);
});
