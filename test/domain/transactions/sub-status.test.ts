import type { TransactionRecord } from '../../../domain/transactions/record.ts';
import { SUB_STATUSES, type SubStatus } from '../../../domain/transactions/state.ts';
import { subStatusOf } from '../../../domain/transactions/sub-status.ts';
import { eachCombination } from '../../factories/sub-status-facts.ts';
import { NOW, transactionRecord } from '../../factories/transaction-record.ts';

type Facts = Parameters<typeof transactionRecord>[0];

const of = (facts: Facts) => subStatusOf(transactionRecord(facts));

const BRAKE = '019aa000-0000-7000-8000-000000000001';
const PAYOUT: Facts = { destinationType: 'NON_CUSTODIAL' };
const DEPOSIT: Facts = { direction: 'INCOMING', originType: 'NON_CUSTODIAL', messageSource: 'MANUAL' };
const RECEIVED: Facts = { direction: 'INCOMING', status: 'DELIVERED', messageSource: 'NATIVE' };
const HASH: Facts = { transactionHash: 'abc', hashNormal: 'abc' };

const WORDS: [string, Facts, SubStatus | null][] = [
  ['a new message', {}, 'ROUTING'],
  ['a message for nobody known', { routingFault: 'VASP_NOT_FOUND' }, 'VASP_NOT_FOUND'],
  ['a message that does not get through', { routingFault: 'VASP_NOT_REACHABLE' }, 'VASP_NOT_REACHABLE'],
  ['a new payout to a self-hosted wallet', PAYOUT, 'ROUTING'],
  ['a message that a brake holds back', { pausedBy: BRAKE, routingFault: 'VASP_NOT_FOUND' }, 'PAUSED'],
  ['a payout that a brake holds back', { ...PAYOUT, pausedBy: BRAKE }, 'PAUSED'],
  [
    'a payout that waits for its proof, brake or not',
    { ...PAYOUT, awaitsProof: true, pausedBy: BRAKE },
    'OWNERSHIP_UNCONFIRMED',
  ],
  [
    'what a brake held back before it was sent',
    { status: 'DELIVERED', pausedBy: BRAKE },
    'AWAITING_COUNTERPARTY',
  ],
  ['a payout that waits for its proof', { ...PAYOUT, awaitsProof: true }, 'OWNERSHIP_UNCONFIRMED'],
  ['a deposit that waits for its proof', { ...DEPOSIT, awaitsProof: true }, 'OWNERSHIP_UNCONFIRMED'],
  ['a deposit that was proven but not confirmed', DEPOSIT, null],
  ['a record that its tenant made', { direction: 'INCOMING' }, null],
  ['a message that was sent', { status: 'DELIVERED' }, 'AWAITING_COUNTERPARTY'],
  ['a message that nobody answered in time', { status: 'DELIVERED', expiredAt: NOW }, 'EXPIRED'],
  ['a message that has arrived', RECEIVED, 'ON_HOLD'],
  ['a message for a wallet that is not confirmed', { ...RECEIVED, sealed: true }, 'OWNERSHIP_UNCONFIRMED'],
  ['what is held', { hold: 'RULE' }, 'ON_HOLD'],
  ['what is held after it was sent', { status: 'DELIVERED', hold: 'SANCTIONS' }, 'ON_HOLD'],
  ['what is held after it was confirmed', { status: 'CONFIRMED', ...HASH, hold: 'SANCTIONS' }, 'ON_HOLD'],
  [
    'a message about which data is asked for',
    { status: 'DELIVERED', repairDeadlineAt: NOW },
    'DATA_REQUESTED',
  ],
  [
    'a received one that asks, held or not',
    { ...RECEIVED, repairDeadlineAt: NOW, hold: 'RULE' },
    'DATA_REQUESTED',
  ],
  ['what was decided while it asked', { ...RECEIVED, status: 'DECLINED', repairDeadlineAt: NOW }, null],
  ['what a rule lets wait', { ruleWaitUntil: NOW }, 'WAITING'],
  ['what cannot be screened now', { isScreeningDelayed: true }, 'SCREENING'],
  ['what is confirmed with its hash', { status: 'CONFIRMED', ...HASH }, null],
  ['what is confirmed without a hash', { status: 'CONFIRMED' }, 'AWAITING_TRANSACTION_HASH'],
  [
    'a payout that is confirmed without a hash',
    { ...PAYOUT, status: 'CONFIRMED' },
    'AWAITING_TRANSACTION_HASH',
  ],
  [
    'what is confirmed here without a hash',
    { ...RECEIVED, status: 'CONFIRMED' },
    'AWAITING_TRANSACTION_HASH',
  ],
  ['what a rule cancelled', { status: 'CANCELLED', blockedBy: 'RULE' }, 'BLOCKED_BY_RULE'],
  ['what a rule declined', { ...RECEIVED, status: 'DECLINED', blockedBy: 'RULE' }, 'BLOCKED_BY_RULE'],
  ['what a reviewer cancelled', { status: 'CANCELLED', blockedBy: 'REVIEW' }, 'BLOCKED_BY_REVIEW'],
  ['what a reviewer stopped late', { status: 'CONFIRMED', blockedBy: 'REVIEW' }, 'BLOCKED_BY_REVIEW'],
  ['what was declined', { ...RECEIVED, status: 'DECLINED' }, null],
  ['what was cancelled', { status: 'CANCELLED' }, null],
  ['what failed for want of time', { status: 'FAILED', expiredAt: NOW }, 'EXPIRED'],
  ['what failed for want of a VASP', { status: 'FAILED', routingFault: 'VASP_NOT_FOUND' }, 'EXPIRED'],
  ['what never got through', { status: 'FAILED', routingFault: 'VASP_NOT_REACHABLE' }, 'VASP_NOT_REACHABLE'],
];

