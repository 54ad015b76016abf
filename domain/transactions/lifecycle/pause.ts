import { SYSTEM } from '../../events/actor.ts';
import type { EventDraft } from '../../events/event.ts';
import { NO_CHANGE, type PairChange } from '../change.ts';
import type { TransactionRecord } from '../record.ts';
import { isPendingOutgoing, ownChange } from './own-change.ts';
import { nextRouting } from './routing-outcomes.ts';

/** Lets an unsent message wait for the end of a brake. It looks for itself once a day. */
export function pause(record: TransactionRecord, brakeId: string, now: Date): PairChange {
  if (!isPendingOutgoing(record) || record.pausedBy === brakeId) return NO_CHANGE;
  const changes = { pausedBy: brakeId, wakeAt: nextRouting(record, now), updatedAt: now };
  return ownChange(record, changes, pausedEvent(brakeId));
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

/** Takes a message up again that waited for the end of this brake. */
export function resume(record: TransactionRecord, brakeId: string, now: Date): PairChange {
  if (record.pausedBy !== brakeId) return NO_CHANGE;
  const isOpen = isPendingOutgoing(record);
  const { own, ...rest } = ownChange(
    record,
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
