/** The outcome of a request to a provider. */
interface RequestOutcome {
  failed: boolean;
  atMs: number;
}

/** State of the circuit breaker of a provider; times in milliseconds. */
export interface Breaker {
  /** The latest outcomes, newest last. */
  outcomes: readonly RequestOutcome[];
  /** Null while the breaker is closed and requests pass. */
  openedAtMs: number | null;
  /** Time of the single request that probes whether the provider works again. */
  probeAtMs: number | null;
}

export const CLOSED: Breaker = { outcomes: [], openedAtMs: null, probeAtMs: null };

const FAILURES = 5;
const FAILURES_WITHIN_MS = 30_000;
const WINDOW = 20;
const WINDOW_FAILURES = WINDOW / 2;
const REST_MS = 30_000;
/** After this time an unfinished probe is ignored, so that a provider is not blocked for ever. */
const PROBE_LIMIT_MS = 60_000;

type BreakerAdmission = { ok: true; breaker: Breaker } | { ok: false; retryAfterMs: number };

/** Whether a request to the provider is allowed now. After 30 s of rest one request is, and its outcome decides. */
export function admit(breaker: Breaker, nowMs: number): BreakerAdmission {
  const { openedAtMs, probeAtMs } = breaker;
  if (openedAtMs === null) return { ok: true, breaker };
  const restMs = openedAtMs + REST_MS - nowMs;
  if (restMs > 0) return { ok: false, retryAfterMs: restMs };
  const probeMs = probeAtMs === null ? 0 : probeAtMs + PROBE_LIMIT_MS - nowMs;
  if (probeMs > 0) return { ok: false, retryAfterMs: Math.min(probeMs, REST_MS) };
  return { ok: true, breaker: { ...breaker, probeAtMs: nowMs } };
}

/**
 * The breaker after an outcome. It opens after 5 failures in 30 s, or when half of the last 20 requests failed; the first
 * success after a rest closes it.
 */
export function afterOutcome(breaker: Breaker, outcome: RequestOutcome): Breaker {
  const { failed, atMs: nowMs } = outcome;
  if (breaker.openedAtMs !== null) {
    return failed ? { ...breaker, openedAtMs: nowMs, probeAtMs: null } : CLOSED;
  }
  const outcomes = [...breaker.outcomes, outcome].slice(-WINDOW);
  const failures = outcomes.filter((each) => each.failed);
  const recent = failures.filter(({ atMs }) => nowMs - atMs <= FAILURES_WITHIN_MS);
  const opens =
    failed &&
    (recent.length >= FAILURES || (outcomes.length === WINDOW && failures.length >= WINDOW_FAILURES));
  return { outcomes, openedAtMs: opens ? nowMs : null, probeAtMs: null };
}
