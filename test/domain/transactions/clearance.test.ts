import { clearanceOf, NEXT_ACTIONS, outcomeOf } from '../../../domain/transactions/clearance.ts';
import { reviewTransaction } from '../../../domain/transactions/deciding/review.ts';
import { retryTransaction } from '../../../domain/transactions/lifecycle/restart-routing.ts';
import { patchTransaction } from '../../../domain/transactions/changing/patch-transaction.ts';
import type { TransactionRecord } from '../../../domain/transactions/record.ts';
import { awaitsScreening } from '../../../domain/transactions/screening-due.ts';
import type { SelfHostedRules } from '../../../domain/transactions/self-hosted/self-hosted-decision.ts';
import { confirmSelfHosted } from '../../../domain/transactions/self-hosted/self-hosted.ts';
import { isSelfHosted } from '../../../domain/transactions/self-hosted-wallet.ts';
import type { WalletProof } from '../../../domain/verifications/wallet-proof.ts';
import { STATUSES, SUB_STATUSES, type SubStatus } from '../../../domain/transactions/state.ts';
import { eachCombination } from '../../factories/sub-status-facts.ts';
import { NOW, shown, transactionRecord } from '../../factories/transaction-record.ts';
import { refusalOf } from './refusal-of.ts';

type Facts = Parameters<typeof transactionRecord>[0];

const deadlineAt = new Date('2026-11-21T10:00:00.000Z');
const MINUTE_LATER = new Date('2026-11-21T10:01:00.000Z');
const of = (facts: Facts) => clearanceOf(transactionRecord({ deadlineAt, ...facts }));
/** 70,000: an expectation for each of them would take ten seconds, so what is not as expected is gathered. */
const RECORDS = eachCombination();

const BRAKE = '019aa000-0000-7000-8000-000000000001';
const HASH = { transactionHash: 'abc', hashNormal: 'abc' };
const DEPOSIT: Facts = { direction: 'INCOMING', originType: 'NON_CUSTODIAL', messageSource: 'MANUAL' };
const RECEIVED: Facts = { direction: 'INCOMING', status: 'DELIVERED', messageSource: 'NATIVE' };

test.each([
  ['PENDING', 'WAIT'],
  ['DELIVERED', 'WAIT'],
  ['CONFIRMED', 'GO'],
  ['DECLINED', 'STOP'],
  ['FAILED', 'WAIT'],
  ['CANCELLED', 'STOP'],
] as const)('%s means %s', (status, outcome) => {
  expect(of({ status }).outcome).toBe(outcome);
  expect(of({ status, direction: 'INCOMING' }).outcome).toBe(outcome);
});

test.each(['RULE', 'REVIEW'] as const)(
  'what a %s blocked stops, whatever else is true of it',
  (blockedBy) => {
    const blocked = RECORDS.filter((record) => record.blockedBy === blockedBy);
    expect(blocked.length).toBeGreaterThan(20_000);
    const goingOn = blocked.filter((record) => {
      const { outcome, nextAction } = clearanceOf(record);
      return outcome !== 'STOP' || nextAction !== 'NONE';
    });
    expect(goingOn).toEqual([]);
    for (const status of STATUSES) {
      for (const screeningState of ['DUE', 'CLEARED', 'REVIEWED', 'RECHECK', null] as const) {
        expect(of({ status, blockedBy, screeningState, ...HASH }).outcome).toBe('STOP');
      }
    }
  },
);

test.each<[string, Facts]>([
  ['held', { hold: 'SANCTIONS' }],
  ['to be screened', { screeningState: 'DUE' }],
  ['to be compared with new lists', { screeningState: 'RECHECK' }],
])('what was confirmed and is %s waits', (_, facts) => {
  expect(of({ status: 'CONFIRMED', ...HASH, ...facts }).outcome).toBe('WAIT');
  expect(of({ ...RECEIVED, status: 'CONFIRMED', ...HASH, ...facts }).outcome).toBe('WAIT');
});

test('GO is for what is confirmed and nothing else: no hold, no block, no due screening', () => {
  const mayGo = ({ status, hold, blockedBy }: TransactionRecord) =>
    status === 'CONFIRMED' && hold === null && blockedBy === null;
  expect(RECORDS.filter((record) => (outcomeOf(record) === 'GO') !== mayGo(record))).toEqual([]);
  expect(RECORDS.filter((record) => outcomeOf({ ...record, screeningState: 'DUE' }) === 'GO')).toEqual([]);
});

