import { SYSTEM } from '../events/actor.ts';
import type { EventDraft } from '../events/event.ts';
import type { PairChange, RecordChange } from './change.ts';
import { NO_CHANGE } from './change.ts';
import { DELIVERY_MS, REROUTE_MS, deliveryRetryMs, isOverdue } from './deadlines.ts';
import { fiatData, fiatValue, type FiatPrice } from './fiat.ts';
import { markForScreening, needsScreening } from './deciding/screening-due.ts';
import type { TransactionRecord } from './record.ts';
import { isSelfHosted, waitsForOwner } from './self-hosted/self-hosted-wallet.ts';
import { isFinal, type Status } from './state.ts';
import { addMs, earliest } from '../durations.ts';

/** A webhook goes with a change of state only: a further delivery attempt or a fiat value is none. */
function ownChange(
  record: TransactionRecord,
  changes: Partial<TransactionRecord>,
  event: EventDraft,
): PairChange {
  const after = { ...record, ...changes };
  const moves = after.status !== record.status || after.subStatus !== record.subStatus;
  const change: RecordChange = {
    after,
    events: [event],
    notify: moves && record.direction === 'OUTGOING',
    wakesWorkflow: false,
  };
  return { own: change, counterpart: null, forwarded: null };
}

function moved(
  record: TransactionRecord,
  status: Status,
): Pick<EventDraft, 'actor' | 'previousStatus' | 'newStatus'> {
  return { actor: SYSTEM, previousStatus: record.status, newStatus: status };
}

function isPendingOutgoing(record: TransactionRecord): boolean {
  return record.direction === 'OUTGOING' && record.status === 'PENDING';
}

/**
 * Nobody is known to hold the destination; it is tried again once a day and whenever routing data appears. `entityId` is
 * set where the named VASP is known, and only no network leads to it.
 */
export function markUnrouted(
  record: TransactionRecord,
  now: Date,
  entityId: string | null = null,
): PairChange {
  const isMarked = record.subStatus === 'VASP_NOT_FOUND' && record.counterpartyEntityId === entityId;
  if (!isPendingOutgoing(record) || isMarked || needsScreening(record)) return NO_CHANGE;
  return ownChange(
    record,
    {
      subStatus: 'VASP_NOT_FOUND',
      ...screenedFirst(record, nextRouting(record, now)),
      counterpartyEntityId: entityId,
      wakeAt: nextRouting(record, now),
      updatedAt: now,
    },
    { type: 'VASP_NOT_FOUND', ...moved(record, 'PENDING'), ...unroutedNews(entityId) },
  );
}

function unroutedNews(entityId: string | null): Pick<EventDraft, 'message' | 'data'> {
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

/** By the time that it is routed again lists and counterparty may be others; what a reviewer let pass stays so. */
function screenedFirst({ screeningState }: TransactionRecord, at: Date): Partial<TransactionRecord> {
  return screeningState === 'CLEARED' ? { screeningState: 'DUE', screeningDueSince: at } : {};
}

/** When an unrouted message is tried again. */
export function nextRouting(record: TransactionRecord, now: Date): Date {
  const tomorrow = addMs(now, REROUTE_MS);
  return record.deadlineAt ? earliest(tomorrow, record.deadlineAt) : tomorrow;
}

/** A known counterparty that cannot be reached is tried for 72 hours from the first attempt on. */
export function markUnreachable(record: TransactionRecord, now: Date): PairChange {
  if (!isPendingOutgoing(record) || needsScreening(record)) return NO_CHANGE;
  const attempts = record.deliveryAttempts + 1;
  const startedAt = record.deliveryStartedAt ?? now;
  // A deadline that ended during the attempt stays ended.
  const over = isOverdue(record, now) ? record.deadlineAt : null;
  const deadlineAt = over ?? addMs(startedAt, DELIVERY_MS);
  return ownChange(
    record,
    {
      subStatus: 'VASP_NOT_REACHABLE',
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

/** Time is over: a message that arrived may still be answered, one that did not arrive has failed. */
export function expire(record: TransactionRecord, now: Date): PairChange {
  if (!record.deadlineAt || record.deadlineAt > now || isFinal(record.status) || record.status === 'FAILED') {
    return NO_CHANGE;
  }
  const status = record.status === 'DELIVERED' ? 'DELIVERED' : 'FAILED';
  const unreachable = status === 'FAILED' && record.subStatus === 'VASP_NOT_REACHABLE';
  return ownChange(
    record,
    {
      status,
      subStatus: unreachable ? 'VASP_NOT_REACHABLE' : 'EXPIRED',
      statusReasonCode: status === 'FAILED' ? 'EXPIRED' : record.statusReasonCode,
      hold: status === 'FAILED' ? null : record.hold,
      deadlineAt: null,
      wakeAt: null,
      updatedAt: now,
    },
    {
      type: 'EXPIRED',
      message: unreachable
        ? 'The beneficiary VASP could not be reached within 72 hours.'
        : 'There was no answer within 90 days.',
      ...moved(record, status),
      basis: { kind: 'EXPIRY' },
    },
  );
}

/**
 * Fills in the fiat values of a record that was created while the price was unknown. A transfer that waits for its value
 * to be known is decided anew.
 */
export function fillFiatValues(
  record: TransactionRecord,
  price: FiatPrice | undefined,
  now: Date,
): PairChange {
  const value = fiatValue(record.amount, price);
  if (record.amountUsd !== null || record.amountEur !== null || (!value.amountUsd && !value.amountEur))
    return NO_CHANGE;
  const wakeAt = isSelfHosted(record) && waitsForOwner(record) ? now : record.wakeAt;
  const valued = { ...record, ...value, wakeAt, updatedAt: now };
  // Rules that ask for the value have not had it.
  const isDue = isPendingOutgoing(record) && record.screeningState === 'CLEARED';
  return ownChange(record, isDue ? markForScreening(valued, now) : valued, {
    type: 'FIAT_VALUED',
    message: 'The fiat value was filled in.',
    actor: SYSTEM,
    data: fiatData(price),
  });
}
