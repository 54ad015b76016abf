import type { ProgressLog } from './progress.ts';

/** One run of standalone: its folder, where it tells things, and the sign that it shall end. */
export interface StandaloneRun {
  home: string;
  log: ProgressLog;
  asked: AbortSignal;
}
