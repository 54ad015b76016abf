import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** Linux counts CPU time in hundredths of a second, on every architecture that Node runs on. */
const TICKS_PER_SECOND = 100;

/** CPU time of a process since its start, in seconds; NaN on systems without `/proc`, where a goal of it counts as met. */
export function cpuSecondsOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the name of the program in brackets, and may contain anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return Number.NaN;
  }
}

/** CPU time that the programs of this machine have used since its start, in milliseconds, whosever they are. */
export function machineCpuMs(): number {
  return cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
}
