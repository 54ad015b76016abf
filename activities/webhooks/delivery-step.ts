import type { DeliveryProgress, OutgoingDelivery } from '../../db/webhooks/outgoing-delivery.ts';
import type { DeliveryStatus, GiveUpReason } from '../../domain/webhooks/schema.ts';

interface StepProgress {
  status: DeliveryStatus;
  /** Made so far, over all schedules. */
  attempts: number;
  /** Failed ones of the schedule that holds now. */
  failures: number;
  /** A fixed word. */
  error: string | null;
}

/** What a look at a delivery came to: codes and numbers only, since it stands in the workflow's history. */
export type DeliveryStep =
  /** It has ended, with this attempt or before (DONE). */
  | ({ outcome: 'DELIVERED' | 'GAVE_UP' | 'DONE' } & StepProgress)
  /** Look again after `waitMs`: an attempt failed (RETRY), or none was made yet (WAIT). */
  | ({
      outcome: 'RETRY' | 'WAIT';
      waitingFor: 'NEXT_ATTEMPT' | 'ENDPOINT_TURN';
      waitMs: number;
      nextLookAt: string;
    } & StepProgress)
  /** There is no such delivery. */
  | { outcome: 'MISSING' }
  /** Too many first tries hang in workflow tasks, or the worker stops: to be made as an activity of its own. */
  | { outcome: 'HAND_OVER' };

/** Where a delivery stands after an attempt. */
export function stepAfterAttempt(delivery: DeliveryProgress, now: Date): DeliveryStep {
  const { status } = delivery;
  if (status === 'DELIVERED' || status === 'GAVE_UP') return { outcome: status, ...progressOf(delivery) };
  return waitUntil(delivery, delivery.wakeAt ?? now, now, status === 'FAILED' ? 'RETRY' : 'WAIT');
}

/** What is to be said of a delivery before an attempt; undefined when one may be made. */
export function stepWithoutAttempt(
  delivery: OutgoingDelivery,
  now: Date,
  atOnce: boolean,
): DeliveryStep | GiveUpReason | undefined {
  if (isFinished(delivery)) return { outcome: 'DONE', ...progressOf(delivery) };
  const reason = reasonToGiveUp(delivery);
  if (reason) return reason;
  const isDue = delivery.wakeAt === null || delivery.wakeAt <= now;
  return isDue || atOnce ? undefined : waitUntil(delivery, delivery.wakeAt ?? now, now, 'WAIT');
}

export function waitUntil(
  delivery: DeliveryProgress,
  until: Date,
  now: Date,
  outcome: 'RETRY' | 'WAIT',
): DeliveryStep {
  return {
    outcome,
    ...progressOf(delivery),
    waitingFor: delivery.status === 'FAILED' ? 'NEXT_ATTEMPT' : 'ENDPOINT_TURN',
    waitMs: Math.max(1, until.getTime() - now.getTime()),
    nextLookAt: until.toISOString(),
  };
}

export function gaveUp(delivery: DeliveryProgress, reason: GiveUpReason): DeliveryStep {
  return { outcome: 'GAVE_UP', ...progressOf(delivery), status: 'GAVE_UP', error: reason };
}

function progressOf({ status, attempts, scheduleFrom, lastError }: DeliveryProgress): StepProgress {
  return { status, attempts, failures: attempts - scheduleFrom, error: lastError };
}

function isFinished({ status }: DeliveryProgress): boolean {
  return status === 'DELIVERED' || status === 'GAVE_UP';
}

// A late snapshot must not show what was hidden or deleted since.
function reasonToGiveUp(delivery: OutgoingDelivery): GiveUpReason | undefined {
  if (delivery.webhookUrl === null) return 'NO_ENDPOINT';
  if (delivery.webhookStatus === 'DISABLED') return 'ENDPOINT_DISABLED';
  return delivery.isSuperseded ? 'SUPERSEDED' : undefined;
}
