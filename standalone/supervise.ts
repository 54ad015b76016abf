import { setTimeout as delay } from 'node:timers/promises';
import type { StandaloneRun } from './run.ts';
import type { ServerProcess } from './server-process.ts';

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5000;
const GOOD_RUN_MS = 30_000;

export interface SupervisedProcess<T> {
  /** The process that runs now. */
  current: () => T;
  stop: () => Promise<void>;
}

/**
 * Starts a process and restarts it whenever it ends unexpectedly, after a pause that grows from 0.2 to 5 s. Rejects when the
 * first start fails, since a retry would not help. Once the run is requested to end, nothing is started any more.
 */
export async function keepRunning<T extends ServerProcess>(
  name: string,
  start: () => Promise<T>,
  { log, stopping }: Pick<StandaloneRun, 'log' | 'stopping'>,
): Promise<SupervisedProcess<T>> {
  stopping.throwIfAborted();
  const own = new AbortController();
  const over = AbortSignal.any([own.signal, stopping]);
  let current = await start();
  let startedAt = Date.now();
  let pauseMs = FIRST_PAUSE_MS;

  const startAgain = async (why: string): Promise<void> => {
    if (Date.now() - startedAt > GOOD_RUN_MS) pauseMs = FIRST_PAUSE_MS;
    log(`${name} ended unexpectedly (${why}); restarting it in ${pauseMs / 1000} s`);
    await delay(pauseMs, undefined, { signal: over });
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    startedAt = Date.now();
    current = await start();
    if (over.aborted) return current.stop();
    log(`${name} is running again`);
    watch();
  };
  const again = (why: string): void => {
    if (over.aborted) return;
    startAgain(why).catch((error: unknown) => {
      again(error instanceof Error ? error.message : 'unknown fault');
    });
  };
  const watch = (): void => current.onCrash(again);

  watch();
  return {
    current: () => current,
    stop: async () => {
      own.abort();
      await current.stop();
    },
  };
}
