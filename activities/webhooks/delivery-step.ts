import type { DeliveryProgress, OutgoingDelivery } from '../../db/webhooks/outgoing-delivery.ts';
import type { DeliveryStatus, GiveUpReason } from '../../domain/webhooks/schema.ts';

interface StepProgress {
  status: DeliveryStatus;
  /** Attempts made so far, over all schedules. */
  attempts: number;
  /** Failed attempts of the current schedule. */
  failures: number;
  /** A fixed code. */
  error: string | null;
}

interface DeliveryWait extends StepProgress {
  outcome: 'RETRY' | 'WAIT';
  waitingFor: 'NEXT_ATTEMPT' | 'ENDPOINT_TURN' | 'RUNNING_ATTEMPT';
  waitMs: number;
  nextLookAt: string;
}

/** The result of one activity call: codes and numbers only, since it is part of the workflow's history. */
export type DeliveryStep =
  /** The delivery has ended, with this attempt or before; DONE also where its tenant is suspended or a brake is on. */
  | ({ outcome: 'DELIVERED' | 'GAVE_UP' | 'DONE' } & StepProgress)
  /** Call again after `waitMs`: an attempt failed (RETRY), or none was made yet (WAIT). */
  | DeliveryWait
  /** There is no such delivery. */
  | { outcome: 'MISSING' }
  /** Too many first attempts hang in workflow tasks, or the worker stops: make the attempt as a regular activity. */
  | { outcome: 'HAND_OVER' };

/** A step with the id of the record that the webhook is about, by which operators find it. */
export type DeliveryStepOf = DeliveryStep & { resourceId?: string };

/** The step after an attempt. */
export function stepAfterAttempt(delivery: DeliveryProgress, now: Date): DeliveryStep {
  const { status } = delivery;
  if (status === 'DELIVERED' || status === 'GAVE_UP') return { outcome: status, ...progressOf(delivery) };
  return waitUntil(delivery, delivery.wakeAt ?? now, now, status === 'FAILED' ? 'RETRY' : 'WAIT');
}

/** The step or the reason to give up before an attempt; undefined when one may be made. */
export function stepWithoutAttempt(
  delivery: OutgoingDelivery,
  { now, atOnce }: { now: Date; atOnce: boolean },
): DeliveryStep | GiveUpReason | undefined {
  if (isFinished(delivery)) return { outcome: 'DONE', ...progressOf(delivery) };
  // A resume starts the workflow again.
  if (delivery.isSuspended) return { outcome: 'DONE', ...progressOf(delivery), error: 'TENANT_SUSPENDED' };
  // So does the end of the brake.
  if (delivery.isHeldBack) return { outcome: 'DONE', ...progressOf(delivery), error: 'PAUSED' };
  const reason = reasonToGiveUp(delivery);
  if (reason) return reason;
  const isDue = delivery.wakeAt === null || delivery.wakeAt <= now;
  return isDue || atOnce ? undefined : waitUntil(delivery, delivery.wakeAt ?? now, now, 'WAIT');
}

/** The step that waits until the given time. */
export function waitUntil(
  delivery: DeliveryProgress,
  until: Date,
  now: Date,
  outcome: 'RETRY' | 'WAIT',
): DeliveryWait {
  return {
    outcome,
    ...progressOf(delivery),
    waitingFor: delivery.status === 'FAILED' ? 'NEXT_ATTEMPT' : 'ENDPOINT_TURN',
    waitMs: Math.max(1, until.getTime() - now.getTime()),
    nextLookAt: until.toISOString(),
  };
}

/** Whether a delivery that was not leased is leased by somebody else, by the worker's clock. */
export function isLeasedByOther(delivery: OutgoingDelivery, now: Date): boolean {
  return !isFinished(delivery) && delivery.leasedUntil !== null && delivery.leasedUntil > now;
}

/**
 * Long enough for the one who has leased the delivery a moment ago. The clocks of worker and database differ a little:
 * without a minimum, a lease that is over for one could be looked at again and again for the other.
 */
const LEASE_UNSEEN_MS = 1_000;

/** The step of a delivery whose attempt is being made by somebody else. */
export function untilLeaseEnds(delivery: OutgoingDelivery, now: Date): DeliveryStep {
  const soonest = now.getTime() + LEASE_UNSEEN_MS;
  const until = new Date(Math.max(soonest, delivery.leasedUntil?.getTime() ?? 0));
  return { ...waitUntil(delivery, until, now, 'WAIT'), waitingFor: 'RUNNING_ATTEMPT' };
}

/** The step of a delivery that was given up without an attempt. */
export function gaveUp(delivery: DeliveryProgress, reason: GiveUpReason): DeliveryStep {
  return { outcome: 'GAVE_UP', ...progressOf(delivery), status: 'GAVE_UP', error: reason };
}

function progressOf({ status, attempts, scheduleFrom, lastError }: DeliveryProgress): StepProgress {
  return { status, attempts, failures: attempts - scheduleFrom, error: lastError };
}

function isFinished({ status }: DeliveryProgress): boolean {
  return status === 'DELIVERED' || status === 'GAVE_UP';
}

// A late snapshot must not show data that was hidden or deleted since.
function reasonToGiveUp(delivery: OutgoingDelivery): GiveUpReason | undefined {
  if (delivery.webhookUrl === null) return 'NO_ENDPOINT';
  if (delivery.webhookStatus === 'DISABLED') return 'ENDPOINT_DISABLED';
  return delivery.isSuperseded ? 'SUPERSEDED' : undefined;
}
