import fc from 'fast-check';
import { MAX_ATTEMPTS, nextDelayMs } from '../../../domain/webhooks/retry-schedule.ts';

const MIDDLE = 0.5;
const steps = ['5s', '30s', '2m', '10m', '30m', '2h', '5h', '10h', '14h', '20h', '24h'].map((text) => {
  const unitMs = { s: 1_000, m: 60_000, h: 3_600_000 }[text.slice(-1)] ?? NaN;
  return Number(text.slice(0, -1)) * unitMs;
});
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const step = fc
  .integer({ min: 1, max: steps.length })
  .map((attempt) => ({ attempt, ms: steps[attempt - 1] ?? NaN }));

test('the steps are those promised, and the twelfth failure is the last', () => {
  expect(steps.map((_, index) => nextDelayMs(index + 1, MIDDLE))).toEqual(steps);
  expect(MAX_ATTEMPTS).toBe(12);
  expect(nextDelayMs(12, MIDDLE)).toBeNull();
  expect(nextDelayMs(12, MIDDLE, 1_000)).toBeNull();
  expect(nextDelayMs(40, MIDDLE)).toBeNull();
});

test('jitter moves a delay by up to a fifth both ways', () => {
  expect(nextDelayMs(1, 0)).toBe(4_000);
  expect(nextDelayMs(1, 0.999_999)).toBe(6_000);
  expect(nextDelayMs(1, MIDDLE, null)).toBe(5_000);
});

test('without Retry-After every delay lies within a fifth of its step', () => {
  fc.assert(
    fc.property(step, random, ({ attempt, ms }, chance) => {
      const delay = nextDelayMs(attempt, chance) ?? NaN;
      expect(delay).toBeGreaterThanOrEqual(0.8 * ms);
      expect(delay).toBeLessThanOrEqual(1.2 * ms);
      expect(Number.isInteger(delay)).toBe(true);
    }),
  );
});

test.each([
  ['shorter than the step', 1_000, 0, 24_000],
  ['shorter than the step, with jitter', 1_000, 0.75, 33_000],
  ['longer than the step', 40_000, 0.999, 40_000],
  ['much longer than the step', 3_600_000, MIDDLE, 3_600_000],
  ['of a day', 86_400_000, MIDDLE, 86_400_000],
  ['of a month, of which a day counts', 30 * 86_400_000, MIDDLE, 86_400_000],
  ['now', 0, MIDDLE, 30_000],
])('Retry-After %s', (_what, retryAfterMs, chance, expected) => {
  expect(nextDelayMs(2, chance, retryAfterMs)).toBe(expected);
});

test('the delay is the larger of the step and Retry-After, of which 24 hours count', () => {
  fc.assert(
    fc.property(step, random, fc.nat({ max: 30 * 86_400_000 }), ({ attempt }, chance, asked) => {
      const ofStep = nextDelayMs(attempt, chance) ?? NaN;
      const counted = Math.min(asked, 86_400_000);
      expect(nextDelayMs(attempt, chance, asked)).toBe(Math.max(ofStep, counted));
    }),
  );
});