const ACTIONS: [SubStatus, Facts, string][] = [
  ['ROUTING', {}, 'NONE'],
  ['ON_HOLD', { hold: 'RULE' }, 'REVIEW'],
  ['ON_HOLD', RECEIVED, 'REVIEW'],
  ['ON_HOLD', { ...RECEIVED, hold: 'RULE' }, 'REVIEW'],
  ['ON_HOLD', { ...RECEIVED, status: 'CONFIRMED', hold: 'SANCTIONS' }, 'REVIEW'],
  ['BLOCKED_BY_RULE', { status: 'CANCELLED', blockedBy: 'RULE' }, 'NONE'],
  ['BLOCKED_BY_RULE', { ...RECEIVED, status: 'DECLINED', blockedBy: 'RULE' }, 'NONE'],
  ['BLOCKED_BY_REVIEW', { status: 'CANCELLED', blockedBy: 'REVIEW' }, 'NONE'],
  ['BLOCKED_BY_REVIEW', { ...RECEIVED, status: 'DECLINED', blockedBy: 'REVIEW' }, 'NONE'],
  ['PAUSED', { pausedBy: BRAKE }, 'NONE'],
  ['VASP_NOT_FOUND', { routingFault: 'VASP_NOT_FOUND' }, 'FIX_ROUTING'],
  ['VASP_NOT_REACHABLE', { routingFault: 'VASP_NOT_REACHABLE' }, 'WAIT_FOR_COUNTERPARTY'],
  ['AWAITING_COUNTERPARTY', { status: 'DELIVERED' }, 'WAIT_FOR_COUNTERPARTY'],
  ['OWNERSHIP_UNCONFIRMED', { destinationType: 'NON_CUSTODIAL', awaitsProof: true }, 'PROVE_OWNERSHIP'],
  ['OWNERSHIP_UNCONFIRMED', { ...DEPOSIT, awaitsProof: true }, 'PROVE_OWNERSHIP'],
  ['OWNERSHIP_UNCONFIRMED', { ...RECEIVED, sealed: true }, 'CONFIRM_WALLET'],
  ['AWAITING_TRANSACTION_HASH', { status: 'CONFIRMED' }, 'ADD_HASH'],
  ['AWAITING_TRANSACTION_HASH', { status: 'CONFIRMED', destinationType: 'NON_CUSTODIAL' }, 'ADD_HASH'],
  ['AWAITING_TRANSACTION_HASH', { ...DEPOSIT, status: 'CONFIRMED' }, 'ADD_HASH'],
  ['AWAITING_TRANSACTION_HASH', { ...RECEIVED, status: 'CONFIRMED' }, 'WAIT_FOR_COUNTERPARTY'],
  [
    'AWAITING_TRANSACTION_HASH',
    { direction: 'INCOMING', messageSource: 'MANUAL', status: 'CONFIRMED' },
    'ADD_HASH',
  ],
  ['ON_HOLD', { ...RECEIVED, awaitsWallet: true }, 'CONFIRM_WALLET'],
  ['ON_HOLD', { ...RECEIVED, awaitsWallet: true, hold: 'SANCTIONS' }, 'CONFIRM_WALLET'],
  ['SCREENING', { isScreeningDelayed: true }, 'NONE'],
  ['SCREENING', { ...RECEIVED, isScreeningDelayed: true }, 'NONE'],
  ['WAITING', { ruleWaitUntil: NOW }, 'NONE'],
  ['WAITING', { ...RECEIVED, ruleWaitUntil: NOW }, 'NONE'],
  ['DATA_REQUESTED', { status: 'DELIVERED', repairDeadlineAt: NOW }, 'PROVIDE_DATA'],
  ['ON_HOLD', { status: 'DELIVERED', repairDeadlineAt: NOW, hold: 'SANCTIONS' }, 'REVIEW'],
  ['DATA_REQUESTED', { ...RECEIVED, repairDeadlineAt: NOW }, 'WAIT_FOR_COUNTERPARTY'],
  ['DATA_REQUESTED', { ...RECEIVED, repairDeadlineAt: NOW, hold: 'RULE' }, 'WAIT_FOR_COUNTERPARTY'],
  ['DATA_REQUESTED', { ...RECEIVED, repairDeadlineAt: NOW, awaitsWallet: true }, 'CONFIRM_WALLET'],
  ['EXPIRED', { status: 'DELIVERED', expiredAt: NOW }, 'WAIT_FOR_COUNTERPARTY'],
  ['EXPIRED', { status: 'FAILED', expiredAt: NOW }, 'RETRY'],
  ['VASP_NOT_REACHABLE', { status: 'FAILED', routingFault: 'VASP_NOT_REACHABLE' }, 'RETRY'],
];

