const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** What is waited after the first, second… failed attempt, in milliseconds, before jitter: 75.7 hours in all. */
const STEPS_MS: readonly number[] = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** Share of a step by which a delay may be shorter or longer, so that deliveries that failed together part. */
const JITTER = 0.2;

/** Attempts in all, the first of which is made at once. */
export const MAX_ATTEMPTS = STEPS_MS.length + 1;

/**
 * Milliseconds to wait after the failed attempt of this number (1 is the first), or null when it was the last.
 * `random` is in [0, 1). A Retry-After is obeyed between one and two times the step, later by at most a fifth of
 * it but never past two steps: a receiver can neither hurry the schedule nor stretch it over weeks.
 */
export function nextDelayMs(attempt: number, random: number, retryAfterMs?: number | null): number | null {
  const step = STEPS_MS[attempt - 1];
  if (step === undefined) return null;
  if (retryAfterMs === undefined || retryAfterMs === null) {
    return Math.round(step * (1 + JITTER * (2 * random - 1)));
  }
  const asked = Math.min(Math.max(retryAfterMs, step), 2 * step);
  return Math.round(Math.min(asked * (1 + JITTER * random), 2 * step));
}
