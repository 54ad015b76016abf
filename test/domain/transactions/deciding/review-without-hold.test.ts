import { clearanceOf } from '../../../../domain/transactions/clearance.ts';
import { patchTransaction } from '../../../../domain/transactions/changing/patch-transaction.ts';
import { needsTwoReviewers, reviewTransaction } from '../../../../domain/transactions/deciding/review.ts';
import { planOf } from '../../../../domain/transactions/lifecycle/next-step.ts';
import { NOW, shown, shownChange, transactionRecord } from '../../../factories/transaction-record.ts';
import { refusalOf } from '../refusal-of.ts';

const LATER = new Date(NOW.getTime() + 60_000);
const actor = { kind: 'API_KEY', id: 'key-1' } as const;
const by = { actor, now: LATER };
const PROCEED = { decision: 'PROCEED', reason: 'a namesake, born elsewhere' } as const;
const BLOCK = { decision: 'BLOCK', reason: 'it is him' } as const;

const RECEIVED = { direction: 'INCOMING', status: 'DELIVERED', messageSource: 'NATIVE' } as const;
const SENT = transactionRecord({ status: 'DELIVERED' });

describe('a received message without a hold', () => {
  test('can be declined before its screening, and confirmed only after it', () => {
    for (const pause of [{}, { isScreeningDelayed: true }, { ruleWaitUntil: LATER }]) {
      const due = transactionRecord({ ...RECEIVED, screeningState: 'DUE', ...pause });
      expect(refusalOf(() => reviewTransaction(due, SENT, PROCEED, by)).code).toBe('screening_pending');
      const { own, counterpart } = reviewTransaction(due, SENT, BLOCK, by);
      expect([own?.after.status, counterpart?.after.status]).toEqual(['DECLINED', 'DECLINED']);
      expect(own?.after).toMatchObject({ blockedBy: 'REVIEW', blockedHold: null });
    }
  });
});

describe('an INCOMING record made by its tenant', () => {
  const recorded = (overrides: Parameters<typeof transactionRecord>[0] = {}) =>
    transactionRecord({ direction: 'INCOMING', messageSource: 'MANUAL', ...overrides });

  test.each([
    [PROCEED, 'CONFIRMED', 'AWAITING_TRANSACTION_HASH'],
    [BLOCK, 'DECLINED', 'BLOCKED_BY_REVIEW'],
  ])('is decided by a review: %j', (review, status, subStatus) => {
    expect(clearanceOf(recorded()).nextAction).toBe('REVIEW');
    expect(shownChange(reviewTransaction(recorded(), null, review, by).own)).toMatchObject({
      after: { status, subStatus, wakeAt: null, deadlineAt: null },
      events: [{ type: 'REVIEWED', previousStatus: 'PENDING', newStatus: status }],
    });
  });

  test('can be confirmed before its screening; clearance stays WAIT until the screening is done', () => {
    const { own } = reviewTransaction(recorded({ screeningState: 'DUE', wakeAt: NOW }), null, PROCEED, by);
    const after = own?.after ?? recorded();
    expect(after).toMatchObject({ status: 'CONFIRMED', screeningState: 'DUE' });
    expect(clearanceOf({ ...after, transactionHash: 'abc' }).outcome).toBe('WAIT');
    expect(planOf(after, LATER).step).toBe('SCREEN');
  });

  test('409 screening_pending if it is held and its screening is due', () => {
    const due = recorded({ hold: 'SANCTIONS', screeningState: 'DUE' });
    expect(refusalOf(() => reviewTransaction(due, null, PROCEED, by)).code).toBe('screening_pending');
  });
});

describe('a transfer that waits for a proof', () => {
  const payout = (overrides: Parameters<typeof transactionRecord>[0] = {}) =>
    transactionRecord({
      destinationType: 'NON_CUSTODIAL',
      awaitsProof: true,
      wakeAt: null,
      deadlineAt: null,
      ...overrides,
    });
  const deposit = (overrides: Parameters<typeof transactionRecord>[0] = {}) =>
    payout({
      direction: 'INCOMING',
      destinationType: 'CUSTODIAL',
      originType: 'NON_CUSTODIAL',
      messageSource: 'MANUAL',
      ...overrides,
    });

  test.each([
    ['payout', payout(), PROCEED, 'CONFIRMED', 'AWAITING_TRANSACTION_HASH'],
    ['payout', payout(), BLOCK, 'CANCELLED', 'BLOCKED_BY_REVIEW'],
    ['deposit', deposit(), PROCEED, 'CONFIRMED', 'AWAITING_TRANSACTION_HASH'],
    ['deposit', deposit(), BLOCK, 'DECLINED', 'BLOCKED_BY_REVIEW'],
  ])('is decided by a reviewer: %s, %#', (_, record, review, status, subStatus) => {
    expect(shown(record).subStatus).toBe('OWNERSHIP_UNCONFIRMED');
    const { own, counterpart } = reviewTransaction(record, null, review, by);
    expect(shownChange(own)).toMatchObject({
      after: { status, subStatus, wakeAt: null, deadlineAt: null },
      events: [{ type: 'REVIEWED', previousStatus: 'PENDING', newStatus: status, actor }],
      notify: true,
      wakesWorkflow: true,
    });
    expect(counterpart).toBeNull();
    expect(planOf(own?.after ?? record, LATER).step).toBe('DONE');
  });

  test('still needs the proof after PROCEED has ended its hold', () => {
    const { own } = reviewTransaction(payout({ hold: 'RULE' }), null, PROCEED, by);
    expect(shownChange(own)?.after).toMatchObject({
      status: 'PENDING',
      subStatus: 'OWNERSHIP_UNCONFIRMED',
      hold: null,
    });
  });

  test('409 screening_pending while its screening is due', () => {
    const due = payout({ screeningState: 'RECHECK' });
    expect(refusalOf(() => reviewTransaction(due, null, PROCEED, by)).code).toBe('screening_pending');
  });

  test.each([
    ['payout', payout()],
    ['deposit', deposit()],
    ['deposit that cannot be screened now', deposit({ isScreeningDelayed: true, screeningState: 'DUE' })],
  ])('needs two reviewers with four eyes, and one to end it: %s', (_, record) => {
    expect(needsTwoReviewers(record, PROCEED)).toBe(true);
    expect(needsTwoReviewers(record, BLOCK)).toBe(false);
    expect(reviewTransaction(record, null, BLOCK, by).own?.after.blockedBy).toBe('REVIEW');
  });

  test('cannot be confirmed by PATCH with four eyes', () => {
    for (const record of [deposit(), deposit({ isScreeningDelayed: true, screeningState: 'DUE' })]) {
      const confirm = () =>
        patchTransaction(record, null, { status: 'CONFIRMED' }, { ...by, fourEyes: true });
      expect(refusalOf(confirm).code).toBe('review_required');
      expect(patchTransaction(record, null, { status: 'CONFIRMED' }, by).own?.after.status).toBe('CONFIRMED');
    }
  });
});
