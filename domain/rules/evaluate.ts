import type { CompiledRule, CompiledRules, ResultNode } from './compile.ts';
import { decide, type RuleStatement } from './decide.ts';
import type { Facts } from './facts.ts';
import { judge, lacksSupply, restsOnSanctions, type JudgedCondition } from './judge.ts';
import type { RuleEvaluation, LeafTrace, Rule, RuleTrace } from './schema.ts';

export interface EvaluationInput {
  /** Ids of WAIT rules that have run their time for this transfer. */
  spent?: readonly string[];
  /** The time of the evaluation, ISO 8601: a rule that is snoozed by then sleeps. */
  now: string;
}

interface RanRule {
  rule: Rule;
  root: JudgedCondition | undefined;
  shown: RuleTrace;
}

/**
 * What the rules say of a transfer, with a trace of every rule and leaf. The same rules, facts and circumstances always
 * give the same. Throws when the facts hold a decimal that is none.
 */
export async function evaluate(
  compiled: CompiledRules,
  facts: Facts,
  circumstances: EvaluationInput,
): Promise<RuleEvaluation> {
  const found = await compiled.run(facts);
  const ran = compiled.rules.map((one, at) => readRule(one, found.get(at), facts, circumstances));
  const decided = decide(compiled.ruleSet, {
    matched: ran.filter(({ shown }) => shown.result === 'MATCHED').map(sayOf),
    undecided: ran.filter(isInDoubt).map(sayOf),
  });
  return { ...decided, rules: ran.map(({ shown }) => shown) };
}

function readRule(
  { rule, leaves }: CompiledRule,
  node: ResultNode | undefined,
  facts: Facts,
  circumstances: EvaluationInput,
): RanRule {
  const trace: LeafTrace[] = [];
  const root = node && judge(node, leaves.values(), facts, trace);
  const { id: ruleId, name, priority, decision } = rule;
  return {
    rule,
    root,
    shown: { ruleId, name, priority, result: resultOf(rule, root, circumstances), decision, trace },
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

function sayOf({ rule, root }: RanRule): RuleStatement {
  return { rule, restsOnSanctions: root !== undefined && restsOnSanctions(root) };
}
