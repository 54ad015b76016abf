import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from '@jest/globals';
import { DECISIONS, RULE_RESULTS } from '../../../domain/rules/schema.ts';
import type { Task, Verdict } from './judge-both.ts';

const SETS = 100_000;

async function judgeInThread(workerData: Task): Promise<Verdict> {
  const thread = new Worker(new URL('./agreement-thread.mjs', import.meta.url), { workerData });
  const [verdict] = (await once(thread, 'message')) as [Verdict];
  return verdict;
}

test('a second evaluator agrees on 100,000 random rule sets and inputs, missing facts included', async () => {
  const { disagreement, seen } = await judgeInThread({ first: Date.now(), count: SETS });
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
