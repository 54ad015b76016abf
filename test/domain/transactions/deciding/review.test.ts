import { clearanceOf } from '../../../../domain/transactions/clearance.ts';
import { DomainError } from '../../../../domain/errors.ts';
import { patchTransaction } from '../../../../domain/transactions/changing/patch-transaction.ts';
import type { TransactionRecord } from '../../../../domain/transactions/record.ts';
import {
  needsTwoReviewers,
  reviewTransaction,
  withFirstReview,
} from '../../../../domain/transactions/deciding/review.ts';
import { HOLDS } from '../../../../domain/transactions/state.ts';
import { NOW, shownChange, transactionRecord } from '../../../factories/transaction-record.ts';
import { refusalOf } from '../refusal-of.ts';

const LATER = new Date(NOW.getTime() + 60_000);
const actor = { kind: 'API_KEY', id: 'key-1' } as const;
const by = { actor, now: LATER };
const PROCEED = { decision: 'PROCEED', reason: 'a namesake, born elsewhere' } as const;
const BLOCK = { decision: 'BLOCK', reason: 'it is him' } as const;

const held = (overrides: Parameters<typeof transactionRecord>[0] = {}) =>
  transactionRecord({ hold: 'SANCTIONS', ...overrides });
const arrived = (overrides: Parameters<typeof transactionRecord>[0] = {}) =>
  held({ direction: 'INCOMING', status: 'DELIVERED', messageSource: 'NATIVE', ...overrides });
const sent = () => transactionRecord({ status: 'DELIVERED' });

test.each(HOLDS)('what is held for %s goes on when a reviewer says so, and is not held again', (hold) => {
  const { own } = reviewTransaction(held({ hold }), null, PROCEED, by);
  expect(shownChange(own)).toMatchObject({
    after: { status: 'PENDING', subStatus: 'ROUTING', hold: null, screeningState: 'REVIEWED', wakeAt: LATER },
    events: [
      {
        type: 'REVIEWED',
        data: { decision: 'PROCEED', hold },
        basis: { kind: 'API_KEY', id: 'key-1' },
        actor,
      },
    ],
    notify: true,
    wakesWorkflow: true,
  });
});

test('what is blocked before it was sent is cancelled', () => {
  const { own } = reviewTransaction(held(), null, BLOCK, by);
  expect(shownChange(own)?.after).toMatchObject({
    status: 'CANCELLED',
    subStatus: 'BLOCKED_BY_REVIEW',
    blockedHold: 'SANCTIONS',
    statusReasonCode: 'COMPLIANCE',
    hold: null,
    wakeAt: null,
    deadlineAt: null,
  });
});

test('what is blocked after it was sent is withdrawn, and the other side learns no reason', () => {
  const record = held({ status: 'DELIVERED', personal: { statusReasoning: 'written before' } });
  const { own, counterpart } = reviewTransaction(record, arrived({ hold: null }), BLOCK, by);
  expect(own?.after.statusReasonCode).toBe('COMPLIANCE');
  expect(shownChange(counterpart)?.after).toMatchObject({
    status: 'CANCELLED',
    subStatus: null,
    blockedBy: null,
    blockedHold: null,
    statusReasonCode: 'CANCELLED_BY_SENDER',
    personal: { statusReasoning: null },
  });
  expect(JSON.stringify(counterpart)).not.toContain(BLOCK.reason);
});

test.each([
  [PROCEED, 'CONFIRMED', 'AWAITING_TRANSACTION_HASH', null, null],
  [
    BLOCK,
    'DECLINED',
    'BLOCKED_BY_REVIEW',
    'COMPLIANCE',
    'The beneficiary VASP does not accept this transfer.',
  ],
])(
  'what has arrived is decided on both sides: %j',
  (review, status, subStatus, statusReasonCode, statusReasoning) => {
    const { own, counterpart } = reviewTransaction(arrived(), sent(), review, by);
    expect(shownChange(own)?.after).toMatchObject({ status, subStatus, statusReasonCode, hold: null });
    expect(counterpart?.after).toMatchObject({
      status,
      statusReasonCode,
      blockedBy: null,
      blockedHold: null,
      personal: { statusReasoning },
    });
    expect(JSON.stringify(counterpart)).not.toContain(review.reason);
  },
);

