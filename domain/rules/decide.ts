import { DECISIONS, type RuleVerdict, type RuleEvaluation, type Rule, type RuleSet } from './schema.ts';

/** A rule that takes part in the decision. */
export interface RuleStatement {
  rule: Pick<Rule, 'id' | 'decision' | 'waitMinutes' | 'reason'>;
  /** Whether its result depends on a sanctions fact that is a hit or missing. */
  restsOnSanctions: boolean;
}

/** The rules that take part in the decision, each list in the order of evaluation. */
export interface RuleStatements {
  matched: readonly RuleStatement[];
  /** BLOCK, REVIEW and WAIT rules that a missing price, sanctions or AML fact leaves undecided. */
  undecided: readonly RuleStatement[];
}

type ConfigurationAnswer = Pick<RuleEvaluation, 'decision' | 'decidedBy' | 'waitMinutes' | 'reason'>;
type DecidedRules = ConfigurationAnswer & Pick<RuleEvaluation, 'restsOnSanctions'>;

/**
 * The decision of a rule set. The strictest decision of the matched rules wins (BLOCK, REVIEW, WAIT, PROCEED), and the
 * first rule with it decides; without a match the default applies. With `onUndecided` REVIEW, an undecided rule makes
 * it at least REVIEW.
 */
export function decide(
  { defaultDecision, onUndecided }: Pick<RuleSet, 'defaultDecision' | 'onUndecided'>,
  { matched, undecided }: RuleStatements,
): DecidedRules {
  const doubts = onUndecided === 'REVIEW' ? undecided : [];
  const clear = strongest(matched) ?? answer(defaultDecision, 'default');
  const decided = doubts.length > 0 && !holds(clear.decision) ? answer('REVIEW', 'undecided') : clear;
  // All matched rules count: a reviewer who releases a hold for the amount would release the sanctions hit with it.
  const reasons = [...matched.filter(({ rule }) => holds(rule.decision)), ...doubts];
  const restsOnSanctions = holds(decided.decision) && reasons.some((statement) => statement.restsOnSanctions);
  return { ...decided, restsOnSanctions };
}

function strongest(matched: readonly RuleStatement[]): ConfigurationAnswer | undefined {
  const decision = DECISIONS.findLast((one) => matched.some(({ rule }) => rule.decision === one));
  const rule = matched.find((statement) => statement.rule.decision === decision)?.rule;
  return rule && answer(rule.decision, rule.id, rule);
}

function answer(decision: RuleVerdict, decidedBy: string, rule?: RuleStatement['rule']): ConfigurationAnswer {
  return { decision, decidedBy, waitMinutes: rule?.waitMinutes ?? null, reason: rule?.reason ?? null };
}

function holds(decision: RuleVerdict): boolean {
  return decision === 'REVIEW' || decision === 'BLOCK';
}
