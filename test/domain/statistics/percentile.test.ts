import fc from 'fast-check';
import { BUCKET_GROWTH, percentileHours } from '../../../domain/statistics/percentile.ts';

const HOUR_SECONDS = 3_600;
/** The bucket of a duration, as SQL finds it. */
const bucketOf = (seconds: number) => Math.ceil(Math.log(Math.max(seconds, 1)) / Math.log(BUCKET_GROWTH));

test('a percentile is at most 1 % from the exact one', () => {
  const durations = fc.array(fc.double({ min: 10, max: 90 * 86_400, noNaN: true }), { minLength: 1 });
  fc.assert(
    fc.property(durations, fc.constantFrom(0.5, 0.95), (seconds, part) => {
      const sorted = seconds.toSorted((a, b) => a - b);
      const exact = (sorted[Math.ceil(part * sorted.length) - 1] ?? 0) / HOUR_SECONDS;
      const buckets = seconds.map((each) => ({ number: bucketOf(each), count: 1 }));
      const found = percentileHours(buckets, part);
      expect(Math.abs(found - exact)).toBeLessThanOrEqual(0.01 * exact + 0.00005);
    }),
  );
});

test('answers within a second took no time, and without an answer there is no percentile', () => {
  expect(percentileHours([{ number: 0, count: 3 }], 0.95)).toBe(0);
  expect(() => percentileHours([{ number: 5, count: 0 }], 0.5)).toThrow(RangeError);
});
