import { COUNTERPARTY, SYSTEM } from '../../../../domain/events/actor.ts';
import {
  answeredOutgoing,
  completedIncoming,
  deliveredOutgoing,
  receivedIncoming,
} from '../../../../domain/transactions/exchanging/deliver-native.ts';
import { patchTransaction } from '../../../../domain/transactions/patch-transaction.ts';
import type { TransactionRecord } from '../../../../domain/transactions/record.ts';
import { PatchTransactionBody } from '../../../../domain/transactions/schema.ts';
import { viewTransaction } from '../../../../domain/transactions/viewing/view-transaction.ts';
import { NOW, shown, shownChange, transactionRecord } from '../../../factories/transaction-record.ts';
import { refusalOf } from '../refusal-of.ts';

const LATER = new Date(NOW.getTime() + 60_000);
const IN_90_DAYS = new Date(LATER.getTime() + 90 * 86_400_000);
const HASH = 'ab'.repeat(32);
const circumstances = {
  incomingId: 'incoming-1',
  pairId: 'exchange-1',
  senderEntityId: 'entity-sender',
  receiver: { tenantId: 'tenant-receiver', entityId: 'entity-receiver', isTest: false },
  wallet: { id: 7, confirmed: true },
  now: LATER,
};
const unconfirmed = { ...circumstances, wallet: { id: 7, confirmed: false } };

const sent = (overrides: Parameters<typeof transactionRecord>[0] = {}) =>
  transactionRecord({
    reference: 'order-17',
    statusReasonCode: 'OTHER',
    transactionHash: HASH,
    hashNormal: HASH,
    destinationTag: '34',
    deliveryAttempts: 3,
    deliveryStartedAt: NOW,
    amountUsd: '6000',
    amountEur: '5400',
    ...overrides,
    personal: {
      originator: { name: 'Ada Lovelace' },
      beneficiary: { name: 'Grace Hopper' },
      additionalOriginators: [{ name: 'Charles Babbage' }],
      metadata: 'canary of the sender',
      internalNote: 'canary of the sender',
      statusReasoning: 'canary of the sender',
      ...overrides.personal,
    },
  });

describe('the record of the originator VASP', () => {
  test('is delivered and waits 90 days for an answer', () => {
    const own = sent();
    const change = deliveredOutgoing(own, circumstances);
    expect(shown(change.after).subStatus).toBe('AWAITING_COUNTERPARTY');
    expect(change.after).toEqual({
      ...own,
      status: 'DELIVERED',
      counterpartyEntityId: 'entity-receiver',
      messageSource: 'NATIVE',
      pairId: 'exchange-1',
      deadlineAt: IN_90_DAYS,
      wakeAt: IN_90_DAYS,
      updatedAt: LATER,
    });
    expect(change.after.isDestinationConfirmed).toBeNull();
    expect(change).toMatchObject({
      events: [
        {
          type: 'DELIVERED',
          actor: SYSTEM,
          previousStatus: 'PENDING',
          newStatus: 'DELIVERED',
          data: { network: 'NATIVE', entityId: 'entity-receiver' },
        },
      ],
      notify: true,
      wakesWorkflow: false,
    });
  });
});

