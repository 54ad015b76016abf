import { addMs, earliest } from '../../durations.ts';
import type { EventDraft } from '../../events/event.ts';
import { NO_CHANGE, type PairChange } from '../change.ts';
import { DELIVERY_MS, REROUTE_MS, deliveryRetryMs, isOverdue } from '../deadlines.ts';
import { needsScreening } from '../screening-due.ts';
import type { TransactionRecord } from '../record.ts';
import { isPendingOutgoing, moved, ownChange } from './own-change.ts';

/**
 * Marks a message whose beneficiary VASP was not found; it is routed again once a day and when routing data changes.
 * `entityId` is set if the named VASP is in the directory but on no network.
 */
export function markUnrouted(
  record: TransactionRecord,
  now: Date,
  entityId: string | null = null,
): PairChange {
  const isMarked = record.routingFault === 'VASP_NOT_FOUND' && record.counterpartyEntityId === entityId;
  if (!isPendingOutgoing(record) || isMarked || needsScreening(record)) return NO_CHANGE;
  return ownChange(
    record,
    {
      routingFault: 'VASP_NOT_FOUND',
      ...screenedFirst(record, nextRouting(record, now)),
      counterpartyEntityId: entityId,
      wakeAt: nextRouting(record, now),
      updatedAt: now,
    },
    { type: 'VASP_NOT_FOUND', ...moved(record, 'PENDING'), ...unroutedText(entityId) },
  );
}

function unroutedText(entityId: string | null): Pick<EventDraft, 'message' | 'data'> {
  if (entityId === null) {
    return {
      message:
        'No beneficiary VASP was found: name it in vaspInfo, or wait until one registers the destination.',
    };
  }
  return {
    message: 'The named beneficiary VASP is in the directory, but no network leads to it yet.',
    data: { entityId },
  };
}

/** Screens before routing again, as lists and counterparty may have changed; a reviewer's clearance stays valid. */
function screenedFirst({ screeningState }: TransactionRecord, at: Date): Partial<TransactionRecord> {
  return screeningState === 'CLEARED' ? { screeningState: 'DUE', screeningDueSince: at } : {};
}

/** The time at which an unrouted message is routed again. */
export function nextRouting(record: TransactionRecord, now: Date): Date {
  const tomorrow = addMs(now, REROUTE_MS);
  return record.deadlineAt ? earliest(tomorrow, record.deadlineAt) : tomorrow;
}

/** Marks a message whose counterparty cannot be reached; delivery is retried for 72 hours from the first attempt on. */
export function markUnreachable(record: TransactionRecord, now: Date): PairChange {
  if (!isPendingOutgoing(record) || needsScreening(record)) return NO_CHANGE;
  const attempts = record.deliveryAttempts + 1;
  const startedAt = record.deliveryStartedAt ?? now;
  // A deadline that passed during the attempt stays passed.
  const over = isOverdue(record, now) ? record.deadlineAt : null;
  const deadlineAt = over ?? addMs(startedAt, DELIVERY_MS);
  return ownChange(
    record,
    {
      routingFault: 'VASP_NOT_REACHABLE',
      deliveryAttempts: attempts,
      deliveryStartedAt: startedAt,
      deadlineAt,
      wakeAt: earliest(addMs(now, deliveryRetryMs(attempts)), deadlineAt),
      updatedAt: now,
    },
    {
      type: 'DELIVERY_FAILED',
      message: 'The beneficiary VASP could not be reached; the delivery is tried again.',
      ...moved(record, 'PENDING'),
      data: { attempt: attempts },
    },
  );
}
