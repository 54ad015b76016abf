import { setTimeout as delay } from 'node:timers/promises';
import { WorkflowNotFoundError } from '@temporalio/client';

/** Long: a machine that has other work must not fail what would have come. Nobody waits for it who does not fail. */
const LIMIT_MS = 90_000;
const STEP_MS = 20;
/** What takes long is asked for less and less often: each question costs CPU time that others wait for. */
const LONGEST_STEP_MS = 200;
const STEP_PER_WAITED = 0.1;
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
  const startedAt = Date.now();
  for (;;) {
    const answer = await answerOf(ask);
    if (answer !== NOT_STARTED && fits(answer)) return answer;
    const waitedMs = Date.now() - startedAt;
    if (waitedMs > limitMs)
      throw new Error(
        `never came true; last: ${(typeof answer === 'symbol' ? 'no such workflow' : JSON.stringify(answer))?.slice(0, 2_000)}`,
      );
    await delay(Math.min(Math.max(STEP_MS, waitedMs * STEP_PER_WAITED), LONGEST_STEP_MS));
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
