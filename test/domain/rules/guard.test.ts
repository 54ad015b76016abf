import { countedByGuard } from '../../../domain/rules/guard.ts';
import type { RuleVerdict } from '../../../domain/rules/schema.ts';
import { combineFindings } from '../../../domain/transactions/deciding/combine-findings.ts';
import type { TransactionScreening } from '../../../domain/transactions/deciding/screening.ts';
import { transactionRecord } from '../../factories/transaction-record.ts';

const decisions = (blocked: number, others: number): RuleVerdict[] => [
  ...Array.from({ length: blocked }, () => 'BLOCK' as const),
  ...Array.from({ length: others }, () => 'PROCEED' as const),
];

test.each([
  [0, 0, null],
  [14, 0, null],
  // The sixteenth is more than 30 % of 50, whatever the others will be.
  [15, 0, { blocked: 16, decisions: 16 }],
  [14, 35, null],
  [15, 34, { blocked: 16, decisions: 50 }],
  // Those after the first 50 do not count.
  [15, 35, null],
  [16, 34, { blocked: 16, decisions: 50 }],
  [50, 0, { blocked: 50, decisions: 50 }],
])('after %i blocks and %i others one more block is counted as %j', (blocked, others, counted) => {
  expect(countedByGuard(decisions(blocked, others))).toEqual(counted);
});

describe('a guarded block', () => {
  const clear = {
    id: 'screening-1',
    sanctions: { nameMatch: false, addressMatch: false, subjects: [] },
    aml: null,
    wallet: null,
    counterparty: null,
  } as unknown as TransactionScreening;
  const evaluation = {
    decision: 'BLOCK' as const,
    decidedBy: 'rule-1',
    waitMinutes: null,
    reason: null,
    restsOnSanctions: false,
    rules: [],
  };
  const incoming = transactionRecord({ direction: 'INCOMING', status: 'DELIVERED' });
  const guarded = { evaluation, version: 2, waitUntil: null, guarded: true };

  test.each([transactionRecord(), incoming])('is a review: %#', (record) => {
    expect(combineFindings(record, clear, guarded)).toMatchObject({
      outcome: 'REVIEW',
      hold: 'RULE',
      waitUntil: null,
      guarded: true,
    });
    const free = combineFindings(record, clear, { ...guarded, waitUntil: null, guarded: false });
    expect(free).toMatchObject({ outcome: 'BLOCK', hold: null, waitUntil: null, guarded: false });
  });

  test('is one as well where the default decision blocks what arrives', () => {
    const byDefault = { ...guarded, evaluation: { ...evaluation, decidedBy: 'default' } };
    expect(combineFindings(incoming, clear, byDefault)).toMatchObject({ outcome: 'REVIEW', hold: 'RULE' });
  });

  test('keeps the hold of sanctions, and the policy for the counterparty still blocks', () => {
    const onSanctions = { ...guarded, evaluation: { ...evaluation, restsOnSanctions: true } };
    expect(combineFindings(incoming, clear, onSanctions)).toMatchObject({ hold: 'SANCTIONS' });
    const refused = { ...clear, counterparty: { policy: 'BLOCK' } } as TransactionScreening;
    expect(combineFindings(incoming, refused, guarded)).toMatchObject({
      outcome: 'BLOCK',
      decidedBy: { kind: 'COUNTERPARTY' },
      waitUntil: null,
      guarded: false,
    });
  });
});