test('what the reviewer of a decline wrote for the other side is not told to it either', () => {
  const reasoned = arrived({ statusReasonCode: 'NAME_MISMATCH', personal: { statusReasoning: 'on a list' } });
  const { counterpart } = reviewTransaction(reasoned, sent(), BLOCK, by);
  expect(JSON.stringify(counterpart)).not.toMatch(/on a list|NAME_MISMATCH/);
});

test.each(HOLDS)('a block that was decided on a hold for %s keeps that word in its reasons', (hold) => {
  for (const record of [held({ hold }), arrived({ hold })]) {
    const { own } = reviewTransaction(record, null, BLOCK, by);
    const after = own?.after ?? record;
    expect(clearanceOf(after)).toMatchObject({
      outcome: 'STOP',
      reasons: [after.status, 'BLOCKED_BY_REVIEW', hold],
      nextAction: 'NONE',
      deadlineAt: null,
    });
  }
});

test('reasons are kept with the personal data, one after the other, and never in the log', () => {
  const first = reviewTransaction(held(), null, PROCEED, by).own;
  const again = { ...(first?.after ?? held()), hold: 'RULE' } as TransactionRecord;
  const second = reviewTransaction(again, null, BLOCK, by).own;
  expect(second?.after.personal.reviews?.map(({ reason }) => reason)).toEqual([PROCEED.reason, BLOCK.reason]);
  expect(JSON.stringify([first?.events, second?.events])).not.toContain(PROCEED.reason);
});

test.each([
  ...(['DECLINED', 'FAILED', 'CANCELLED'] as const).map((status) => ({
    status,
  })),
  { hold: null },
  { hold: null, status: 'DELIVERED' as const },
  { hold: null, ruleWaitUntil: LATER, screeningState: 'DUE' as const },
  { hold: null, status: 'CONFIRMED' as const },
  { direction: 'INCOMING' as const, status: 'DECLINED' as const, hold: null },
])('there is nothing to review in %j', (overrides) => {
  const refusal = refusalOf(() => reviewTransaction(held(overrides), null, PROCEED, by));
  expect(refusal).toMatchObject({ code: 'invalid_transition', details: { members: { allowed: [] } } });
});

test('who may not own the destination can only decline', () => {
  const sealed = arrived({ sealed: true, hold: null });
  expect(refusalOf(() => reviewTransaction(sealed, sent(), PROCEED, by))).toMatchObject({
    code: 'invalid_transition',
    details: { members: { allowed: ['DECLINED'] } },
  });
  expect(reviewTransaction(sealed, sent(), BLOCK, by).own?.after.status).toBe('DECLINED');
  // Whether it is screened is not the reason that the reviewer can do something about.
  const due = { ...sealed, screeningState: 'DUE' } as const;
  expect(refusalOf(() => reviewTransaction(due, sent(), PROCEED, by)).code).toBe('invalid_transition');
});

test.each([
  [arrived(), 'CONFIRMED'],
  [arrived(), 'DECLINED'],
  [held(), 'CANCELLED'],
] as const)('a sanctions match is not decided by PATCH', (record, status) => {
  const refusal = refusalOf(() => patchTransaction(record, null, { status }, by));
  expect(refusal).toBeInstanceOf(DomainError);
  expect(refusal).toMatchObject({ code: 'review_required' });
});

test('a correction does not lift a hold', () => {
  const body = {
    vaspInfo: { beneficiaryVaspName: 'Harbour Custody' },
    originator: { name: 'Somebody Else' },
  };
  expect(shownChange(patchTransaction(held(), null, body, by).own)?.after).toMatchObject({
    hold: 'SANCTIONS',
    subStatus: 'ON_HOLD',
  });
});

