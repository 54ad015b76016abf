import type { Actor } from '../../events/actor.ts';
import { DomainError } from '../../errors.ts';
import type { PairChange } from '../change.ts';
import { ANSWER_MS } from '../deadlines.ts';
import type { TransactionRecord } from '../record.ts';
import { addMs } from '../../durations.ts';

/** Routes an unrouted or failed message again, as if it were new. */
export function restartRouting(record: TransactionRecord, now: Date): TransactionRecord {
  return {
    ...(record.status === 'FAILED' ? withoutReleases(record) : record),
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
    screeningState: 'DUE',
    screeningDueSince: now,
    wakeAt: now,
  };
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

/** What a reviewer has released before does not count for a failed transaction that is tried again. */
function withoutReleases(record: TransactionRecord): TransactionRecord {
  const { reviews } = record.personal;
  if (!reviews) return record;
  const voided = reviews.map((review) => ({ ...review, isVoid: true as const }));
  return { ...record, personal: { ...record.personal, reviews: voided } };
}
