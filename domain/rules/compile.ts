import { Engine, Fact } from 'json-rules-engine';
import { comparableFact, expectedOf, factOf } from './comparable.ts';
import { engineOperators, opposite } from './engine-operators.ts';
import type { FactName, Facts } from './facts.ts';
import type { ExpectedValue } from './operators.ts';
import type { Condition, FieldCondition, Rule, RuleSet } from './schema.ts';

/** Compiled rules; may be cached and used by concurrent evaluations. */
export interface CompiledRules {
  readonly ruleSet: RuleSet;
  /** All rules in the order of evaluation: by priority, then by id. */
  readonly rules: readonly CompiledRule[];
  /** Runs the engine; the results of the enabled rules by their index in `rules`. */
  readonly run: (facts: Facts) => Promise<ReadonlyMap<number, ResultNode>>;
}

export interface CompiledRule {
  readonly rule: Rule;
  /** The leaves in reading order. */
  readonly leaves: readonly CompiledLeaf[];
}

export interface CompiledLeaf {
  readonly leaf: FieldCondition;
  readonly fact: FactName;
  /** JSON Pointer into the conditions of its rule. */
  readonly pointer: string;
  /** Whether the leaf is under an odd number of `not`: the engine then gets the opposite operator. */
  readonly isNegated: boolean;
}

/** A node of the engine's result, in the shape of the condition given to the engine. */
export interface ResultNode {
  readonly all?: readonly ResultNode[];
  readonly any?: readonly ResultNode[];
  /** The fact given to a leaf. */
  readonly factResult?: unknown;
  readonly result?: boolean;
}

type EngineNode =
  { all: EngineNode[] } | { any: EngineNode[] } | { fact: string; operator: string; value: number };

/** Collects the leaves of a compilation: one list for the rule, one for the operators. */
interface GatheredLeaves {
  leaves: CompiledLeaf[];
  expected: ExpectedValue[];
}

/** The position of a condition in its rule. */
interface ConditionPosition {
  pointer: string;
  isNegated: boolean;
}

/** Compiles a rule set for any number of evaluations. */
export function compileRules(ruleSet: RuleSet): CompiledRules {
  const ordered = ruleSet.rules.toSorted(byPriorityAndId);
  const expected: ExpectedValue[] = [];
  // Rules never contain paths; if one got here anyway, it must not be resolved.
  const engine = new Engine([], { pathResolver: refusePath });
  for (const operator of engineOperators(expected)) engine.addOperator(operator);
  const rules = ordered.map((rule, at): CompiledRule => {
    const leaves: CompiledLeaf[] = [];
    const root = toEngine(rule.conditions, { pointer: '', isNegated: false }, { leaves, expected });
    // All rules get the same engine priority: the engine runs them in one pass, and `decide` applies the precedence.
    if (rule.enabled) {
      const conditions = 'fact' in root ? { all: [root] } : root;
      engine.addRule({ name: String(at), conditions, event: { type: 'evaluated' } });
    }
    return { rule, leaves };
  });
  return { ruleSet, rules, run: oneAtATime(engine, rules) };
}

function byPriorityAndId(a: Rule, b: Rule): number {
  return a.priority - b.priority || (a.id < b.id ? -1 : 1);
}

function refusePath(): never {
  throw new Error('Rules have no paths.');
}

/** The condition for the engine, without `not`: negation moves down to the leaves, which get the opposite operator. */
function toEngine(
  condition: Condition,
  { pointer, isNegated }: ConditionPosition,
  into: GatheredLeaves,
): EngineNode {
  if ('not' in condition)
    return toEngine(condition.not, { pointer: `${pointer}/not`, isNegated: !isNegated }, into);
  if ('all' in condition || 'any' in condition) {
    const name = 'all' in condition ? 'all' : 'any';
    const members = 'all' in condition ? condition.all : condition.any;
    const nodes = members.map((member, index) =>
      toEngine(member, { pointer: `${pointer}/${name}/${index}`, isNegated }, into),
    );
    return (name === 'all') === isNegated ? { any: nodes } : { all: nodes };
  }
  const fact = factOf(condition);
  into.leaves.push({ leaf: condition, fact, pointer, isNegated });
  // An index, because the engine copies values at every run, and would take an object for a fact.
  const value = into.expected.push(expectedOf(condition)) - 1;
  return { fact, operator: isNegated ? opposite(condition.operator) : condition.operator, value };
}

/** Runs the engine one evaluation at a time: a concurrent run may take the other's end for its own and skip all rules. */
function oneAtATime(engine: Engine, rules: readonly CompiledRule[]): CompiledRules['run'] {
  const names = new Set(rules.flatMap(({ leaves }) => leaves.map(({ fact }) => fact)));
  const ruleCount = rules.filter(({ rule }) => rule.enabled).length;
  let last: Promise<unknown> = Promise.resolve();
  return async (facts) => {
    const given = engineFacts(facts, names);
    const run = last.then(async () => await engine.run(given));
    last = run.then(forget, forget);
    const { results, failureResults } = await run;
    const found = [...results, ...failureResults];
    if (found.length !== ruleCount) throw new Error('The rule engine did not run every rule.');
    return new Map(
      found.map(({ name, conditions, result }) => [
        Number(name),
        { ...(conditions as ResultNode), result: result === true },
      ]),
    );
  };
}

function forget(): void {
  // The next run only waits for this one: it needs neither its result nor its error.
}

/** The facts for the engine, without its cache, which would compute a hash for each fact. */
function engineFacts(facts: Facts, names: ReadonlySet<FactName>): Record<string, Fact> {
  const given: Record<string, Fact> = {};
  for (const name of names) given[name] = new Fact(name, comparableFact(facts, name), { cache: false });
  return given;
}
