import { DomainError } from '../../errors.ts';
import type { Actor } from '../../events/actor.ts';
import { basisOfActor, type EventDraft } from '../../events/event.ts';
import { carryOver } from '../exchanging/carry-over.ts';
import type { PairChange, RecordChange } from '../change.ts';
import { needsScreening } from '../screening-due.ts';
import { deliveredSubStatus } from './apply-verdict.ts';
import type { ReviewEntry, TransactionRecord } from '../record.ts';
import { isFinal, subStatusOf, type Status } from '../state.ts';

export interface ReviewDecision {
  decision: 'PROCEED' | 'BLOCK';
  reason: string;
}

interface ReviewAct {
  actor: Actor;
  now: Date;
  /** Whether two reviewers must agree before a held record passes. */
  fourEyes?: boolean;
}

/**
 * Applies a reviewer's decision to a held record. An outgoing record continues or is cancelled; an incoming one is
 * confirmed or declined, and the other side does not learn the reason. With four eyes, the first PROCEED is only a
 * proposal; one BLOCK is enough. Throws 409 when the record is not held, and when the proposer agrees with themselves.
 */
export function reviewTransaction(
  own: TransactionRecord,
  counterpart: TransactionRecord | null,
  review: ReviewDecision,
  act: ReviewAct,
): PairChange {
  refuse(own, review);
  const proposal = proposalOf(own, review, act);
  if (proposal) return proposed(own, review, proposal, act);
  const { now } = act;
  const status = statusAfter(own, review);
  const after: TransactionRecord = {
    ...own,
    ...(status === own.status ? continued(own, review, now) : ended(own, status)),
    hold: null,
    screeningState: 'REVIEWED',
    updatedAt: now,
    personal: withReview(own, { at: now.toISOString(), ...review }),
  };
  const change: RecordChange = {
    after,
    events: eventsOf(own, status, review, act),
    notify: true,
    wakesWorkflow: true,
  };
  const carried = counterpart && status !== own.status ? carryOver({ own, change, counterpart, now }) : null;
  return { own: change, counterpart: carried, forwarded: null };
}

function refuse(own: TransactionRecord, { decision }: ReviewDecision): void {
  if (!isOpen(own) || !isHeld(own)) {
    throw new DomainError('invalid_transition', 'This transaction is not held for a review.', {
      members: { allowed: [] },
    });
  }
  if (decision === 'PROCEED' && own.hold !== null && needsScreening(own)) {
    throw new DomainError('conflict', 'It is being screened again: read the new findings, then decide.', {
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

/** Whether the record can be reviewed. A confirmed record can be, while it is held. */
function isOpen({ status, hold }: TransactionRecord): boolean {
  if (status === 'CONFIRMED') return hold !== null;
  return !isFinal(status) && status !== 'FAILED';
}

/** The first reviewer's proposal; null if no second reviewer is needed, or this is the second. */
function proposalOf(
  own: TransactionRecord,
  { decision }: ReviewDecision,
  { actor, fourEyes }: ReviewAct,
): NonNullable<ReviewEntry['proposal']> | null {
  const { hold } = own;
  if (!fourEyes || decision === 'BLOCK' || hold === null) return null;
  const by = voterOf(actor);
  const screeningDueSince = own.screeningDueSince?.toISOString() ?? null;
  const first = own.personal.reviews?.at(-1)?.proposal;
  // A proposal made for another hold or an older screening does not count.
  if (first?.hold !== hold || first.screeningDueSince !== screeningDueSince)
    return { by, hold, screeningDueSince };
  if (first.by !== by) return null;
  throw new DomainError(
    'conflict',
    'With settings.fourEyes.review a second reviewer has to agree, not the one who proposed it.',
  );
}

function voterOf(actor: Actor): string {
  return 'id' in actor ? `${actor.kind} ${actor.id}` : actor.kind;
}

/** The record stays held; the proposal is logged, and nobody is notified. */
function proposed(
  own: TransactionRecord,
  review: ReviewDecision,
  proposal: NonNullable<ReviewEntry['proposal']>,
  { actor, now }: ReviewAct,
): PairChange {
  const event: EventDraft = {
    type: 'REVIEW_PROPOSED',
    message: 'A first reviewer would let it pass; a second one has to agree.',
    actor,
    data: { decision: review.decision, hold: own.hold },
    basis: basisOfActor(actor),
  };
  const entry = { at: now.toISOString(), ...review, proposal };
  const after = { ...own, updatedAt: now, personal: withReview(own, entry) };
  return {
    own: { after, events: [event], notify: false, wakesWorkflow: false },
    counterpart: null,
    forwarded: null,
  };
}

function withReview({ personal }: TransactionRecord, entry: ReviewEntry): TransactionRecord['personal'] {
  return { ...personal, reviews: [...(personal.reviews ?? []), entry] };
}

/** Whether the record waits for a review. A received message waits for its tenant's decision even without a hold. */
function isHeld({ hold, subStatus, sealed }: Pick<TransactionRecord, 'hold' | 'subStatus' | 'sealed'>) {
  return hold !== null || subStatus === 'ON_HOLD' || sealed;
}

function statusAfter(own: TransactionRecord, { decision }: ReviewDecision): Status {
  if (own.status === 'CONFIRMED') return 'CONFIRMED';
  if (own.direction === 'OUTGOING') return decision === 'PROCEED' ? own.status : 'CANCELLED';
  return decision === 'PROCEED' ? 'CONFIRMED' : 'DECLINED';
}

/** The fields of a record that keeps its status: it continues, or, if it is already confirmed, it may be blocked. */
function continued(
  own: TransactionRecord,
  { decision }: ReviewDecision,
  now: Date,
): Partial<TransactionRecord> {
  if (own.status === 'CONFIRMED') {
    return { subStatus: decision === 'BLOCK' ? 'BLOCKED_BY_RULE' : own.subStatus, wakeAt: null };
  }
  if (own.status === 'DELIVERED') return { subStatus: deliveredSubStatus(own), wakeAt: own.deadlineAt };
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

/** The events of a review, without its reason: that is free text and stays with the record's personal data. */
function eventsOf(
  own: TransactionRecord,
  status: Status,
  { decision }: ReviewDecision,
  { actor }: ReviewAct,
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
