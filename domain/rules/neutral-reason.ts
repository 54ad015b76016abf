import type { RuleVerdict } from './schema.ts';

interface NeutralReason {
  statusReasonCode: 'COMPLIANCE';
  statusReasoning: string;
}

/**
 * What a counterparty is told of a decision: never the rule, its name, its reason or the fact behind it, which could
 * tip off those it concerns. Null where a decision tells it nothing.
 */
export function neutralReason(decision: RuleVerdict): NeutralReason | null {
  if (decision !== 'BLOCK') return null;
  return {
    statusReasonCode: 'COMPLIANCE',
    statusReasoning: 'The transfer was not accepted after a compliance check.',
  };
}
