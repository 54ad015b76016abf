const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Delay after the first, second … failed attempt in milliseconds, before jitter: 75.7 hours in total. */
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

/** Share of a step by which a delay varies, so that deliveries that failed together are not retried together. */
const JITTER = 0.2;

/** Total number of attempts, including the first. */
export const MAX_ATTEMPTS = STEPS_MS.length + 1;

/**
 * Milliseconds to wait after the failed attempt of this number (1 is the first); null after the last. `random` is in
 * [0, 1). It is the larger of the step and Retry-After, of which at most 24 hours count: a receiver can neither speed up
 * the schedule nor stretch it over weeks.
 */
export function nextDelayMs(attempt: number, random: number, retryAfterMs?: number | null): number | null {
  const step = STEPS_MS[attempt - 1];
  if (step === undefined) return null;
  const stepMs = Math.round(step * (1 + JITTER * (2 * random - 1)));
  return Math.max(stepMs, Math.min(retryAfterMs ?? 0, 24 * HOUR));
}