test.each(ACTIONS)('%s by %j asks for %s', (subStatus, facts, nextAction) => {
  expect(shown(transactionRecord(facts)).subStatus).toBe(subStatus);
  expect(of(facts).nextAction).toBe(nextAction);
});

test('the table above names every subStatus that facts give', () => {
  const named = new Set(ACTIONS.map(([subStatus]) => subStatus));
  // No message leaves by e-mail yet.
  expect(SUB_STATUSES.filter((subStatus) => !named.has(subStatus))).toEqual(['EMAIL_SENT']);
});

test.each<[string, Facts, string]>([
  ['a record of one’s own waits for one’s own decision', { direction: 'INCOMING' }, 'REVIEW'],
  ['a confirmed one needs nothing', { status: 'CONFIRMED', ...HASH }, 'NONE'],
  ['a declined one needs nothing', { status: 'DECLINED' }, 'NONE'],
])('%s', (_, facts, nextAction) => {
  expect(of(facts).nextAction).toBe(nextAction);
});

test('REVIEW is asked for only where a review is taken', () => {
  const actor = { kind: 'API_KEY', id: 'key-1' } as const;
  const asked = RECORDS.filter((record) => clearanceOf(record).nextAction === 'REVIEW');
  expect(asked.length).toBeGreaterThan(1_000);
  for (const record of asked) {
    // Who does not own the destination may only end it.
    const decision = record.sealed ? 'BLOCK' : 'PROCEED';
    reviewTransaction(record, null, { decision, reason: 'r' }, { actor, now: NOW });
  }
  const routing = transactionRecord();
  const review = { decision: 'PROCEED', reason: 'r' } as const;
  expect(refusalOf(() => reviewTransaction(routing, null, review, { actor, now: NOW })).code).toBe(
    'invalid_transition',
  );
});

test('reasons are the words of status and subStatus, and the deadline is told', () => {
  expect(of({ status: 'DELIVERED' })).toEqual({
    outcome: 'WAIT',
    reasons: ['DELIVERED', 'AWAITING_COUNTERPARTY'],
    nextAction: 'WAIT_FOR_COUNTERPARTY',
    deadlineAt: '2026-11-21T10:00:00.000Z',
  });
  expect(of({ status: 'CONFIRMED', ...HASH }).reasons).toEqual(['CONFIRMED']);
});

test('reasons name the hold, and of a block the hold on which it was decided', () => {
  expect(of({ hold: 'COUNTERPARTY' }).reasons).toEqual(['PENDING', 'ON_HOLD', 'COUNTERPARTY']);
  const blocked = { blockedBy: 'REVIEW', blockedHold: 'SANCTIONS' } as const;
  expect(of({ status: 'CANCELLED', ...blocked }).reasons).toEqual([
    'CANCELLED',
    'BLOCKED_BY_REVIEW',
    'SANCTIONS',
  ]);
});

test.each<[string, Facts]>([
  ['what is to be sent', {}],
  ['what has arrived', { ...RECEIVED, deadlineAt: null }],
])('the deadline of %s while a rule lets it wait is the end of that wait', (_, facts) => {
  const waiting = { ...facts, ruleWaitUntil: MINUTE_LATER };
  expect(of(waiting).deadlineAt).toBe('2026-11-21T10:01:00.000Z');
  // While it is held, the wait is not what it waits for.
  expect(of({ ...waiting, hold: 'RULE' }).deadlineAt).toBe(of({ ...facts, hold: 'RULE' }).deadlineAt);
});

