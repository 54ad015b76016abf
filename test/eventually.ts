import { setTimeout as delay } from 'node:timers/promises';

/** Long: a machine that has other work must not fail what would have come. Nobody waits for it who does not fail. */
const LIMIT_MS = 90_000;
const STEP_MS = 20;

/** Asks until the answer fits; fails with the last answer after 90 s. */
export async function eventually<T>(
  ask: () => Promise<T> | T,
  fits: (answer: T) => boolean,
  limitMs = LIMIT_MS,
): Promise<T> {
  const until = Date.now() + limitMs;
  for (;;) {
    const answer = await ask();
    if (fits(answer)) return answer;
    if (Date.now() > until)
      throw new Error(`never came true; last: ${JSON.stringify(answer)?.slice(0, 2_000)}`);
    await delay(STEP_MS);
  }
}
