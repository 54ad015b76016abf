/** Durations are counted in buckets: each ends 2 % later than the one before. SQL sorts them with the same number. */
export const BUCKET_GROWTH = 1.02;

/** A bucket of durations: number 0 up to a second, number n up to 1.02 to the power of n seconds. */
interface DurationBucket {
  number: number;
  count: number;
}

const SECONDS_PER_HOUR = 3_600;
const DIGITS = 10_000;

/**
 * The duration, in hours, that the given part of all durations does not exceed (nearest rank). It is the middle of its
 * bucket, so at most 1 % from the exact one. Throws RangeError without any duration.
 */
export function percentileHours(buckets: readonly DurationBucket[], part: number): number {
  const sorted = buckets.filter(({ count }) => count > 0).toSorted((a, b) => a.number - b.number);
  const rank = Math.ceil(part * sorted.reduce((sum, { count }) => sum + count, 0));
  let passed = 0;
  for (const { number, count } of sorted) {
    passed += count;
    if (passed >= rank) return middleHours(number);
  }
  throw new RangeError('There is no duration.');
}

function middleHours(bucket: number): number {
  if (bucket === 0) return 0;
  const hours = BUCKET_GROWTH ** (bucket - 0.5) / SECONDS_PER_HOUR;
  return Math.round(hours * DIGITS) / DIGITS;
}
