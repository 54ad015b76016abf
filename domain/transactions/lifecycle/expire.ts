import { NO_CHANGE, type PairChange } from '../change.ts';
import type { TransactionRecord } from '../record.ts';
import { nextDeadline } from '../repair.ts';
import { isFinal } from '../state.ts';
import { moved, ownChange } from './own-change.ts';

/** Expires a record whose deadline has passed. A delivered message can still be answered; an undelivered one fails. */
export function expire(record: TransactionRecord, now: Date): PairChange {
  if (!record.deadlineAt || record.deadlineAt > now || isFinal(record.status) || record.status === 'FAILED') {
    return NO_CHANGE;
  }
  const status = record.status === 'DELIVERED' ? 'DELIVERED' : 'FAILED';
  const unreachable = status === 'FAILED' && record.routingFault === 'VASP_NOT_REACHABLE';
  return ownChange(
    record,
    {
      status,
      expiredAt: now,
      statusReasonCode: status === 'FAILED' ? 'EXPIRED' : record.statusReasonCode,
      // What it was held for stays known: nobody has reviewed it.
      ...(status === 'FAILED' && {
        hold: null,
        blockedHold: record.hold,
        ruleWaitUntil: null,
        isScreeningDelayed: false,
      }),
      deadlineAt: null,
      wakeAt: nextDeadline({ ...record, status, deadlineAt: null }),
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