describe('the new record of the beneficiary VASP', () => {
  test('has what was sent and begins a log of its own', () => {
    const own = sent();
    const { after, events, notify, wakesWorkflow } = receivedIncoming(own, circumstances);
    expect(shown(after)).toMatchObject({
      id: 'incoming-1',
      tenantId: 'tenant-receiver',
      direction: 'INCOMING',
      status: 'DELIVERED',
      subStatus: 'SCREENING',
      asset: own.asset,
      amount: '1.5',
      amountUsd: '6000',
      amountEur: '5400',
      transactionHash: HASH,
      destination: own.destination,
      destinationTag: '34',
      counterpartyEntityId: 'entity-sender',
      messageSource: 'NATIVE',
      pairId: 'exchange-1',
      version: 1,
      sequence: 0,
      deliveryAttempts: 0,
      deliveryStartedAt: null,
      deadlineAt: null,
      screeningState: 'DUE',
      screeningDueSince: LATER,
      wakeAt: LATER,
      createdAt: LATER,
      updatedAt: LATER,
    });
    expect(after.personal.originator).toEqual({ name: 'Ada Lovelace' });
    expect(events).toMatchObject([
      {
        type: 'RECEIVED',
        actor: COUNTERPARTY,
        previousStatus: null,
        newStatus: 'DELIVERED',
        data: { network: 'NATIVE', entityId: 'entity-sender', walletId: 7 },
      },
    ]);
    expect({ notify, wakesWorkflow }).toEqual({ notify: true, wakesWorkflow: false });
  });

  test('has nothing of what belongs to the originator VASP alone', () => {
    const archiveReadings = [{ at: NOW.toISOString(), reason: 'canary' }];
    const { after } = receivedIncoming(sent({ personal: { archiveReadings } }), circumstances);
    expect(after).toMatchObject({
      reference: null,
      statusReasonCode: null,
      personal: { metadata: null, internalNote: null, statusReasoning: null },
    });
    expect(JSON.stringify(after)).not.toMatch(/canary|order-17/);
  });

  test('with a confirmed wallet is open', () => {
    expect(receivedIncoming(sent(), circumstances).after).toMatchObject({
      sealed: false,
      isDestinationConfirmed: true,
      destinationWalletId: 7,
    });
  });

  test.each([
    ['an unconfirmed wallet', unconfirmed, 7],
    ['no wallet', { ...circumstances, wallet: null }, null],
  ])('with %s is sealed: its tenant sees nobody until it confirms', (_, given, destinationWalletId) => {
    const { after } = receivedIncoming(sent(), given);
    expect(shown(after)).toMatchObject({
      subStatus: 'OWNERSHIP_UNCONFIRMED',
      sealed: true,
      isDestinationConfirmed: false,
      destinationWalletId,
    });
    const view = viewTransaction(after, 'entity-receiver');
    expect(view).toMatchObject({ originator: null, beneficiary: null, additionalOriginators: [] });
    expect(JSON.stringify(view)).not.toMatch(/Ada|Grace|Babbage/);
  });
});

