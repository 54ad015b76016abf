import { readFileSync } from 'node:fs';

const SAMPLE_MS = 5;

/** Samples the resident memory of a process. The returned function stops that and returns the growth to the peak, in MB. */
export function watchMemory(pid: number): () => number {
  const before = residentMb(pid);
  let peak = before;
  const timer = setInterval(() => (peak = Math.max(peak, residentMb(pid))), SAMPLE_MS);
  return () => {
    clearInterval(timer);
    return peak - before;
  };
}

/** The resident memory of a process, in MB. */
export function residentMb(pid: number): number {
  return statusMb(pid, 'VmRSS');
}

/** The most resident memory that a process has had since it was started, in MB. */
export function peakMb(pid: number): number {
  return statusMb(pid, 'VmHWM');
}

/** Memory of a process in MB; of pages that several share, its part. */
export function proportionalMb(pid: number): number {
  return kilobytesOf(`/proc/${pid}/smaps_rollup`, 'Pss') / 1024;
}

/** A process and all that it has started, directly or not. */
export function processesBelow(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    return [pid, ...children.flatMap((child) => processesBelow(Number(child)))];
  } catch {
    return [pid];
  }
}

function statusMb(pid: number, field: string): number {
  return kilobytesOf(`/proc/${pid}/status`, field) / 1024;
}

/** A field of a file of `/proc`; NaN on systems without it, where a growth counts as met. */
function kilobytesOf(file: string, field: string): number {
  try {
    const found = new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(file, 'utf8'));
    return Number(found?.[1]);
  } catch {
    return Number.NaN;
  }
}
