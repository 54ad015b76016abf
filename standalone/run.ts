import type { Log } from './progress.ts';

/** One run of standalone: its folder, where it tells things, and the sign that it shall end. */
export interface Run {
  home: string;
  log: Log;
  asked: AbortSignal;
}
