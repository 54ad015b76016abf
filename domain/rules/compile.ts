import { Engine, Fact } from 'json-rules-engine';
import { comparableFact, expectedOf, factOf } from './comparable.ts';
import { engineOperators, opposite } from './engine-operators.ts';
import type { FactName, Facts } from './facts.ts';
import type { ExpectedValue } from './operators.ts';
import type { Condition, Leaf, Rule, RuleSet } from './schema.ts';

/** Rules in the form in which they run; may be kept and used by any number of evaluations at a time. */
export interface CompiledRules {
  readonly ruleSet: RuleSet;
  /** Every rule in the order of evaluation: by priority, then by id. */
  readonly rules: readonly CompiledRule[];
  /** What the engine found for each enabled rule, by its place in `rules`. */
  readonly run: (facts: Facts) => Promise<ReadonlyMap<number, ResultNode>>;
}

export interface CompiledRule {
  readonly rule: Rule;
  /** The leaves in reading order. */
  readonly leaves: readonly CompiledLeaf[];
}

export interface CompiledLeaf {
  readonly leaf: Leaf;
  readonly fact: FactName;
  /** JSON Pointer into the conditions of its rule. */
  readonly pointer: string;
  /** It stands under an odd number of `not`: the engine is given its opposite. */
  readonly isNegated: boolean;
}

/** A node of the engine's answer, in the shape in which it was given to the engine. */
export interface ResultNode {
  readonly all?: readonly ResultNode[];
  readonly any?: readonly ResultNode[];
  /** Of a leaf: the fact that it was given. */
  readonly factResult?: unknown;
  readonly result?: boolean;
}

type EngineNode =
  { all: EngineNode[] } | { any: EngineNode[] } | { fact: string; operator: string; value: number };

/** Where the leaves of a compilation are gathered: one list for its rule, one for the operators. */
interface GatheredLeaves {
  leaves: CompiledLeaf[];
  expected: ExpectedValue[];
}

export function compileRules(ruleSet: RuleSet): CompiledRules {
  const ordered = ruleSet.rules.toSorted(byPriorityAndId);
  const expected: ExpectedValue[] = [];
  // A path is never given; should one get there all the same, it is not looked up.
  const engine = new Engine([], { pathResolver: refusePath });
  for (const operator of engineOperators(expected)) engine.addOperator(operator);
  const rules = ordered.map((rule, at): CompiledRule => {
    const leaves: CompiledLeaf[] = [];
    const root = toEngine(rule.conditions, false, '', { leaves, expected });
    // All rules have one priority: the engine runs them in one go, and precedence is decided outside of it.
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

/** The condition for the engine, without `not`: it moves down to the leaves, which get their opposite. */
function toEngine(
  condition: Condition,
  isNegated: boolean,
  pointer: string,
  into: GatheredLeaves,
): EngineNode {
  if ('not' in condition) return toEngine(condition.not, !isNegated, `${pointer}/not`, into);
  if ('all' in condition || 'any' in condition) {
    const name = 'all' in condition ? 'all' : 'any';
    const members = 'all' in condition ? condition.all : condition.any;
    const nodes = members.map((member, at) => toEngine(member, isNegated, `${pointer}/${name}/${at}`, into));
    return (name === 'all') === isNegated ? { any: nodes } : { all: nodes };
  }
  const fact = factOf(condition);
  into.leaves.push({ leaf: condition, fact, pointer, isNegated });
  // A number, because the engine copies what it is given at every run, and would take an object for a fact.
  const value = into.expected.push(expectedOf(condition)) - 1;
  return { fact, operator: isNegated ? opposite(condition.operator) : condition.operator, value };
}

/** An engine that is run again while it runs may take the end of the one for that of the other, and skip every rule. */
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
  // The next run only waits: it needs neither the result nor the failure of this one.
}

/** Without the engine's cache, which would compute a hash for each. */
function engineFacts(facts: Facts, names: ReadonlySet<FactName>): Record<string, Fact> {
  const given: Record<string, Fact> = {};
  for (const name of names) given[name] = new Fact(name, comparableFact(facts, name), { cache: false });
  return given;
}
