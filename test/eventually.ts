import { setTimeout as delay } from 'node:timers/promises';

const LIMIT_MS = 15_000;
const STEP_MS = 20;

/** Asks until the answer fits; fails with the last answer after 15 s. */
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
