import type { ScreeningVerdict } from '../../../../domain/transactions/deciding/apply-verdict.ts';
import { decidedArrival } from '../../../../domain/transactions/deciding/decide-arrival.ts';
import {
  deliveredOutgoing,
  receivedIncoming,
} from '../../../../domain/transactions/exchanging/deliver-native.ts';
import { clearanceOf } from '../../../../domain/transactions/clearance.ts';
import { subStatusOf } from '../../../../domain/transactions/sub-status.ts';
import { NOW, transactionRecord } from '../../../factories/transaction-record.ts';

const input = {
  incomingId: '01900000-0000-7000-8000-00000000000a',
  pairId: '01900000-0000-7000-8000-00000000000b',
  sender: { entityId: '01900000-0000-7000-8000-00000000000c', messageSource: 'NATIVE' },
  receiver: {
    tenantId: '01900000-0000-7000-8000-00000000000d',
    entityId: '01900000-0000-7000-8000-00000000000e',
    messageSource: 'NATIVE',
    screens: true,
    skipped: [],
  },
  wallet: { id: 1, confirmed: true },
  now: NOW,
};

function arrival(verdict: Partial<ScreeningVerdict>) {
  const sent = transactionRecord({ screeningState: 'CLEARED' });
  const { delivered, received } = decidedArrival(
    deliveredOutgoing(sent, input),
    receivedIncoming(sent, input),
    {
      screeningId: '01900000-0000-7000-8000-00000000000f',
      outcome: 'REVIEW',
      hold: null,
      isReleased: false,
      guarded: false,
      waitUntil: null,
      decidedBy: { kind: 'DEFAULT', ruleId: null },
      rulesVersion: 1,
      findings: {},
      ...verdict,
    },
    NOW,
  );
  return {
    events: {
      sender: delivered.events.map(({ type }) => type),
      receiver: received.events.map(({ type }) => type),
    },
    sender: delivered.after,
    receiver: received.after,
    notify: [delivered.notify, received.notify],
  };
}

test('what is left to its tenant arrives screened', () => {
  const { events, sender, receiver, notify } = arrival({});
  expect(events).toEqual({ sender: ['DELIVERED'], receiver: ['RECEIVED', 'SCREENED'] });
  expect([sender.status, receiver.status, subStatusOf(receiver)]).toEqual([
    'DELIVERED',
    'DELIVERED',
    'ON_HOLD',
  ]);
  expect(receiver.screeningState).toBe('CLEARED');
  expect(notify).toEqual([true, true]);
});

test('what the rules confirm is confirmed on both sides at once', () => {
  const { events, sender, receiver } = arrival({
    outcome: 'PROCEED',
    decidedBy: { kind: 'RULE', ruleId: 'r' },
  });
  expect(events).toEqual({
    sender: ['DELIVERED', 'STATUS_CHANGED'],
    receiver: ['RECEIVED', 'SCREENED', 'STATUS_CHANGED'],
  });
  expect([sender.status, receiver.status]).toEqual(['CONFIRMED', 'CONFIRMED']);
});

test('what the rules block is declined, and the sender learns a neutral reason', () => {
  const { sender, receiver } = arrival({ outcome: 'BLOCK', decidedBy: { kind: 'RULE', ruleId: 'r' } });
  expect([receiver.status, subStatusOf(receiver)]).toEqual(['DECLINED', 'BLOCKED_BY_RULE']);
  expect([sender.status, subStatusOf(sender), sender.statusReasonCode]).toEqual([
    'DECLINED',
    null,
    'COMPLIANCE',
  ]);
  expect(sender.personal.statusReasoning).toBe('The beneficiary VASP does not accept this transfer.');
});

test('a match holds it, and the sender sees a delivered message', () => {
  const { events, sender, receiver } = arrival({ hold: 'SANCTIONS' });
  expect(events.receiver).toEqual(['RECEIVED', 'SCREENED', 'HELD']);
  expect(clearanceOf(receiver)).toMatchObject({ outcome: 'WAIT', nextAction: 'REVIEW' });
  expect([sender.status, events.sender]).toEqual(['DELIVERED', ['DELIVERED']]);
});

test('what a rule lets wait arrives with the end of its wait', () => {
  const until = new Date(NOW.getTime() + 60_000);
  const { receiver } = arrival({ outcome: 'WAIT', waitUntil: until });
  expect(subStatusOf(receiver)).toBe('WAITING');
  expect(clearanceOf(receiver).deadlineAt).toBe(until.toISOString());
});
