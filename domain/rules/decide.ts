import { DECISIONS, type RuleVerdict, type RuleEvaluation, type Rule, type RuleSet } from './schema.ts';

/** A rule that has a say. */
export interface RuleStatement {
  rule: Pick<Rule, 'id' | 'decision' | 'waitMinutes' | 'reason'>;
  /** It stands on a sanctions fact that is a hit or missing. */
  restsOnSanctions: boolean;
}

/** The rules that have a say, each list in the order of evaluation. */
export interface RuleStatements {
  matched: readonly RuleStatement[];
  /** BLOCK, REVIEW and WAIT rules that a missing price, sanctions or AML fact leaves undecided. */
  undecided: readonly RuleStatement[];
}

type ConfigurationAnswer = Pick<RuleEvaluation, 'decision' | 'decidedBy' | 'waitMinutes' | 'reason'>;
type DecidedRules = ConfigurationAnswer & Pick<RuleEvaluation, 'restsOnSanctions'>;

/**
 * BLOCK wins over REVIEW over WAIT over PROCEED; of rules with the same decision the first one decides. Without a match
 * the default holds. Whatever comes of it, an undecided rule makes it at least REVIEW where the set asks for that.
 */
export function decide(
  { defaultDecision, onUndecided }: Pick<RuleSet, 'defaultDecision' | 'onUndecided'>,
  { matched, undecided }: RuleStatements,
): DecidedRules {
  const doubts = onUndecided === 'REVIEW' ? undecided : [];
  const clear = strongest(matched) ?? answer(defaultDecision, 'default');
  const decided = doubts.length > 0 && !holds(clear.decision) ? answer('REVIEW', 'undecided') : clear;
  // Not only the deciding rule: who releases what an amount has held would release the sanctions hit with it.
  const reasons = [...matched.filter(({ rule }) => holds(rule.decision)), ...doubts];
  const restsOnSanctions = holds(decided.decision) && reasons.some((say) => say.restsOnSanctions);
  return { ...decided, restsOnSanctions };
}

function strongest(matched: readonly RuleStatement[]): ConfigurationAnswer | undefined {
  const decision = DECISIONS.findLast((one) => matched.some(({ rule }) => rule.decision === one));
  const rule = matched.find((say) => say.rule.decision === decision)?.rule;
  return rule && answer(rule.decision, rule.id, rule);
}

function answer(decision: RuleVerdict, decidedBy: string, rule?: RuleStatement['rule']): ConfigurationAnswer {
  return { decision, decidedBy, waitMinutes: rule?.waitMinutes ?? null, reason: rule?.reason ?? null };
}

function holds(decision: RuleVerdict): boolean {
  return decision === 'REVIEW' || decision === 'BLOCK';
}
