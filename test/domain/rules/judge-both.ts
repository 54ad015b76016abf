import { compileRules } from '../../../domain/rules/compile.ts';
import { evaluate } from '../../../domain/rules/evaluate.ts';
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

/** From which seed, and how many rule sets with an input each. */
interface Task {
  first: number;
  count: number;
}

/** The first pair of which product and second evaluator say something else, and every word that was said. */
interface Verdict {
  disagreement: { seed: number; found: string; expected: string } | null;
  seen: string[];
}

async function judgeBoth(random: Random, seen: Set<string>): Promise<{ found: string; expected: string }> {
  const compiled = compileRules(randomRuleSet(random));
  const { ruleSet } = compiled;
  const facts = randomFacts(random, namesIn(ruleSet));
  const spent = randomSpent(random, ruleSet);
  const { rules, ...evaluation } = await evaluate(compiled, facts, { spent, now: NOW });
  const { decision, decidedBy, restsOnSanctions } = evaluation;
  const results = rules.map(({ result }) => result);
  const leaves = rules.map(({ trace }) => trace.map(({ result }) => result));
  for (const word of [decision, ...results, `sanctions ${restsOnSanctions}`]) seen.add(word);
  seen.add(decidedBy.length < 36 ? decidedBy : 'rule');
  return {
    found: JSON.stringify({ decision, decidedBy, restsOnSanctions, results, leaves }),
    expected: JSON.stringify(plainly(ruleSet, facts, spent, NOW)),
  };
}

export async function judgeAll({ first, count }: Task): Promise<Verdict> {
  const seen = new Set<string>();
  for (let seed = first; seed < first + count; seed += 1) {
    const { found, expected } = await judgeBoth(randomFrom(seed), seen);
    if (found !== expected) return { disagreement: { seed, found, expected }, seen: [...seen] };
  }
  return { disagreement: null, seen: [...seen] };
}
