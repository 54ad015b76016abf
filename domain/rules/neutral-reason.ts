import type { RuleVerdict } from './schema.ts';

interface NeutralReason {
  statusReasonCode: 'COMPLIANCE';
  statusReasoning: string;
}

/**
 * The reason of a decision that a counterparty receives. It never contains the rule, its name, its reason or facts, which
 * could tip off the persons concerned. Null if the decision sends nothing.
 */
export function neutralReason(decision: RuleVerdict): NeutralReason | null {
  if (decision !== 'BLOCK') return null;
  return {
    statusReasonCode: 'COMPLIANCE',
    statusReasoning: 'The transfer was not accepted after a compliance check.',
  };
}
