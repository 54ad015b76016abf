import { median } from './statistics.ts';

export interface RatioToLimit<T> {
  /** Median over the rounds of the rate divided by the mean of the limits right before and after it. */
  ratio: number;
  /** Median limit, per second. */
  limit: number;
  rounds: T[];
}

/** Measures limit, rate, limit, rate, …, limit in turn, so that other load on the machine slows both. */
export async function pairedRounds<T extends { rate: number }>(
  count: number,
  measureLimit: (round: number) => Promise<number>,
  measure: (round: number) => Promise<T>,
): Promise<RatioToLimit<T>> {
  const limits = [await measureLimit(0)];
  const rounds: T[] = [];
  for (let round = 1; round <= count; round += 1) {
    rounds.push(await measure(round));
    limits.push(await measureLimit(round));
  }
  const ratios = rounds.map(({ rate }, round) => rate / meanOf(limits.slice(round, round + 2)));
  return { ratio: median(ratios), limit: median(limits), rounds };
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
