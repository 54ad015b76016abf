import { addMs, earliest } from '../../durations.ts';
import type { EventDraft } from '../../events/event.ts';
import { NO_CHANGE, type PairChange } from '../change.ts';
import { DELIVERY_MS, REROUTE_MS, deliveryRetryMs, isOverdue } from '../deadlines.ts';
import { needsScreening } from '../screening-due.ts';
import type { TransactionRecord } from '../record.ts';
import { failUnmailed } from './mail-outcomes.ts';
import { isPendingOutgoing, moved, ownChange } from './own-change.ts';
import type { SkippedNetwork } from './route.ts';

/** Why no beneficiary VASP was found. */
export interface UnroutedReason {
  /** The entity of the named VASP if it is in the directory, but on no network. */
  entityId: string | null;
  /** Set if labels give the destination to another institution than the tenant that registered it. */
  dispute: AddressDispute | null;
  /** The networks that were tried, and why they do not reach the VASP. */
  skipped: readonly SkippedNetwork[];
}

/** The institution to which labels give an address; its entity in the directory, if it is there. */
export interface AddressDispute {
  entityId: string | null;
}

/**
 * Marks a message whose beneficiary VASP was not found; it is routed again once a day and when routing data changes. A
 * disputed address is logged once, however often the message is routed.
 */
export function markUnrouted(
  record: TransactionRecord,
  now: Date,
  { entityId, dispute, skipped }: UnroutedReason = { entityId: null, dispute: null, skipped: [] },
): PairChange {
  if (!isPendingOutgoing(record) || needsScreening(record)) return NO_CHANGE;
  const failed = failUnmailed(record, { skipped, entityId, now });
  if (failed) return failed;
  const isMarked = record.routingFault === 'VASP_NOT_FOUND' && record.counterpartyEntityId === entityId;
  const disputed = dispute && record.addressDisputedAt === null ? [disputedEvent(record, dispute)] : [];
  if (isMarked && disputed.length === 0) return NO_CHANGE;
  const unrouted: EventDraft[] = isMarked
    ? []
    : [{ type: 'VASP_NOT_FOUND', ...moved(record, 'PENDING'), ...unroutedText(entityId, skipped) }];
  return ownChange(
    record,
    {
      routingFault: 'VASP_NOT_FOUND',
      ...screenedFirst(record, nextRouting(record, now)),
      counterpartyEntityId: entityId,
      addressDisputedAt: disputed.length > 0 ? now : record.addressDisputedAt,
      wakeAt: nextRouting(record, now),
      updatedAt: now,
    },
    [...disputed, ...unrouted],
  );
}

function disputedEvent(record: TransactionRecord, { entityId }: AddressDispute): EventDraft {
  return {
    type: 'ADDRESS_DISPUTED',
    message:
      'Labels give the destination to another institution than the one that registered it, so it does not route the message.',
    ...moved(record, record.status),
    data: { entityId },
  };
}

function unroutedText(
  entityId: string | null,
  skipped: readonly SkippedNetwork[],
): Pick<EventDraft, 'message' | 'data'> {
  if (entityId === null) {
    return {
      message:
        'No beneficiary VASP was found: name it in vaspInfo, or wait until one registers the destination.',
      ...(skipped.length > 0 && { data: { skipped: [...skipped] } }),
    };
  }
  return {
    message: 'The named beneficiary VASP is in the directory, but no network leads to it yet.',
    data: { entityId, skipped: [...skipped] },
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
