import type { Actor } from '../../events/actor.ts';
import { DomainError } from '../../errors.ts';
import type { PairChange } from '../change.ts';
import { ANSWER_MS } from '../deadlines.ts';
import type { TransactionRecord } from '../record.ts';
import { addMs } from '../../durations.ts';

/** Routes an unrouted or failed message again, as if it were new. */
export function restartRouting(record: TransactionRecord, now: Date): TransactionRecord {
  return {
    ...withoutAnswers(record.status === 'FAILED' ? withoutReleases(record) : record),
    status: 'PENDING',
    // The log keeps the reason of the failure.
    statusReasonCode: record.status === 'FAILED' ? null : record.statusReasonCode,
    deliveryAttempts: 0,
    deliveryStartedAt: null,
    routingFault: null,
    expiredAt: null,
    ruleWaitUntil: null,
    isScreeningDelayed: false,
    // It belonged to the previous VASP name.
    counterpartyEntityId: null,
    deadlineAt: addMs(now, ANSWER_MS),
    hold: null,
    blockedHold: null,
    screeningState: 'DUE',
    screeningDueSince: now,
    wakeAt: now,
  };
}

/** What decides where a message goes. */
const ROUTE: readonly ((record: TransactionRecord) => string | null | undefined)[] = [
  ({ personal }) => personal.vaspInfo.beneficiaryVaspName,
  ({ personal }) => personal.vaspInfo.beneficiaryVaspEmail,
  ({ personal }) => personal.vaspInfo.beneficiaryTravelAddress,
  ({ blockchain }) => blockchain,
];

/**
 * Whether a change routes an undelivered message anew, now or once it is released: what was offered to a mailbox before was
 * meant for another VASP or another attempt.
 */
export function isRoutedAnew(before: TransactionRecord, after: TransactionRecord): boolean {
  if (before.direction !== 'OUTGOING' || before.pairId !== null || after.pairId !== null) return false;
  if (before.status === 'FAILED' && after.status === 'PENDING') return true;
  return ROUTE.some((fieldOf) => (fieldOf(before) ?? null) !== (fieldOf(after) ?? null));
}

/** Retries a failed message at its tenant's request. Throws 409 when it has not failed. */
export function retryTransaction(
  own: TransactionRecord,
  { actor, now }: { actor: Actor; now: Date },
): PairChange {
  if (own.direction !== 'OUTGOING' || own.status !== 'FAILED') {
    throw new DomainError('invalid_transition', 'Only a transaction that has FAILED can be tried again.', {
      members: { allowed: [] },
    });
  }
  return {
    own: {
      after: { ...restartRouting(own, now), statusReasonCode: null, updatedAt: now },
      events: [
        {
          type: 'RETRIED',
          message: 'The transaction was retried.',
          actor,
          previousStatus: own.status,
          newStatus: 'PENDING',
        },
      ],
      notify: true,
      wakesWorkflow: true,
    },
    counterpart: null,
    forwarded: null,
  };
}

/** Drops earlier releases by a reviewer: they do not count when a failed transaction is retried. */
function withoutReleases(record: TransactionRecord): TransactionRecord {
  const { reviews } = record.personal;
  if (!reviews) return record;
  const voided = reviews.map((review) => ({ ...review, isVoid: true as const }));
  return { ...record, personal: { ...record.personal, reviews: voided } };
}

/** Each mailbox may be tried again, and what an earlier VASP said of the beneficiary does not count for the next. */
function withoutAnswers(record: TransactionRecord): TransactionRecord {
  const { refusedMailboxes: _refused, received: _received, ...personal } = record.personal;
  return { ...record, personal };
}
