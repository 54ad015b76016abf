import { DECISIONS, RULE_RESULTS } from '../../../domain/rules/schema.ts';
import { IS_FULL } from '../../full.ts';
import { judgeAll } from './judge-both.ts';

const SETS = IS_FULL ? 100_000 : 10_000;

test(`a second evaluator agrees on ${SETS} random rule sets and inputs, missing facts included`, async () => {
  const { disagreement, seen } = await judgeAll({ first: Date.now(), count: SETS });
  expect(disagreement).toBeNull();
  // Otherwise the two might agree on too little.
  expect(seen.toSorted()).toEqual(EVERY_WORD);
});

const EVERY_WORD = [
  ...DECISIONS,
  ...RULE_RESULTS,
  'default',
  'rule',
  'undecided',
  'sanctions false',
  'sanctions true',
].toSorted();
