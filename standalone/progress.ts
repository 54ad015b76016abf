export type ProgressLog = (line: string) => void;

const FIRST_LINE_MS = 2000;
const NEXT_LINES_MS = 10_000;

/** Waits for a step. Prints a line when it takes over two seconds, again every ten, and when it is done. */
export async function withProgress<T>(log: ProgressLog, step: string, work: Promise<T>): Promise<T> {
  const startedAt = Date.now();
  const seconds = (): string => `${Math.round((Date.now() - startedAt) / 1000)} s`;
  let hasPrinted = false;
  const say = (): void => {
    log(hasPrinted ? `${step}: still running (${seconds()})` : `${step} ...`);
    hasPrinted = true;
    timer = setTimeout(say, NEXT_LINES_MS);
  };
  let timer = setTimeout(say, FIRST_LINE_MS);
  try {
    const result = await work;
    if (hasPrinted) log(`${step}: done (${seconds()})`);
    return result;
  } finally {
    clearTimeout(timer);
  }
}