test.each([
  [PROCEED, 'GO'],
  [BLOCK, 'STOP'],
])('what was confirmed before it was held keeps its status, and its coins follow %j', (review, outcome) => {
  const confirmed = arrived({ status: 'CONFIRMED', transactionHash: '0xabc' });
  const { own, counterpart } = reviewTransaction(confirmed, sent(), review, by);
  expect(own?.after).toMatchObject({ status: 'CONFIRMED', hold: null });
  expect(clearanceOf(own?.after ?? confirmed).outcome).toBe(outcome);
  expect(counterpart).toBeNull();
});

test('what is being screened again waits for that', () => {
  const due = held({ screeningState: 'DUE', wakeAt: NOW });
  expect(refusalOf(() => reviewTransaction(due, null, PROCEED, by))).toMatchObject({
    code: 'screening_pending',
    details: { retryAfterSeconds: 5 },
  });
  expect(reviewTransaction(due, null, BLOCK, by).own?.after.status).toBe('CANCELLED');
});

test('data that is corrected while it is held is screened before a review lets it go', () => {
  const patched = patchTransaction(
    held({ hold: 'RULE' }),
    null,
    { originator: { name: 'Somebody Else' } },
    by,
  ).own;
  expect(patched).toMatchObject({ after: { hold: 'RULE', screeningState: 'DUE' }, wakesWorkflow: true });
});

describe('with four eyes', () => {
  const first = {
    proposalId: 'proposal-1',
    by: { kind: 'USER', id: 'user-1' },
    at: NOW,
    review: { ...PROCEED, reason: 'seen by the first' },
  } as const;

  test.each([...HOLDS.map((hold) => held({ hold })), arrived(), held({ status: 'DELIVERED' })])(
    'two let it pass, and the log and the reviews name the first beside the second: %#',
    (record) => {
      expect(needsTwoReviewers(record, PROCEED)).toBe(true);
      const { own } = withFirstReview(reviewTransaction(record, null, PROCEED, by), record, first);
      expect(own).toMatchObject({
        after: { hold: null, screeningState: 'REVIEWED' },
        events: [
          {
            type: 'REVIEWED',
            actor,
            data: { hold: record.hold, proposalId: 'proposal-1', proposedByUserId: 'user-1' },
          },
        ],
      });
      expect(own?.after.personal.reviews).toMatchObject([
        { reason: 'seen by the first', proposal: { by: 'USER user-1' }, at: NOW.toISOString() },
        PROCEED,
      ]);
    },
  );

  test('a proposal whose words were not kept is among the reviews already', () => {
    const { own } = withFirstReview(reviewTransaction(held(), null, PROCEED, by), held(), {
      ...first,
      by: { kind: 'API_KEY', id: 'key-7' },
      review: null,
    });
    expect(own?.after.personal.reviews).toMatchObject([PROCEED]);
    expect(own?.events[0]?.data).toMatchObject({ proposedByApiKeyId: 'key-7' });
  });

  test('one is enough to end it, and for what nothing holds, as a message that merely waits for its tenant', () => {
    expect(needsTwoReviewers(held(), BLOCK)).toBe(false);
    expect(needsTwoReviewers(arrived({ hold: null }), PROCEED)).toBe(false);
    expect(needsTwoReviewers(arrived({ hold: null, ruleWaitUntil: LATER }), PROCEED)).toBe(true);
  });

  test.each(HOLDS)('PATCH does not go round it for what is held for %s', (hold) => {
    const confirm = () =>
      patchTransaction(arrived({ hold }), null, { status: 'CONFIRMED' }, { ...by, fourEyes: true });
    expect(refusalOf(confirm)).toMatchObject({ code: 'review_required' });
  });
});
