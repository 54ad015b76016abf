import { DomainError } from '../../errors.ts';
import type { Actor } from '../../events/actor.ts';
import { basisOfActor, type EventDraft } from '../../events/event.ts';
import { withOwedAnswer } from '../exchanging/answer-owed.ts';
import { carryOver } from '../exchanging/carry-over.ts';
import type { PairChange, RecordChange } from '../change.ts';
import { awaitsScreening, screeningPending } from '../screening-due.ts';
import type { ReviewEntry, TransactionRecord } from '../record.ts';
import { lacksProof, waitsForOwner } from '../self-hosted/self-hosted-wallet.ts';
import { isFinal, lacksDestination, type ScreeningState, type Status } from '../state.ts';

export interface ReviewDecision {
  decision: 'PROCEED' | 'BLOCK';
  reason: string;
  /** The version of the transaction that the reviewer read. */
  version?: number | undefined;
}

interface ReviewAct {
  actor: Actor;
  now: Date;
  /** Whether two reviewers must agree before a held record passes. */
  fourEyes?: boolean;
}

/**
 * Applies a reviewer's decision to a record that waits for one. An outgoing record continues or is cancelled, one that
 * waits for a proof of its wallet is confirmed; an incoming one is confirmed or declined. The other side does not learn
 * the reason. With four eyes, the first PROCEED with a hold or a missing proof is only a proposal; one BLOCK is enough.
 * Throws 409 when the record waits for no review, and when the proposer agrees with themselves.
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
    ...(review.decision === 'BLOCK' ? stopped(own, status) : proceeded(own, status, now)),
    hold: null,
    ruleWaitUntil: null,
    isScreeningDelayed: false,
    screeningState: screeningAfter(own),
    updatedAt: now,
    personal: withReview(own, entryOf(own, review, now)),
  };
  const change: RecordChange = {
    after,
    events: eventsOf(own, status, review, act),
    notify: true,
    wakesWorkflow: true,
  };
  const carried = counterpart && status !== own.status ? carryOver({ own, change, counterpart, now }) : null;
  return withOwedAnswer({ own: change, counterpart: carried, forwarded: null }, counterpart, now);
}

function refuse(own: TransactionRecord, { decision, version }: ReviewDecision): void {
  if (!isReviewable(own)) {
    throw new DomainError('invalid_transition', 'This transaction does not wait for a review.', {
      members: { allowed: [] },
    });
  }
  if (version !== undefined && version !== own.version) throw changedSinceRead(version, own);
  if (lacksDestination(own) && decision === 'PROCEED') {
    throw new DomainError(
      'invalid_transition',
      'Confirm the destination wallet first: until then the transaction can only be declined.',
      { members: { allowed: ['DECLINED'] } },
    );
  }
  if (decision === 'PROCEED' && awaitsScreening(own)) throw screeningPending();
}

/** What was found, or changed, since the reviewer read the transaction may ask for another decision. */
function changedSinceRead(read: number, { version }: TransactionRecord): DomainError {
  return new DomainError(
    'conflict',
    `The transaction has version ${version}, the review is of version ${read}: read it and its screening again, then decide.`,
  );
}

/** The first reviewer's proposal; null if no second reviewer is needed, or this is the second. */
function proposalOf(
  own: TransactionRecord,
  { decision }: ReviewDecision,
  { actor, fourEyes }: ReviewAct,
): NonNullable<ReviewEntry['proposal']> | null {
  const isDoubtful = own.hold !== null || lacksProof(own) || own.ruleWaitUntil !== null;
  const needsTwo = fourEyes === true && isDoubtful;
  if (!needsTwo || decision === 'BLOCK') return null;
  const by = voterOf(actor);
  const screeningDueSince = own.screeningDueSince?.toISOString() ?? null;
  const last = own.personal.reviews?.at(-1);
  const first = last?.proposal;
  // A change or a screening since the proposal made another version; one that is due again gives no version yet.
  const isSameCase =
    last?.recordVersion === own.version - 1 && first?.screeningDueSince === screeningDueSince;
  if (!first || !isSameCase) return { by, screeningDueSince };
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
  const entry = { ...entryOf(own, review, now), proposal };
  const after = { ...own, updatedAt: now, personal: withReview(own, entry) };
  return {
    own: { after, events: [event], notify: false, wakesWorkflow: false },
    counterpart: null,
    forwarded: null,
  };
}

function entryOf({ version, hold }: TransactionRecord, review: ReviewDecision, now: Date): ReviewEntry {
  return { at: now.toISOString(), ...review, recordVersion: version, hold };
}

function withReview({ personal }: TransactionRecord, entry: ReviewEntry): TransactionRecord['personal'] {
  return { ...personal, reviews: [...(personal.reviews ?? []), entry] };
}

/**
 * Whether the record waits for a reviewer: it is held, it is an undecided incoming one, which waits for its tenant, or
 * it waits for a proof that a reviewer may do without.
 */
function isReviewable(own: TransactionRecord): boolean {
  if (own.hold !== null) return own.status === 'CONFIRMED' || isOpen(own);
  return isOpen(own) && (own.direction === 'INCOMING' || waitsForOwner(own));
}

function isOpen({ status }: TransactionRecord): boolean {
  return !isFinal(status) && status !== 'FAILED';
}

/** The status after the review. A hold that ends lets an outgoing record go on from where it was. */
function statusAfter(own: TransactionRecord, { decision }: ReviewDecision): Status {
  if (own.status === 'CONFIRMED') return 'CONFIRMED';
  if (own.direction === 'INCOMING') return decision === 'PROCEED' ? 'CONFIRMED' : 'DECLINED';
  if (decision === 'BLOCK') return 'CANCELLED';
  return own.hold === null ? 'CONFIRMED' : own.status;
}

/** A record that its own tenant made may be decided before it is screened, which is then still due. */
function screeningAfter({ screeningState, hold, ruleWaitUntil }: TransactionRecord): ScreeningState | null {
  const isStillDue = screeningState === 'DUE' && hold === null && ruleWaitUntil === null;
  return screeningState === null || isStillDue ? screeningState : 'REVIEWED';
}

function proceeded(own: TransactionRecord, status: Status, now: Date): Partial<TransactionRecord> {
  if (status === 'CONFIRMED') return { status, deadlineAt: null, wakeAt: null };
  if (status === 'DELIVERED') return { wakeAt: own.deadlineAt };
  return { routingFault: null, wakeAt: now };
}

/** A reviewer's stop. It is no decision of the customer, so the reason is COMPLIANCE on every path. */
function stopped(own: TransactionRecord, status: Status): Partial<TransactionRecord> {
  return {
    status,
    blockedBy: 'REVIEW',
    blockedHold: own.hold,
    statusReasonCode: 'COMPLIANCE',
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
