import { DAY_MS, HOUR_MS } from '../durations.ts';

/** How long an answer of the counterparty is waited for, from the creation or the delivery on. */
export const ANSWER_MS = 90 * DAY_MS;
/** How long a delivery to a counterparty that cannot be reached is tried. */
export const DELIVERY_MS = 72 * HOUR_MS;
/** How often a message without a known counterparty is routed anew when nothing else happens. */
export const REROUTE_MS = DAY_MS;

const MIN_RETRY_MS = 60_000;

/** Delay before the next delivery attempt: one minute, doubling up to one hour. */
export function deliveryRetryMs(attempts: number): number {
  return Math.min(MIN_RETRY_MS * 2 ** Math.max(0, attempts - 1), HOUR_MS);
}

/** Whether the time that a record had is over. */
export function isOverdue({ deadlineAt }: { deadlineAt: Date | null }, now: Date): boolean {
  return deadlineAt !== null && deadlineAt <= now;
}