describe('a record that the beneficiary VASP made itself', () => {
  const waiting = (overrides: Parameters<typeof transactionRecord>[0] = {}) =>
    transactionRecord({
      direction: 'INCOMING',
      amount: '1.4',
      transactionHash: `0x${HASH}`,
      hashNormal: HASH,
      reference: 'deposit-4',
      ...overrides,
      personal: { metadata: 'own', internalNote: 'own', ...overrides.personal },
    });
  const completed = (own = waiting(), message = sent(), given = circumstances) =>
    completedIncoming(own, message, given).after;

  test('is completed by the message: delivered, to be decided, never sealed', () => {
    const own = waiting();
    for (const wallet of [null, { id: 7, confirmed: false }, { id: 7, confirmed: true }]) {
      const change = completedIncoming(own, sent(), { ...circumstances, wallet });
      expect(shown(change.after)).toMatchObject({
        id: own.id,
        status: 'DELIVERED',
        subStatus: 'SCREENING',
        sealed: false,
        isDestinationConfirmed: wallet?.confirmed ?? null,
        destinationWalletId: wallet?.id ?? null,
        counterpartyEntityId: 'entity-sender',
        messageSource: 'NATIVE',
        pairId: 'exchange-1',
        createdAt: own.createdAt,
        updatedAt: LATER,
      });
      expect(change).toMatchObject({
        events: [{ type: 'RECEIVED', previousStatus: 'PENDING', newStatus: 'DELIVERED' }],
        notify: true,
      });
    }
  });

  test('takes over what was sent and keeps what only it knows', () => {
    const own = waiting({
      origin: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
      originNormal: '0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359',
      personal: {
        originator: { name: 'A. L.' },
        beneficiary: { name: 'Grace', accountNumber: '17' },
        additionalOriginators: [{ name: 'C. B.' }],
      },
    });
    const message = sent({
      personal: {
        beneficiary: null,
        additionalOriginators: [],
        vaspInfo: { beneficiaryVaspExtraInfo: 'desk 4' },
      },
    });
    const after = completed(own, message);
    expect(after).toMatchObject({
      reference: 'deposit-4',
      origin: own.origin,
      originNormal: own.originNormal,
      personal: {
        originator: { name: 'Ada Lovelace' },
        beneficiary: { name: 'Grace', accountNumber: '17' },
        additionalOriginators: [{ name: 'C. B.' }],
        metadata: 'own',
        internalNote: 'own',
        statusReasoning: null,
        vaspInfo: {
          beneficiaryVaspName: 'Alpine Exchange',
          beneficiaryVaspExtraInfo: 'desk 4',
          originatorVaspEmail: 'compliance@alpine.example',
        },
      },
    });
    expect(JSON.stringify(after)).not.toMatch(/canary|order-17/);
  });

  test.each([
    [
      'its own amount and value',
      { amount: '1.4', amountUsd: '5600', amountEur: null },
      ['1.4', '5600', null],
    ],
    ['its own amount, unvalued', { amount: '1.4' }, ['1.4', null, null]],
    ['the same amount, unvalued', { amount: '1.5' }, ['1.5', '6000', '5400']],
    ['no amount yet', { amount: null }, ['1.5', '6000', '5400']],
  ])('has %s after it', (_, amounts, expected) => {
    const { amount, amountUsd, amountEur } = completed(waiting(amounts));
    expect([amount, amountUsd, amountEur]).toEqual(expected);
  });

  test.each([
    ['CONFIRMED', null, true],
    ['DECLINED', 'NAME_MISMATCH', null],
    ['DECLINED', 'UNKNOWN_ADDRESS', false],
  ] as const)(
    'that is %s for %j keeps that, and answers the originator VASP at once',
    (status, code, owned) => {
      const own = waiting({ status, statusReasonCode: code, personal: { statusReasoning: 'checked' } });
      const change = completedIncoming(own, sent(), circumstances);
      expect(shown(change.after)).toMatchObject({
        status,
        subStatus: null,
        statusReasonCode: code,
        pairId: 'exchange-1',
      });
      expect(change.events).toMatchObject([{ type: 'RECEIVED', previousStatus: status, newStatus: status }]);

      const answer = answeredOutgoing(deliveredOutgoing(sent(), circumstances), own);
      expect(shownChange(answer)).toMatchObject({
        after: {
          status,
          subStatus: null,
          statusReasonCode: code,
          isDestinationConfirmed: owned,
          deadlineAt: null,
          wakeAt: null,
          counterpartyEntityId: 'entity-receiver',
          personal: { statusReasoning: 'checked', metadata: 'canary of the sender' },
        },
        events: [
          { type: 'DELIVERED', previousStatus: 'PENDING', newStatus: 'DELIVERED' },
          { type: 'STATUS_CHANGED', actor: COUNTERPARTY, previousStatus: 'DELIVERED', newStatus: status },
        ],
        notify: true,
      });
      expect(JSON.stringify(answer)).not.toContain('"own"');
    },
  );

  test('may be declined as soon as it is completed, and confirmed as soon as it is screened', () => {
    const own = completed(waiting(), sent(), unconfirmed);
    const outgoing = deliveredOutgoing(sent(), circumstances).after;
    const decide = (record: TransactionRecord, status: 'CONFIRMED' | 'DECLINED') => {
      const act = { actor: { kind: 'API_KEY', id: 'key-1' }, now: LATER } as const;
      const decision = patchTransaction(record, outgoing, PatchTransactionBody.parse({ status }), act);
      return [decision.own?.after.status, decision.counterpart?.after.status];
    };
    expect(refusalOf(() => decide(own, 'CONFIRMED')).code).toBe('screening_pending');
    expect(decide(own, 'DECLINED')).toEqual(['DECLINED', 'DECLINED']);
    expect(decide({ ...own, screeningState: 'CLEARED' }, 'CONFIRMED')).toEqual(['CONFIRMED', 'CONFIRMED']);
  });
});
