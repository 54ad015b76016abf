import { DomainError } from '../../errors.ts';
import { basisOfActor, type Actor } from '../../events/actor.ts';
import type { EventDraft } from '../../events/event.ts';
import { carryOver } from '../exchanging/carry-over.ts';
import type { PairChange, RecordChange } from '../change.ts';
import { needsScreening } from '../screening-due.ts';
import { standingOf } from './apply-verdict.ts';
import type { ReviewEntry, TransactionRecord } from '../record.ts';
import { isFinal, subStatusOf, type Status } from '../state.ts';

export interface ReviewDecision {
  decision: 'PROCEED' | 'BLOCK';
  reason: string;
}

interface ReviewAct {
  actor: Actor;
  now: Date;
  /** Whether two reviewers have to let pass what is held. */
  fourEyes?: boolean;
}

/**
 * A reviewer's decision on a held record. What is to be sent goes on or is cancelled; what has arrived is confirmed or
 * declined, and the other side learns nothing of why. With four eyes the first who lets a held record pass only proposes
 * it; to end it one is enough. Throws 409 when nothing is held, and for somebody who would second themselves.
 */
export function reviewTransaction(
  own: TransactionRecord,
  counterpart: TransactionRecord | null,
  review: ReviewDecision,
  circumstances: ReviewAct,
): PairChange {
  refuse(own, review);
  const proposal = proposalOf(own, review, circumstances);
  if (proposal) return proposed(own, review, proposal, circumstances);
  const { now } = circumstances;
  const status = statusAfter(own, review);
  const after: TransactionRecord = {
    ...own,
    ...(status === own.status ? standing(own, review, now) : ended(own, status)),
    hold: null,
    screeningState: 'REVIEWED',
    updatedAt: now,
    personal: withReview(own, { at: now.toISOString(), ...review }),
  };
  const change: RecordChange = {
    after,
    events: eventsOf(own, status, review, circumstances),
    notify: true,
    wakesWorkflow: true,
  };
  const carried = counterpart && status !== own.status ? carryOver(own, change, counterpart, [], now) : null;
  return { own: change, counterpart: carried, forwarded: null };
}

function refuse(own: TransactionRecord, { decision }: ReviewDecision): void {
  if (!isOpen(own) || !isHeld(own)) {
    throw new DomainError('invalid_transition', 'This transaction is not held for a review.', {
      members: { allowed: [] },
    });
  }
  if (decision === 'PROCEED' && own.hold !== null && needsScreening(own)) {
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

/** What the first reviewer proposes; null where no second one is needed, or this is the second. */
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
  // What was found anew, or is held for something else, nobody has looked at yet.
  if (first?.hold !== hold || first.screeningDueSince !== screeningDueSince)
    return { by, hold, screeningDueSince };
  if (first.by !== by) return null;
  throw new DomainError(
    'conflict',
    'With settings.fourEyes.review somebody else than who proposed it has to let it pass.',
  );
}

function voterOf(actor: Actor): string {
  return 'id' in actor ? `${actor.kind} ${actor.id}` : actor.kind;
}

/** It stays held, and nobody but the log is told. */
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

/** An arrived message waits for its tenant's decision even where nothing else holds it. */
function isHeld({ hold, subStatus, sealed }: Pick<TransactionRecord, 'hold' | 'subStatus' | 'sealed'>) {
  return hold !== null || subStatus === 'ON_HOLD' || sealed;
}

function statusAfter(own: TransactionRecord, { decision }: ReviewDecision): Status {
  if (own.status === 'CONFIRMED') return 'CONFIRMED';
  if (own.direction === 'OUTGOING') return decision === 'PROCEED' ? own.status : 'CANCELLED';
  return decision === 'PROCEED' ? 'CONFIRMED' : 'DECLINED';
}

/** A record that keeps its status goes on; one that is confirmed already can only be told to stop. */
function standing(
  own: TransactionRecord,
  { decision }: ReviewDecision,
  now: Date,
): Partial<TransactionRecord> {
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
