/** How a request that failed is sent again. */
export interface RetryPolicy {
  /** How often at most. */
  retries: number;
  /** The wait before the first retry, in milliseconds; it doubles with each one. */
  baseMs: number;
  /** The longest wait between two attempts, in milliseconds. */
  capMs: number;
  /** The longest `Retry-After` that is waited for, in milliseconds. With a longer one the problem is thrown at once. */
  maxRetryAfterMs: number;
}

export const DEFAULT_RETRY: RetryPolicy = {
  retries: 4,
  baseMs: 250,
  capMs: 10_000,
  maxRetryAfterMs: 60_000,
};

/**
 * The wait before retry number `retry` (from 1), in milliseconds: between half and the whole of a doubling step, at random,
 * and never shorter than the API asks. Undefined when there is none to be made.
 */
export function waitBefore(
  retry: number,
  policy: RetryPolicy,
  retryAfterMs: number | undefined,
): number | undefined {
  if (retry > policy.retries || (retryAfterMs ?? 0) > policy.maxRetryAfterMs) return undefined;
  const step = Math.min(policy.capMs, policy.baseMs * 2 ** (retry - 1));
  const jittered = (step * (1 + Math.random())) / 2;
  // Clients that were refused together must not come back together.
  return retryAfterMs === undefined ? jittered : retryAfterMs + jittered / 4;
}

/** The milliseconds that a `Retry-After` header asks for: seconds or an HTTP date. Undefined without a readable one. */
export function readRetryAfter(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}