test('a doubted proof is for a reviewer, who may do without it', () => {
  const waits = { destinationType: 'NON_CUSTODIAL', awaitsProof: true, isProofDoubted: true } as const;
  expect(of(waits)).toMatchObject({
    reasons: ['PENDING', 'OWNERSHIP_UNCONFIRMED', 'PROOF_DOUBTED'],
    nextAction: 'REVIEW',
  });
  expect(of({ ...DEPOSIT, awaitsProof: true, isProofDoubted: true }).nextAction).toBe('REVIEW');
  expect(of({ ...waits, status: 'CONFIRMED', ...HASH }).reasons).toEqual(['CONFIRMED']);
});

/** Throws where the call that the next action names would be refused. */
const CALLS: Partial<Record<(typeof NEXT_ACTIONS)[number], (record: TransactionRecord) => void>> = {
  REVIEW: (record) => {
    reviewTransaction(record, null, { decision: 'BLOCK', reason: 'r' }, ACT);
    // Only a screening that is due can come before it.
    if (!awaitsScreening(record)) reviewTransaction(record, null, { decision: 'PROCEED', reason: 'r' }, ACT);
  },
  RETRY: (record) => void retryTransaction(record, ACT),
  ADD_HASH: (record) => void patchTransaction(record, null, { transactionHash: 'abc' }, ACT),
  FIX_ROUTING: (record) => {
    const { own } = patchTransaction(record, null, { vaspInfo: { beneficiaryVaspName: 'Harbour' } }, ACT);
    if (own?.after.screeningState !== 'DUE') throw new Error('it is not routed again');
  },
  CONFIRM_WALLET: (record) => {
    // What the tenant's wallet releases; its data and its decision are refused before.
    if (!record.sealed && !record.awaitsWallet) throw new Error('it waits for no wallet');
    expect(refusalOf(() => patchTransaction(record, null, { status: 'CONFIRMED' }, ACT)).code).toMatch(
      /invalid_transition|review_required/,
    );
  },
  PROVE_OWNERSHIP: (record) => {
    const proof = {
      verificationId: 'v1',
      verifiedAt: NOW,
      provenAt: NOW,
      flows: ['SIGNATURE_PROOF'],
      customerIdentification: null,
      warnings: [],
    } satisfies WalletProof;
    const cleared = { ...record, screeningState: 'CLEARED' } as const;
    const { own } = confirmSelfHosted(cleared, [proof], SELF_HOSTED, NOW);
    if (own?.after.status !== 'CONFIRMED') throw new Error('a proof does not confirm it');
  },
};
const ACT = { actor: { kind: 'API_KEY', id: 'key-1' }, now: NOW } as const;
const SELF_HOSTED: SelfHostedRules = {
  autoConfirm: false,
  thresholdEur: '1000',
  flowsAbove: ['SIGNATURE_PROOF'],
  maxProofAgeDays: null,
  acceptUnbound: false,
  byTwo: false,
};

/** The statuses of a message whose destination is none of the tenant's: it can only be declined or cancelled. */
const CAN_LACK: readonly string[] = ['DELIVERED', 'DECLINED', 'CANCELLED'];

/** Combinations that writers make: a sealed record is an open message, and only a sender's record can fail. */
function isMade(record: TransactionRecord): boolean {
  const { direction, status, sealed, messageSource, awaitsWallet, routingFault } = record;
  if (record.awaitsProof && !isSelfHosted(record)) return false;
  if (sealed || awaitsWallet) {
    const isArrived = direction === 'INCOMING' && messageSource === 'NATIVE' && CAN_LACK.includes(status);
    if (!isArrived || (sealed && awaitsWallet)) return false;
  }
  if (direction === 'INCOMING') return status !== 'FAILED' && routingFault === null;
  return messageSource !== 'MANUAL';
}

test('the next action never names a call that would be refused', () => {
  const named = new Set<string>();
  for (const facts of eachCombination()) {
    for (const more of [{}, { awaitsWallet: true }, { isProofDoubted: true }, { screeningState: 'DUE' }]) {
      const record = { ...facts, ...more } as TransactionRecord;
      if (!isMade(record)) continue;
      const { nextAction } = clearanceOf(record);
      named.add(nextAction);
      CALLS[nextAction]?.(record);
    }
  }
  expect([...named].toSorted()).toEqual([...NEXT_ACTIONS].toSorted());
});
