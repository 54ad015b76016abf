import { SYSTEM } from '../../events/actor.ts';
import type { EventDraft } from '../../events/event.ts';
import { addMs } from '../../durations.ts';
import { NO_CHANGE, type PairChange } from '../change.ts';
import { ANSWER_MS, isOverdue } from '../deadlines.ts';
import type { TransactionRecord } from '../record.ts';
import { isPassedUnscreened, markForScreening } from '../screening-due.ts';
import { isPendingOutgoing, ownChange } from './own-change.ts';
import { nextRouting } from './routing-outcomes.ts';

/** Lets an unsent message wait for the end of a brake. It looks for itself once a day. */
export function pause(record: TransactionRecord, brakeId: string, now: Date): PairChange {
  if (!isPendingOutgoing(record) || record.pausedBy === brakeId) return NO_CHANGE;
  const delivery = deliveredAnew(record, now);
  const wakeAt = nextRouting({ ...record, ...delivery }, now);
  return ownChange(record, { ...delivery, pausedBy: brakeId, wakeAt, updatedAt: now }, pausedEvent(brakeId));
}

/**
 * Nothing is tried under a brake, so the 72 hours of a counterparty that could not be reached begin anew after it. The message ends
 * 90 days after its creation as ever; one that was tried again later, 90 days after that.
 */
function deliveredAnew(record: TransactionRecord, now: Date): Partial<TransactionRecord> {
  const { createdAt, deliveryStartedAt } = record;
  if (deliveryStartedAt === null || isOverdue(record, now)) return {};
  const sinceCreation = addMs(createdAt, ANSWER_MS);
  const deadlineAt = sinceCreation > now ? sinceCreation : addMs(deliveryStartedAt, ANSWER_MS);
  return { deliveryAttempts: 0, deliveryStartedAt: null, routingFault: null, deadlineAt };
}

/** The new record of a tenant that sends nothing now. It is screened meanwhile. */
export function pausedFromStart(record: TransactionRecord, brakeId: string | null): TransactionRecord {
  return record.direction === 'OUTGOING' && brakeId !== null ? { ...record, pausedBy: brakeId } : record;
}

export function pausedEvent(brakeId: string): EventDraft {
  return {
    type: 'PAUSED',
    message: 'Waits for the end of a brake.',
    actor: SYSTEM,
    previousStatus: 'PENDING',
    newStatus: 'PENDING',
    data: { brakeId },
  };
}

/**
 * Takes a message up again that waited for the end of this brake. One that a reviewer had let pass without a screening is screened:
 * that counted for its next step, not for one that came after the brake.
 */
export function resume(record: TransactionRecord, brakeId: string, now: Date): PairChange {
  if (record.pausedBy !== brakeId) return NO_CHANGE;
  const isOpen = isPendingOutgoing(record);
  const screened = isOpen && isPassedUnscreened(record) ? markForScreening(record, now) : record;
  const { own, ...rest } = ownChange(
    screened,
    { pausedBy: null, ...(isOpen && record.hold === null && { wakeAt: now }), updatedAt: now },
    {
      type: 'RESUMED',
      message: 'The brake has ended; the transaction goes on.',
      actor: SYSTEM,
      previousStatus: record.status,
      newStatus: record.status,
      data: { brakeId },
    },
  );
  return { ...rest, own: own && { ...own, wakesWorkflow: isOpen } };
}
