import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { goalCheck } from '../bench/sanctions/quality-goals.ts';
import { ENGINE_VERSION } from '../domain/sanctions/thresholds.ts';
import { projectRoot } from '../standalone/project-root.ts';

const report = readFileSync(join(projectRoot, 'docs', 'sanctions-quality.md'), 'utf8');
const weakSpots = report.split('## Weak spots')[1]?.split('\n## ')[0] ?? '';

/** The cells of the tables that state goals: set, names, at review, A, B, at match, goal, queries/s. */
const measured = report
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter((cells) => / at (review|match)$/.test(cells[7] ?? ''));

test('the report is of this engine and names every set that misses its goal', () => {
  expect(report).toContain(`Engine ${ENGINE_VERSION};`);
  expect(measured.length).toBeGreaterThan(20);
  const misses = measured.filter(([, , , review, , , match, goal = '']) => {
    const share = Number(goal.endsWith('review') ? review : match);
    const percent = Number(/\d+(\.\d+)?/.exec(goal)?.[0]);
    return goal.startsWith('at least') ? share < percent : share > percent;
  });
  const named = weakSpots.split('\n').filter((line) => line.includes('goal at'));
  expect(named.map((line) => /^- (.*):/.exec(line)?.[1])).toEqual(misses.map(([, set]) => set));
});

test('found too few, hit too many: both are missed goals, and equal ones are met', () => {
  const goals = goalCheck();
  goals.check('listed', { review: 95, match: 94.5 }, { bound: 'AT_LEAST', percent: 95, at: 'review' });
  goals.check(
    'listed at match',
    { review: 95, match: 94.5 },
    { bound: 'AT_LEAST', percent: 95, at: 'match' },
  );
  goals.check('clean', { review: 3.333, match: 0 }, { bound: 'AT_MOST', percent: 1, at: 'review' });
  goals.check('none', { review: Number.NaN, match: 0 }, { bound: 'AT_LEAST', percent: 1, at: 'review' });
  expect(goals.missed()).toEqual([
    'listed at match: 94.50 % at match, goal at least 95 at match',
    'clean: 3.33 % at review, goal at most 1 at review',
  ]);
});
