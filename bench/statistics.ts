/** The percentile of unsorted samples by the nearest-rank method; `share` is 0 to 1. Throws if there are no samples. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  if (value === undefined) throw new Error('nothing was measured');
  return value;
}

export function median(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return (percentile(sorted, 0.5) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}

/** How long the work takes, in milliseconds. */
export async function msOf(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}
