/** What is remembered of a provider's last answers; times in milliseconds. */
export interface Breaker {
  /** The newest last. */
  outcomes: readonly { failed: boolean; atMs: number }[];
  /** Null while requests go through. */
  openedAtMs: number | null;
  /** The one request that tries whether the provider is back. */
  probeAtMs: number | null;
}

export const CLOSED: Breaker = { outcomes: [], openedAtMs: null, probeAtMs: null };

const FAILURES = 5;
const FAILURES_WITHIN_MS = 30_000;
const WINDOW = 20;
const WINDOW_FAILURES = WINDOW / 2;
const REST_MS = 30_000;
/** A probe that never ended is forgotten, so that a provider is not shut out for ever. */
const PROBE_LIMIT_MS = 60_000;

type BreakerAdmission = { ok: true; breaker: Breaker } | { ok: false; retryAfterMs: number };

/** Whether a request may go to the provider now; after 30 s of rest one may, and its outcome decides. */
export function admit(breaker: Breaker, nowMs: number): BreakerAdmission {
  const { openedAtMs, probeAtMs } = breaker;
  if (openedAtMs === null) return { ok: true, breaker };
  const restMs = openedAtMs + REST_MS - nowMs;
  if (restMs > 0) return { ok: false, retryAfterMs: restMs };
  const probeMs = probeAtMs === null ? 0 : probeAtMs + PROBE_LIMIT_MS - nowMs;
  if (probeMs > 0) return { ok: false, retryAfterMs: Math.min(probeMs, REST_MS) };
  return { ok: true, breaker: { ...breaker, probeAtMs: nowMs } };
}

/** Opens after 5 failures in 30 s, or when half of the last 20 failed; any answer after a rest closes it. */
export function afterOutcome(breaker: Breaker, failed: boolean, nowMs: number): Breaker {
  if (breaker.openedAtMs !== null) {
    return failed ? { ...breaker, openedAtMs: nowMs, probeAtMs: null } : CLOSED;
  }
  const outcomes = [...breaker.outcomes, { failed, atMs: nowMs }].slice(-WINDOW);
  const failures = outcomes.filter((outcome) => outcome.failed);
  const recent = failures.filter(({ atMs }) => nowMs - atMs <= FAILURES_WITHIN_MS);
  const opens =
    failed &&
    (recent.length >= FAILURES || (outcomes.length === WINDOW && failures.length >= WINDOW_FAILURES));
  return { outcomes, openedAtMs: opens ? nowMs : null, probeAtMs: null };
}
