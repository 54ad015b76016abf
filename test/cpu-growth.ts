import { cpuMs } from './least-cpu-ms.ts';

/** Enough that a busy process has some in between in which nothing else runs. */
const MOST_TIMES = 100;

/**
 * How many times the CPU time of a piece of work grows from `few` to `many`: the least time of either, measured in turn until the
 * growth is below `enough`. What makes the machine or the process slow makes both slow.
 */
export async function cpuGrowth(
  work: (size: number) => unknown,
  { few, many, enough }: { few: number; many: number; enough: number },
): Promise<number> {
  let [leastOfFew, leastOfMany] = [Infinity, Infinity];
  const growth = () => leastOfMany / leastOfFew;
  for (let time = 0; time < MOST_TIMES && !(time > 3 && growth() < enough); time += 1) {
    leastOfFew = Math.min(leastOfFew, await cpuMs(() => work(few)));
    leastOfMany = Math.min(leastOfMany, await cpuMs(() => work(many)));
  }
  return growth();
}
