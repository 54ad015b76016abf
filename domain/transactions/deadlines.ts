import { DAY_MS, HOUR_MS } from '../durations.ts';

/** Time that the counterparty has to answer, from the creation or the delivery on. */
export const ANSWER_MS = 90 * DAY_MS;
/** Time during which delivery to an unreachable counterparty is retried. */
export const DELIVERY_MS = 72 * HOUR_MS;
/** Interval after which a message without a known counterparty is routed again. */
export const REROUTE_MS = DAY_MS;

const MIN_RETRY_MS = 60_000;

/** Delay before the next delivery attempt: one minute, doubling up to one hour. */
export function deliveryRetryMs(attempts: number): number {
  return Math.min(MIN_RETRY_MS * 2 ** Math.max(0, attempts - 1), HOUR_MS);
}

/** Whether the record's deadline has passed. */
export function isOverdue({ deadlineAt }: { deadlineAt: Date | null }, now: Date): boolean {
  return deadlineAt !== null && deadlineAt <= now;
}
