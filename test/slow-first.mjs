import TestSequencer from '@jest/test-sequencer';

/** The files that take longest, longest first: begun last, one of them would be waited for alone. */
const SLOW = [
  'faults/kill-nine',
  'bench/bench',
  'e2e/npm-start',
  'api/transactions/races',
  'faults/temporal-disposable',
  'faults/bad-receivers',
  'workflows/webhook-range',
  'db/wallets/release-transactions',
  'api/bad-input',
  'db/metrics/plans',
];

/** Starts the slow files first and all others as jest sees fit. */
export default class SlowFirst extends TestSequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isOf = (name) => (test) => test.path.endsWith(`/test/${name}.test.ts`);
    const slow = SLOW.flatMap((name) => sorted.filter(isOf(name)));
    return [...slow, ...sorted.filter((test) => !slow.includes(test))];
  }
}
