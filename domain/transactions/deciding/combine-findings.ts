import type { RuleEvaluation } from '../../rules/schema.ts';
import type { ScreeningVerdict } from './apply-verdict.ts';
import type { TransactionRecord } from '../record.ts';
import type { TransactionScreening } from './screening.ts';

/** What the published rules said, and which they were. */
export interface RuledFinding {
  evaluation: RuleEvaluation;
  version: number;
  /** With WAIT: a wait that runs already is not begun anew. */
  waitUntil: Date | null;
  /** Its BLOCK asks for a review: the version is new and blocks too much. */
  guarded: boolean;
}

/** Rules decide on what is to be sent and on what has arrived over a network, and on nothing that is over. */
export function isForRules({ direction, status, messageSource, screeningState }: TransactionRecord): boolean {
  if (screeningState === 'RECHECK') return false;
  if (direction === 'OUTGOING') return status === 'PENDING';
  return status === 'DELIVERED' && messageSource !== 'MANUAL';
}

/**
 * Joins what was found with what the rules and the tenant's policy for the counterparty say: BLOCK before REVIEW before
 * WAIT before PROCEED. A sanctions match holds, unless the transfer is blocked before it has gone out.
 */
export function combineFindings(
  record: TransactionRecord,
  screening: TransactionScreening,
  ruled: RuledFinding | null,
): ScreeningVerdict {
  const decided = withPolicy(screening, ruled);
  return {
    screeningId: screening.id,
    ...decided,
    hold: holdOf(record, screening, ruled, decided),
    guarded: ruled?.guarded === true && decided.decidedBy?.kind !== 'COUNTERPARTY',
    waitUntil: ruled?.waitUntil ?? null,
    rulesVersion: ruled?.version ?? 0,
    findings: findingsOf(screening),
  };
}

type DecidedRules = Pick<ScreeningVerdict, 'outcome' | 'decidedBy'>;

function withPolicy({ counterparty }: TransactionScreening, ruled: RuledFinding | null): DecidedRules {
  if (!ruled) return { outcome: 'PROCEED', decidedBy: null };
  const { decidedBy } = ruled.evaluation;
  const decision = ruled.guarded ? 'REVIEW' : ruled.evaluation.decision;
  const policy = counterparty?.policy ?? 'ALLOW';
  const isStricter = policy !== 'ALLOW' && STRICTNESS[policy] > STRICTNESS[decision];
  if (isStricter) return { outcome: policy, decidedBy: { kind: 'COUNTERPARTY', ruleId: null } };
  return { outcome: decision, decidedBy: whoDecided(decidedBy) };
}

const STRICTNESS = { PROCEED: 0, WAIT: 1, REVIEW: 2, BLOCK: 3 } as const;

function whoDecided(decidedBy: string): NonNullable<ScreeningVerdict['decidedBy']> {
  if (decidedBy === 'default') return { kind: 'DEFAULT', ruleId: null };
  if (decidedBy === 'undecided') return { kind: 'UNDECIDED', ruleId: null };
  return { kind: 'RULE', ruleId: decidedBy };
}

function holdOf(
  { direction, status }: TransactionRecord,
  { sanctions }: TransactionScreening,
  ruled: RuledFinding | null,
  { outcome, decidedBy }: DecidedRules,
): ScreeningVerdict['hold'] {
  const isBlockedUnsent = outcome === 'BLOCK' && direction === 'OUTGOING' && status === 'PENDING';
  if (isBlockedUnsent) return null;
  const restsOnSanctions = outcome !== 'PROCEED' && outcome !== 'WAIT' && ruled?.evaluation.restsOnSanctions;
  if (sanctions.nameMatch || sanctions.addressMatch || restsOnSanctions) return 'SANCTIONS';
  if (outcome !== 'REVIEW') return null;
  if (decidedBy?.kind === 'COUNTERPARTY') return 'COUNTERPARTY';
  if (ruled?.guarded) return 'RULE';
  // How a tenant decides on everything by itself is no hold of what has arrived.
  return decidedBy?.kind === 'DEFAULT' && direction === 'INCOMING' ? null : 'RULE';
}

/** Codes and counts for the log: no name, no list entry. */
function findingsOf({
  sanctions,
  aml,
  wallet,
  counterparty,
}: TransactionScreening): ScreeningVerdict['findings'] {
  const possible = sanctions.subjects.some(({ screening }) => (screening?.totalMatches ?? 0) > 0);
  const isMatch = sanctions.nameMatch || sanctions.addressMatch;
  return {
    sanctions: isMatch ? 'MATCH' : possible ? 'POSSIBLE' : 'CLEAR',
    ...(aml && { amlProvider: aml.provider, amlRiskScore: aml.riskScore, amlRiskSeverity: aml.riskSeverity }),
    ...(wallet && { walletClassification: wallet.classification }),
    ...(counterparty && { counterpartyEntityId: counterparty.entityId }),
  };
}
