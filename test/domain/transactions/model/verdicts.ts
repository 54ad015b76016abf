import type { ScreeningVerdict } from '../../../../domain/transactions/deciding/apply-verdict.ts';
import type { TransactionRecord } from '../../../../domain/transactions/record.ts';

export const OUTCOMES = ['PROCEED', 'WAIT', 'REVIEW', 'BLOCK', 'MATCH', 'DEFAULT'] as const;
export type Outcome = (typeof OUTCOMES)[number];

const BY_RULE = { kind: 'RULE', ruleId: 'rule-1' } as const;

/** A verdict as lists and rules make it. MATCH: a sanctions match; DEFAULT: no rule fits. */
export function verdictOf(outcome: Outcome, record: TransactionRecord, now: Date): ScreeningVerdict {
  const isIncoming = record.direction === 'INCOMING';
  const verdict: ScreeningVerdict = {
    screeningId: 'screening-1',
    outcome: 'PROCEED',
    hold: null,
    isReleased: false,
    guarded: false,
    waitUntil: null,
    decidedBy: BY_RULE,
    rulesVersion: 1,
    findings: {},
  };
  switch (outcome) {
    case 'PROCEED':
      return verdict;
    case 'BLOCK':
      return { ...verdict, outcome };
    case 'WAIT':
      return { ...verdict, outcome, waitUntil: new Date(now.getTime() + 60_000) };
    case 'REVIEW':
      return { ...verdict, outcome, hold: 'RULE' };
    case 'MATCH':
      return { ...verdict, hold: 'SANCTIONS' };
    case 'DEFAULT':
      return {
        ...verdict,
        outcome: isIncoming ? 'REVIEW' : 'PROCEED',
        decidedBy: { kind: 'DEFAULT', ruleId: null },
      };
  }
}
