/** The coefficient of variation: standard deviation divided by mean, 0 if all values are equal. */
export function variation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  if (values.length === 0 || mean === 0) return 0;
  const square = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return Math.sqrt(square) / Math.abs(mean);
}

/** The entropy of the distribution of these counts, in bits. */
export function entropy(counts: readonly number[]): number {
  const total = counts.reduce((sum, count) => sum + count, 0);
  return counts.reduce(
    (sum, count) => (count === 0 ? sum : sum - (count / total) * Math.log2(count / total)),
    0,
  );
}

/** The share of the most frequent value; 0 without values. */
export function largestShare<T>(values: readonly T[]): number {
  return values.length === 0 ? 0 : Math.max(...countOf(values).values()) / values.length;
}

/** The number of occurrences of each value. */
export function countOf<T>(values: readonly T[]): Map<T, number> {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** The differences between neighbouring values. */
export function gaps(sorted: readonly number[]): number[] {
  return sorted.slice(1).map((value, index) => value - (sorted[index] ?? value));
}

/** Benford's shares of the first digits 1..9. */
const BENFORD = Array.from({ length: 9 }, (_, index) => Math.log10(1 + 1 / (index + 1)));

/** The chi-square statistic of first digits against Benford's law; 8 degrees of freedom. */
export function benfordDistance(firstDigits: readonly number[]): number {
  const counts = countOf(firstDigits);
  return BENFORD.reduce((sum, share, index) => {
    const expected = share * firstDigits.length;
    return sum + ((counts.get(index + 1) ?? 0) - expected) ** 2 / expected;
  }, 0);
}