test.each(WORDS)('%s: %j is %j', (_, facts, subStatus) => {
  expect(of(facts)).toBe(subStatus);
});

test('the table above names every subStatus that facts give', () => {
  const named = new Set(WORDS.map(([, , subStatus]) => subStatus));
  // No message leaves by e-mail yet.
  expect(SUB_STATUSES.filter((subStatus) => !named.has(subStatus))).toEqual(['EMAIL_SENT']);
});

/** The facts in the order in which they take precedence, for a message that is on its way. */
const PRECEDENCE: [SubStatus, Partial<TransactionRecord>][] = [
  ['BLOCKED_BY_REVIEW', { blockedBy: 'REVIEW' }],
  ['OWNERSHIP_UNCONFIRMED', { sealed: true }],
  ['ON_HOLD', { hold: 'SANCTIONS' }],
  ['WAITING', { ruleWaitUntil: NOW }],
  ['SCREENING', { isScreeningDelayed: true }],
];

test.each([
  [{}, 'ROUTING'],
  [{ pausedBy: BRAKE }, 'PAUSED'],
  [{ routingFault: 'VASP_NOT_FOUND' }, 'VASP_NOT_FOUND'],
  [{ destinationType: 'NON_CUSTODIAL', awaitsProof: true }, 'OWNERSHIP_UNCONFIRMED'],
  [{ status: 'DELIVERED' }, 'AWAITING_COUNTERPARTY'],
  [{ status: 'DELIVERED', expiredAt: NOW }, 'EXPIRED'],
  [{ direction: 'INCOMING' }, null],
  [{ direction: 'INCOMING', status: 'DELIVERED' }, 'ON_HOLD'],
  [{ status: 'CONFIRMED' }, 'AWAITING_TRANSACTION_HASH'],
] as const)('what comes first in the order is what is read: of %j too', (progress, last) => {
  expect(of(progress)).toBe(last);
  let facts: Facts = progress;
  for (const [subStatus, fact] of PRECEDENCE.toReversed()) {
    facts = { ...facts, ...fact };
    expect(of(facts)).toBe(subStatus);
  }
});

test.each(['DECLINED', 'CANCELLED', 'FAILED'] as const)(
  'nothing but a block shows beside the end of what is %s',
  (status) => {
    const alone = of({ status });
    for (const [subStatus, fact] of PRECEDENCE) {
      expect(of({ status, ...fact })).toBe(fact.blockedBy ? subStatus : alone);
    }
  },
);

test('a block is read whatever else is true', () => {
  const blocked = eachCombination().filter(({ blockedBy }) => blockedBy !== null);
  expect(blocked.length).toBeGreaterThan(40_000);
  // An expectation for each of them would take seconds.
  expect(blocked.filter((record) => subStatusOf(record) !== `BLOCKED_BY_${record.blockedBy}`)).toEqual([]);
});
