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
  ['shorter than the step', 1_000, 0, 30_000],
  ['shorter than the step, with jitter', 1_000, MIDDLE, 33_000],
  ['between one and two steps', 40_000, 0, 40_000],
  ['between one and two steps, with jitter', 40_000, MIDDLE, 44_000],
  ['jitter never leads past two steps', 59_000, MIDDLE, 60_000],
  ['longer than two steps', 86_400_000, MIDDLE, 60_000],
  ['now', 0, 0, 30_000],
])('Retry-After %s', (_what, retryAfterMs, chance, expected) => {
  expect(nextDelayMs(2, chance, retryAfterMs)).toBe(expected);
});

test('with Retry-After the delay is never earlier than asked, nor outside one to two steps', () => {
  fc.assert(
    fc.property(step, random, fc.nat({ max: 30 * 86_400_000 }), ({ attempt, ms }, chance, asked) => {
      const delay = nextDelayMs(attempt, chance, asked) ?? NaN;
      expect(delay).toBeGreaterThanOrEqual(Math.min(Math.max(asked, ms), 2 * ms));
      expect(delay).toBeLessThanOrEqual(2 * ms);
    }),
  );
});
