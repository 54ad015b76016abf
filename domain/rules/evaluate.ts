import type { CompiledRule, CompiledRules, ResultNode } from './compile.ts';
import { decide, type RuleStatement } from './decide.ts';
import type { Facts } from './facts.ts';
import { judge, lacksSupply, restsOnSanctions, type JudgedCondition } from './judge.ts';
import type { RuleEvaluation, LeafTrace, Rule, RuleTrace } from './schema.ts';

export interface EvaluationInput {
  /** Ids of WAIT rules whose time is over for this transfer. */
  spent?: readonly string[];
  /** Time of the evaluation, ISO 8601: rules that are not yet enabled or snoozed at this time are skipped. */
  now: string;
}

interface RanRule {
  rule: Rule;
  root: JudgedCondition | undefined;
  shown: RuleTrace;
}

/**
 * Evaluates rules for a transfer, with a trace of every rule and leaf. Deterministic: equal rules, facts and input give
 * equal results. Throws when a decimal fact is not a decimal.
 */
export async function evaluate(
  compiled: CompiledRules,
  facts: Facts,
  input: EvaluationInput,
): Promise<RuleEvaluation> {
  const found = await compiled.run(facts);
  const ran = compiled.rules.map((one, at) => readRule(one, found.get(at), facts, input));
  const decided = decide(compiled.ruleSet, {
    matched: ran.filter(({ shown }) => shown.result === 'MATCHED').map(statementOf),
    undecided: ran.filter(isInDoubt).map(statementOf),
  });
  return { ...decided, rules: ran.map(({ shown }) => shown) };
}

function readRule(
  { rule, leaves }: CompiledRule,
  node: ResultNode | undefined,
  facts: Facts,
  input: EvaluationInput,
): RanRule {
  const trace: LeafTrace[] = [];
  const root = node && judge(node, leaves.values(), facts, trace);
  const { id: ruleId, name, priority, decision } = rule;
  return {
    rule,
    root,
    shown: { ruleId, name, priority, result: resultOf(rule, root, input), decision, trace },
  };
}

function resultOf(
  rule: Rule,
  root: JudgedCondition | undefined,
  { spent = [], now }: EvaluationInput,
): RuleTrace['result'] {
  if (!root) return 'DISABLED';
  if (isAsleep(rule, Date.parse(now))) return 'SNOOZED';
  if (rule.decision === 'WAIT' && spent.includes(rule.id)) return 'SPENT';
  if (root.truth === null) return 'UNDECIDED';
  return root.truth ? 'MATCHED' : 'NOT_MATCHED';
}

function isAsleep({ enabledFrom, snoozedUntil }: Rule, now: number): boolean {
  return [enabledFrom, snoozedUntil].some((until) => until !== null && now < Date.parse(until));
}

function isInDoubt({ rule, root, shown }: RanRule): boolean {
  return (
    shown.result === 'UNDECIDED' && rule.decision !== 'PROCEED' && root !== undefined && lacksSupply(root)
  );
}

function statementOf({ rule, root }: RanRule): RuleStatement {
  return { rule, restsOnSanctions: root !== undefined && restsOnSanctions(root) };
}
