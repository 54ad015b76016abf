import type { ProgressLog } from './progress.ts';

/** One run of standalone: its home folder, its output, and the signal that requests its end. */
export interface StandaloneRun {
  home: string;
  log: ProgressLog;
  stopping: AbortSignal;
}
