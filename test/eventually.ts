import { setTimeout as delay } from 'node:timers/promises';
import { WorkflowNotFoundError } from '@temporalio/client';

/** Long: a machine that has other work must not fail what would have come. Nobody waits for it who does not fail. */
const LIMIT_MS = 90_000;
const STEP_MS = 20;
const NOT_STARTED = Symbol('not started');

/**
 * Asks until the answer fits; fails with the last answer after 90 s. A workflow that is not there yet is no answer: the
 * outbox starts it shortly after the request that asked for it.
 */
export async function eventually<T>(
  ask: () => Promise<T> | T,
  fits: (answer: T) => boolean,
  limitMs = LIMIT_MS,
): Promise<T> {
  const until = Date.now() + limitMs;
  for (;;) {
    const answer = await answerOf(ask);
    if (answer !== NOT_STARTED && fits(answer)) return answer;
    if (Date.now() > until)
      throw new Error(
        `never came true; last: ${(typeof answer === 'symbol' ? 'no such workflow' : JSON.stringify(answer))?.slice(0, 2_000)}`,
      );
    await delay(STEP_MS);
  }
}

async function answerOf<T>(ask: () => Promise<T> | T): Promise<T | typeof NOT_STARTED> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return NOT_STARTED;
    throw error;
  }
}
