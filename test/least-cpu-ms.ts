/** Enough that a busy process has some in between in which nothing else runs. */
const MOST_TIMES = 200;

/** What `yardstick` takes on the machine on which the limits of the tests were measured. */
const YARDSTICK_MS = 1;

/** Enough for the compiler to have made it fast. */
const WARM_UPS = 20;

/** Always the same work, of the kind that is measured: texts are made, normalised, replaced in and counted. */
function yardstick(): number {
  const counts = new Map<string, number>();
  for (let at = 0; at < 4_000; at += 1) {
    const word = `${String.fromCharCode(97 + (at % 26))}${at.toString(36)}`.normalize('NFKD');
    const letters = word.replace(/[0-9]/g, '');
    counts.set(letters, (counts.get(letters) ?? 0) + 1);
  }
  return counts.size;
}

/** User and system time together, because only their sum is exact: the kernel divides it between them by samples. */
export async function cpuMs(work: () => unknown): Promise<number> {
  const started = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1_000;
}

/**
 * The least CPU time of a piece of work, in milliseconds of the machine on which `yardstick` takes YARDSTICK_MS: a slower
 * or busier machine takes longer for both, and waiting for it does not count. The work is tried until it has taken less
 * than `enoughMs`, because other threads of the process and its collection of garbage count, too.
 */
export async function leastCpuMs(work: () => unknown, enoughMs: number): Promise<number> {
  let [least, leastOfYardstick] = [Infinity, Infinity];
  for (let time = 0; time < WARM_UPS; time += 1)
    leastOfYardstick = Math.min(leastOfYardstick, await cpuMs(yardstick));
  const scaled = () => (least * YARDSTICK_MS) / leastOfYardstick;
  for (let time = 0; time < MOST_TIMES && !(scaled() < enoughMs); time += 1) {
    leastOfYardstick = Math.min(leastOfYardstick, await cpuMs(yardstick));
    least = Math.min(least, await cpuMs(work));
  }
  return scaled();
}
