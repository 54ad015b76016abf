import type { Logger } from 'pino';

export interface WorkerLoop {
  stop: () => Promise<void>;
}

interface LoopOptions {
  /** For the log. */
  name: string;
  /** The pause after a round that left nothing to do, in milliseconds. */
  idleMs: number;
  /** The pause after a round that failed, in milliseconds. */
  troubleMs: number;
  log: Logger;
  /** One round; true when there may be more to do. */
  work: () => Promise<boolean>;
}

/** Runs `work` repeatedly: at once while there is more, else after a pause. A failure is logged once until it ends. */
export function startLoop({ name, idleMs, troubleMs, log, work }: LoopOptions): WorkerLoop {
  let stopping = false;
  let wake: (() => void) | undefined;
  let troubled = false;
  const pause = async (ms: number) =>
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const round = async (): Promise<number> => {
    try {
      const more = await work();
      if (troubled) log.info(`${name} works again`);
      troubled = false;
      return more ? 0 : idleMs;
    } catch (error) {
      if (!troubled) log.warn({ reason: reasonOf(error) }, `${name} has failed and will be retried`);
      troubled = true;
      return troubleMs;
    }
  };
  const running = (async () => {
    while (!stopping) {
      const delayMs = await round();
      if (!stopping && delayMs > 0) await pause(delayMs);
    }
  })();
  return {
    async stop() {
      stopping = true;
      wake?.();
      await running;
    },
  };
}

/** The error's name and code for the log; messages of drivers may contain values. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? `${error.name} ${error.code}` : error.name;
}
