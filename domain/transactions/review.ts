import { DomainError } from '../errors.ts';
import { basisOfActor, type Actor } from '../events/actor.ts';
import type { EventDraft } from '../events/event.ts';
import { carryOver } from './carry-over.ts';
import type { Decision, RecordChange } from './change.ts';
import { isUndecided } from './due-again.ts';
import { standingOf } from './gate.ts';
import type { TransactionRecord } from './record.ts';
import { isFinal, subStatusOf, type Status } from './state.ts';

export interface Review {
  decision: 'PROCEED' | 'BLOCK';
  reason: string;
}

interface Circumstances {
  actor: Actor;
  now: Date;
}

/**
 * A reviewer's decision on a held record. What is to be sent goes on or is cancelled; what has arrived is confirmed or
 * declined, and the other side learns nothing of why. Throws 409 when nothing is held.
 */
export function reviewTransaction(
  own: TransactionRecord,
  counterpart: TransactionRecord | null,
  review: Review,
  circumstances: Circumstances,
): Decision {
  refuse(own, review);
  const { now } = circumstances;
  const status = statusAfter(own, review);
  const after: TransactionRecord = {
    ...own,
    ...(status === own.status ? standing(own, review, now) : ended(own, status)),
    hold: null,
    gate: 'RELEASED',
    updatedAt: now,
    personal: {
      ...own.personal,
      reviews: [...(own.personal.reviews ?? []), { at: now.toISOString(), ...review }],
    },
  };
  const change: RecordChange = {
    after,
    events: eventsOf(own, status, review, circumstances),
    notify: true,
    poke: true,
  };
  const carried = counterpart && status !== own.status ? carryOver(own, change, counterpart, [], now) : null;
  return { own: change, counterpart: carried, forwarded: null };
}

function refuse(own: TransactionRecord, { decision }: Review): void {
  if (!isOpen(own) || !isHeld(own)) {
    throw new DomainError('invalid_transition', 'This transaction is not held for a review.', {
      members: { allowed: [] },
    });
  }
  if (decision === 'PROCEED' && own.hold !== null && isUndecided(own)) {
    throw new DomainError('conflict', 'It is being screened again: read what was found, then decide.', {
      retryAfterSeconds: 5,
    });
  }
  if (own.sealed && decision === 'PROCEED') {
    throw new DomainError(
      'invalid_transition',
      'Confirm the destination wallet first: until then the transaction can only be declined.',
      { members: { allowed: ['DECLINED'] } },
    );
  }
}

/** What the other side has confirmed, or its own tenant before it was screened, may still be held. */
function isOpen({ status, hold }: TransactionRecord): boolean {
  if (status === 'CONFIRMED') return hold !== null;
  return !isFinal(status) && status !== 'FAILED';
}

/** An arrived message waits for its tenant's decision even where nothing else holds it. */
function isHeld({ hold, subStatus, sealed }: Pick<TransactionRecord, 'hold' | 'subStatus' | 'sealed'>) {
  return hold !== null || subStatus === 'ON_HOLD' || sealed;
}

function statusAfter(own: TransactionRecord, { decision }: Review): Status {
  if (own.status === 'CONFIRMED') return 'CONFIRMED';
  if (own.direction === 'OUTGOING') return decision === 'PROCEED' ? own.status : 'CANCELLED';
  return decision === 'PROCEED' ? 'CONFIRMED' : 'DECLINED';
}

/** A record that keeps its status goes on; one that is confirmed already can only be told to stop. */
function standing(own: TransactionRecord, { decision }: Review, now: Date): Partial<TransactionRecord> {
  if (own.status === 'CONFIRMED') {
    return { subStatus: decision === 'BLOCK' ? 'BLOCKED_BY_RULE' : own.subStatus, wakeAt: null };
  }
  if (own.status === 'DELIVERED') return { subStatus: standingOf(own), wakeAt: own.deadlineAt };
  return { subStatus: 'ROUTING', wakeAt: now };
}

function ended(own: TransactionRecord, status: Status): Partial<TransactionRecord> {
  const neutral = { CANCELLED: 'CANCELLED_BY_SENDER', DECLINED: 'OTHER' } as const;
  return {
    status,
    subStatus: subStatusOf(status, own.transactionHash),
    statusReasonCode:
      status === 'CANCELLED' || status === 'DECLINED' ? neutral[status] : own.statusReasonCode,
    deadlineAt: null,
    wakeAt: null,
  };
}

/** The reason is free text: it stays with the record's personal data. */
function eventsOf(
  own: TransactionRecord,
  status: Status,
  { decision }: Review,
  { actor }: Circumstances,
): EventDraft[] {
  const reviewed: EventDraft = {
    type: 'REVIEWED',
    message: decision === 'PROCEED' ? 'A reviewer let it pass.' : 'A reviewer ended it.',
    actor,
    previousStatus: own.status,
    newStatus: status,
    data: { decision, hold: own.hold },
    basis: basisOfActor(actor),
  };
  return [reviewed];
}
