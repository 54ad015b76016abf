import { DomainError } from '../../errors.ts';
import type { Actor } from '../../events/actor.ts';
import { basisOfActor, type EventDraft } from '../../events/event.ts';
import { withOwedAnswer } from '../exchanging/answer-owed.ts';
import { carryOver } from '../exchanging/carry-over.ts';
import type { PairChange, RecordChange } from '../change.ts';
import { awaitsScreening, isHeldUncompared, screeningPending } from '../screening-due.ts';
import { isStoppedElsewhere, transferStopped } from '../transfer-stop.ts';
import type { ReviewEntry, TransactionRecord } from '../record.ts';
import { lacksProof, waitsForOwner } from '../self-hosted-wallet.ts';
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
  /** The entity of the other VASP, null where nobody is known; absent where nobody has looked, as for a BLOCK. */
  vaspEntityId?: string | null | undefined;
}

/** What the first of two reviewers proposed. */
interface FirstReview {
  proposalId: string;
  by: { kind: 'API_KEY' | 'USER'; id: string };
  at: Date;
  /** Null where it was not kept with the proposal: it is among the reviews then. */
  review: ReviewDecision | null;
}

/**
 * Applies a reviewer's decision to a record that waits for one. An outgoing record continues or is cancelled, one that
 * waits for a proof of its wallet is confirmed; an incoming one is confirmed or declined. The other side does not learn
 * the reason. Throws 409 when the record waits for no review.
 */
export function reviewTransaction(
  own: TransactionRecord,
  counterpart: TransactionRecord | null,
  review: ReviewDecision,
  act: ReviewAct,
): PairChange {
  refuse(own, review);
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
    personal: withReview(own, entryOf(own, review, act)),
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
  if (decision === 'PROCEED' && isStoppedElsewhere(own)) throw transferStopped(own.transferStop);
  if (decision === 'PROCEED' && awaitsScreening(own)) throw screeningPending();
}

/** What was found, or changed, since the reviewer read the transaction may ask for another decision. */
function changedSinceRead(read: number, { version }: TransactionRecord): DomainError {
  return new DomainError(
    'conflict',
    `The transaction has version ${version}, the review is of version ${read}: read it and its screening again, then decide.`,
  );
}

/**
 * Whether a second reviewer has to agree with four eyes: something speaks against the transfer, or its proof is missing. One is
 * enough to stop it.
 */
export function needsTwoReviewers(own: TransactionRecord, { decision }: ReviewDecision): boolean {
  const isDoubtful = own.hold !== null || lacksProof(own) || own.ruleWaitUntil !== null;
  return decision === 'PROCEED' && isDoubtful;
}

/** The change of the second reviewer with the first one named, in the log and among the reviews. */
export function withFirstReview(change: PairChange, own: TransactionRecord, first: FirstReview): PairChange {
  if (!change.own) return change;
  const { after, events } = change.own;
  const { by, proposalId } = first;
  const proposed = { proposalId, [by.kind === 'USER' ? 'proposedByUserId' : 'proposedByApiKeyId']: by.id };
  const named = events.map((event) =>
    event.type === 'REVIEWED' ? { ...event, data: { ...event.data, ...proposed } } : event,
  );
  const earlier = own.personal.reviews ?? [];
  const reviews = [
    ...earlier,
    ...firstEntry(own, first),
    ...(after.personal.reviews ?? []).slice(earlier.length),
  ];
  return {
    ...change,
    own: { ...change.own, after: { ...after, personal: { ...after.personal, reviews } }, events: named },
  };
}

function firstEntry(own: TransactionRecord, { by, at, review }: FirstReview): ReviewEntry[] {
  if (!review) return [];
  const proposal = {
    by: `${by.kind} ${by.id}`,
    screeningDueSince: own.screeningDueSince?.toISOString() ?? null,
  };
  return [{ ...entryOf(own, review, { now: at }), proposal }];
}

function entryOf(
  own: TransactionRecord,
  review: ReviewDecision,
  { now, vaspEntityId }: Pick<ReviewAct, 'now' | 'vaspEntityId'>,
): ReviewEntry {
  const { version, hold } = own;
  const isCompared = hold === 'UNSCREENED' && !isHeldUncompared(own);
  return {
    at: now.toISOString(),
    ...review,
    recordVersion: version,
    hold,
    ...(isCompared && { isCompared }),
    ...(vaspEntityId !== undefined && { vaspEntityId }),
  };
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
