/** Enough that a busy process has some in between in which nothing else runs. */
const MOST_TIMES = 200;

/**
 * The least CPU time of a piece of work, in milliseconds: the machine may be busy, and waiting for it does not count. It
 * is tried until it has taken less than `enoughMs`, because other threads of the process and its collection of garbage
 * count, too. User and system time together, because only their sum is exact: the kernel divides it between them by
 * samples of milliseconds.
 */
export async function leastCpuMs(work: () => unknown, enoughMs: number): Promise<number> {
  let least = Infinity;
  for (let time = 0; time < MOST_TIMES && least >= enoughMs; time += 1) {
    const started = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(started);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}
