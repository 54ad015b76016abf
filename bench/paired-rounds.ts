import type { BenchInstallation } from './installation.ts';
import { median } from './statistics.ts';

export interface RatioToLimit<T> {
  /** Median over the rounds of the rate divided by the mean of the limits right before and after it. */
  ratio: number;
  /** The ratio with the least and the greatest of the rounds: `0.66 (0.61 to 0.70)`. */
  text: string;
  /** Median limit, per second. */
  limit: number;
  rounds: T[];
}

/**
 * Measures limit, rate, limit, rate, …, limit in turn, so that other load on the machine slows both. A checkpoint comes before
 * each, since whoever is measured while the database makes one pays for all that was written before.
 */
export async function pairedRounds<T extends { rate: number }>(
  { checkpoint }: Pick<BenchInstallation, 'checkpoint'>,
  count: number,
  measureLimit: (round: number) => Promise<number>,
  measure: (round: number) => Promise<T>,
): Promise<RatioToLimit<T>> {
  await checkpoint();
  const limits = [await measureLimit(0)];
  const rounds: T[] = [];
  for (let round = 1; round <= count; round += 1) {
    await checkpoint();
    rounds.push(await measure(round));
    await checkpoint();
    limits.push(await measureLimit(round));
  }
  const ratios = rounds.map(({ rate }, round) => rate / meanOf(limits.slice(round, round + 2)));
  return { ratio: median(ratios), text: spreadOf(ratios), limit: median(limits), rounds };
}

function spreadOf(ratios: readonly number[]): string {
  const [least, greatest] = [Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(2));
  return `${median(ratios).toFixed(2)} (${least} to ${greatest})`;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
