import { clearanceOf } from '../../../domain/transactions/clearance.ts';
import { STATUSES, SUB_STATUSES, type Status, type SubStatus } from '../../../domain/transactions/state.ts';

const deadlineAt = new Date('2026-11-21T10:00:00.000Z');
const of = (direction: 'OUTGOING' | 'INCOMING', status: Status, subStatus: SubStatus | null = null) =>
  clearanceOf({ direction, status, subStatus, hold: null, deadlineAt });

test.each([
  ['PENDING', 'WAIT'],
  ['DELIVERED', 'WAIT'],
  ['CONFIRMED', 'GO'],
  ['DECLINED', 'STOP'],
  ['FAILED', 'WAIT'],
  ['CANCELLED', 'STOP'],
] as const)('%s means %s', (status, outcome) => {
  expect(of('OUTGOING', status).outcome).toBe(outcome);
  expect(of('INCOMING', status).outcome).toBe(outcome);
});

test('what a rule blocked stops, whatever its status', () => {
  for (const status of STATUSES) expect(of('OUTGOING', status, 'BLOCKED_BY_RULE').outcome).toBe('STOP');
});

test.each<[SubStatus, string, string]>([
  ['ROUTING', 'NONE', 'NONE'],
  ['ON_HOLD', 'REVIEW', 'REVIEW'],
  ['BLOCKED_BY_RULE', 'NONE', 'NONE'],
  ['VASP_NOT_FOUND', 'FIX_ROUTING', 'NONE'],
  ['VASP_NOT_REACHABLE', 'WAIT_FOR_COUNTERPARTY', 'NONE'],
  ['AWAITING_COUNTERPARTY', 'WAIT_FOR_COUNTERPARTY', 'WAIT_FOR_COUNTERPARTY'],
  ['EMAIL_SENT', 'WAIT_FOR_COUNTERPARTY', 'NONE'],
  ['OWNERSHIP_UNCONFIRMED', 'PROVE_OWNERSHIP', 'CONFIRM_WALLET'],
  ['AWAITING_TRANSACTION_HASH', 'ADD_HASH', 'WAIT_FOR_COUNTERPARTY'],
  ['SCREENING', 'NONE', 'NONE'],
  ['WAITING', 'NONE', 'NONE'],
  ['EXPIRED', 'WAIT_FOR_COUNTERPARTY', 'REVIEW'],
])('%s asks the sender for %s and the receiver for %s', (subStatus, sender, receiver) => {
  expect(of('OUTGOING', 'DELIVERED', subStatus).nextAction).toBe(sender);
  expect(of('INCOMING', 'DELIVERED', subStatus).nextAction).toBe(receiver);
});

test('the table above names every subStatus', () => {
  expect(SUB_STATUSES).toHaveLength(12);
});

test.each<[string, ReturnType<typeof of>, string]>([
  ['a failed one can be retried', of('OUTGOING', 'FAILED', 'VASP_NOT_REACHABLE'), 'RETRY'],
  ['a record of one’s own waits for one’s own decision', of('INCOMING', 'PENDING'), 'REVIEW'],
  ['a confirmed one needs nothing', of('OUTGOING', 'CONFIRMED'), 'NONE'],
  ['a declined one needs nothing', of('OUTGOING', 'DECLINED'), 'NONE'],
])('%s', (_, clearance, nextAction) => {
  expect(clearance.nextAction).toBe(nextAction);
});

test('reasons are the words of status and subStatus, and the deadline is told', () => {
  expect(of('OUTGOING', 'DELIVERED', 'AWAITING_COUNTERPARTY')).toEqual({
    outcome: 'WAIT',
    reasons: ['DELIVERED', 'AWAITING_COUNTERPARTY'],
    nextAction: 'WAIT_FOR_COUNTERPARTY',
    deadlineAt: '2026-11-21T10:00:00.000Z',
  });
  expect(of('OUTGOING', 'CONFIRMED').reasons).toEqual(['CONFIRMED']);
});
