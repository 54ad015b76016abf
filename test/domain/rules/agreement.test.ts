import { expect, test } from '@jest/globals';
import { compileRules, type CompiledRules } from '../../../domain/rules/compile.ts';
import { evaluate } from '../../../domain/rules/evaluate.ts';
import type { Facts } from '../../../domain/rules/facts.ts';
import { DECISIONS, RULE_RESULTS } from '../../../domain/rules/schema.ts';
import { plainly } from './plain-evaluator.ts';
import {
  namesIn,
  NOW,
  randomFacts,
  randomFrom,
  randomRuleSet,
  randomSpent,
  type Random,
} from './random-rules.ts';

const SETS = 10_000;
const INPUTS_EACH = 10;

interface Seen {
  found: string;
  wanted: string;
}

/** One pair of rule set and input, judged by the product and by the second evaluator. */
async function judgeBoth(
  compiled: CompiledRules,
  facts: Facts,
  random: Random,
  seen: Set<string>,
): Promise<Seen> {
  const { ruleSet } = compiled;
  const spent = randomSpent(random, ruleSet);
  const { rules, ...evaluation } = await evaluate(compiled, facts, { spent, now: NOW });
  const { decision, decidedBy, restsOnSanctions } = evaluation;
  const results = rules.map(({ result }) => result);
  const leaves = rules.map(({ trace }) => trace.map(({ result }) => result));
  for (const word of [decision, ...results, `sanctions ${restsOnSanctions}`]) seen.add(word);
  seen.add(decidedBy.length < 36 ? decidedBy : 'rule');
  return {
    found: JSON.stringify({ decision, decidedBy, restsOnSanctions, results, leaves }),
    wanted: JSON.stringify(plainly(ruleSet, facts, spent, NOW)),
  };
}

test('a second evaluator agrees on 100,000 random rule sets and inputs, missing facts included', async () => {
  const seen = new Set<string>();
  const first = Date.now();
  for (let seed = first; seed < first + SETS; seed += 1) {
    const random = randomFrom(seed);
    const compiled = compileRules(randomRuleSet(random));
    const names = namesIn(compiled.ruleSet);
    for (let input = 0; input < INPUTS_EACH; input += 1) {
      const { found, wanted } = await judgeBoth(compiled, randomFacts(random, names), random, seen);
      // Not for every pair: a hundred thousand expectations would take longer than what they look at.
      if (found !== wanted) expect({ seed, input, found }).toEqual({ seed, input, found: wanted });
    }
  }
  // Otherwise the two might agree on too little.
  expect([...seen].toSorted()).toEqual(EVERY_WORD);
}, 240_000);

const EVERY_WORD = [
  ...DECISIONS,
  ...RULE_RESULTS,
  'default',
  'rule',
  'undecided',
  'sanctions false',
  'sanctions true',
].toSorted();
