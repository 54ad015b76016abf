import { COUNTERPARTY, SYSTEM } from '../../../../domain/events/actor.ts';
import {
  deliveredOutgoing,
  receivedIncoming,
} from '../../../../domain/transactions/exchanging/deliver-native.ts';
import { viewTransaction } from '../../../../domain/transactions/viewing/view-transaction.ts';
import { NOW, shown, transactionRecord } from '../../../factories/transaction-record.ts';

const LATER = new Date(NOW.getTime() + 60_000);
const IN_90_DAYS = new Date(LATER.getTime() + 90 * 86_400_000);
const HASH = 'ab'.repeat(32);
const circumstances = {
  incomingId: 'incoming-1',
  pairId: 'exchange-1',
  sender: { entityId: 'entity-sender', messageSource: 'NATIVE' },
  receiver: {
    tenantId: 'tenant-receiver',
    entityId: 'entity-receiver',
    messageSource: 'NATIVE',
    screens: true,
    skipped: [],
  },
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
