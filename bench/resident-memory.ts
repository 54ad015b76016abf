import { readFileSync } from 'node:fs';

const SAMPLE_MS = 5;
const MB = 1024 * 1024;

/** Samples the resident memory of a process. The returned function stops that and returns the growth to the peak, in MB. */
export function watchMemory(pid: number): () => number {
  const before = residentBytes(pid);
  let peak = before;
  const timer = setInterval(() => (peak = Math.max(peak, residentBytes(pid))), SAMPLE_MS);
  return () => {
    clearInterval(timer);
    return (peak - before) / MB;
  };
}

/** Resident memory of a process, in bytes; NaN on systems without `/proc`, where the growth counts as met. */
function residentBytes(pid: number): number {
  try {
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes) * 1024;
  } catch {
    return Number.NaN;
  }
}
