import { SYSTEM } from '../events/actor.ts';
import type { EventDraft } from '../events/event.ts';
import type { Decision, RecordChange } from './change.ts';
import { NO_CHANGE } from './change.ts';
import { DELIVERY_MS, REROUTE_MS, after, deliveryRetryMs, earlier, isOverdue } from './deadlines.ts';
import { compareDecimals } from '../decimal.ts';
import { fiatData, fiatValue, type Price } from './fiat.ts';
import type { TransactionRecord } from './record.ts';
import { isFinal, type Status } from './state.ts';

/** A webhook goes with a change of state only: a further delivery attempt or a fiat value is none. */
function ownChange(
  record: TransactionRecord,
  changes: Partial<TransactionRecord>,
  event: EventDraft,
): Decision {
  const after = { ...record, ...changes };
  const moves = after.status !== record.status || after.subStatus !== record.subStatus;
  const change: RecordChange = {
    after,
    events: [event],
    notify: moves && record.direction === 'OUTGOING',
    poke: false,
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

/** Nobody is known to hold the destination; it is tried again once a day and whenever routing data appears. */
export function markUnrouted(record: TransactionRecord, now: Date): Decision {
  if (!isPendingOutgoing(record) || record.subStatus === 'VASP_NOT_FOUND') return NO_CHANGE;
  return ownChange(
    record,
    { subStatus: 'VASP_NOT_FOUND', wakeAt: nextRouting(record, now), updatedAt: now },
    {
      type: 'VASP_NOT_FOUND',
      message:
        'No beneficiary VASP was found: name it in vaspInfo, or wait until one registers the destination.',
      ...moved(record, 'PENDING'),
    },
  );
}

/** When an unrouted message is tried again. */
export function nextRouting(record: TransactionRecord, now: Date): Date {
  const tomorrow = after(now, REROUTE_MS);
  return record.deadlineAt ? earlier(tomorrow, record.deadlineAt) : tomorrow;
}

/** A known counterparty that cannot be reached is tried for 72 hours from the first attempt on. */
export function markUnreachable(record: TransactionRecord, now: Date): Decision {
  if (!isPendingOutgoing(record)) return NO_CHANGE;
  const attempts = record.deliveryAttempts + 1;
  const startedAt = record.deliveryStartedAt ?? now;
  // A deadline that ended during the attempt stays ended.
  const over = isOverdue(record, now) ? record.deadlineAt : null;
  const deadlineAt = over ?? after(startedAt, DELIVERY_MS);
  return ownChange(
    record,
    {
      subStatus: 'VASP_NOT_REACHABLE',
      deliveryAttempts: attempts,
      deliveryStartedAt: startedAt,
      deadlineAt,
      wakeAt: earlier(after(now, deliveryRetryMs(attempts)), deadlineAt),
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
export function expire(record: TransactionRecord, now: Date): Decision {
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

interface SelfHostedSettings {
  autoConfirm: boolean;
  /** No automatic confirmation above this value; null: no limit. */
  thresholdEur: string | null;
}

/** A self-hosted destination has no counterparty: confirmed by the tenant's setting, else until a proof is given. */
export function confirmSelfHosted(
  record: TransactionRecord,
  settings: SelfHostedSettings,
  now: Date,
): Decision {
  if (!isPendingOutgoing(record) || record.destinationType !== 'NON_CUSTODIAL') return NO_CHANGE;
  if (mayConfirm(record, settings)) {
    return ownChange(
      record,
      {
        status: 'CONFIRMED',
        subStatus: null,
        deadlineAt: null,
        wakeAt: null,
        updatedAt: now,
      },
      {
        type: 'STATUS_CHANGED',
        message: 'Confirmed: transfers to self-hosted wallets need no proof here.',
        ...moved(record, 'CONFIRMED'),
        basis: { kind: 'AUTO_SELF_HOSTED' },
      },
    );
  }
  if (record.subStatus === 'OWNERSHIP_UNCONFIRMED') return NO_CHANGE;
  return ownChange(
    record,
    { subStatus: 'OWNERSHIP_UNCONFIRMED', wakeAt: record.deadlineAt, updatedAt: now },
    {
      type: 'OWNERSHIP_UNCONFIRMED',
      message: 'The owner of the self-hosted wallet has not proven that it is theirs.',
      ...moved(record, 'PENDING'),
    },
  );
}

/** Above the threshold, or with the value unknown, nothing is confirmed without a proof. */
function mayConfirm(record: TransactionRecord, { autoConfirm, thresholdEur }: SelfHostedSettings): boolean {
  if (!autoConfirm) return false;
  if (thresholdEur === null) return true;
  return record.amountEur !== null && compareDecimals(record.amountEur, thresholdEur) <= 0;
}

/** Fills in the fiat values of a record that was created while the price was unknown. */
export function fillFiatValues(record: TransactionRecord, price: Price | undefined, now: Date): Decision {
  const value = fiatValue(record.amount, price);
  if (record.amountUsd !== null || record.amountEur !== null || (!value.amountUsd && !value.amountEur))
    return NO_CHANGE;
  return ownChange(
    record,
    { ...value, updatedAt: now },
    { type: 'FIAT_VALUED', message: 'The fiat value was filled in.', actor: SYSTEM, data: fiatData(price) },
  );
}

/** The receiver's wallet was confirmed: the personal data of what was sent to it becomes visible. */
export function release(record: TransactionRecord, walletId: number, now: Date): RecordChange | null {
  if (!record.sealed) return null;
  return {
    after: {
      ...record,
      sealed: false,
      subStatus: record.status === 'DELIVERED' ? 'ON_HOLD' : record.subStatus,
      isDestinationConfirmed: true,
      destinationWalletId: walletId,
      updatedAt: now,
    },
    events: [
      {
        type: 'RELEASED',
        message: 'The destination wallet was confirmed; the personal data is visible now.',
        actor: SYSTEM,
        data: { walletId },
      },
    ],
    notify: true,
    poke: false,
  };
}
