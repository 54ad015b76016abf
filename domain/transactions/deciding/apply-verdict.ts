import { SYSTEM } from '../../events/actor.ts';
import type { EventBasis, EventDraft } from '../../events/event.ts';
import { withOwedAnswer } from '../exchanging/answer-owed.ts';
import { carryOver } from '../exchanging/carry-over.ts';
import { NO_CHANGE, type PairChange } from '../change.ts';
import { isRepairOpen, nextDeadline } from '../repair.ts';
import { needsScreening } from '../screening-due.ts';
import type { TransactionRecord } from '../record.ts';
import { logGuardedVerdict } from './log-guarded-verdict.ts';
import { isSelfHosted } from '../self-hosted-wallet.ts';
import { isFinal, type HoldReason } from '../state.ts';
import { subStatusOf } from '../sub-status.ts';

/** The joint verdict of screening and rules on a transfer. Ids, codes and counts only: it is written to the event log. */
export interface ScreeningVerdict {
  screeningId: string;
  outcome: 'PROCEED' | 'WAIT' | 'REVIEW' | 'BLOCK';
  /** Why the transfer is held. */
  hold: HoldReason | null;
  /** The lists have matches, and a reviewer has released them all. */
  isReleased: boolean;
  /** The rules decided BLOCK, and the guard of new rule versions turned that into REVIEW. */
  guarded: boolean;
  /** Set with WAIT. */
  waitUntil: Date | null;
  /** What made the decision; null if the transfer was screened without rules. */
  decidedBy: { kind: 'RULE' | 'DEFAULT' | 'UNDECIDED' | 'COUNTERPARTY'; ruleId: string | null } | null;
  /** The version number of the published rules; 0 before the first. */
  rulesVersion: number;
  /** The decision of the rules that is stored with the verdict, and its hash. */
  ruleDecision?: { id: string; hash: string };
  /** The summary of the screening for the event log. */
  findings: Record<string, string | number | boolean | null>;
}

/**
 * Applies the verdict to a record. An unsent message may pass, be held, be cancelled or wait; a sent one can only be
 * held. A message from a network may be confirmed or declined. A record that its own tenant created runs no rules: only
 * a sanctions match, a name that was not read to its end or the policy for its counterparty stops it. A held record stays
 * held until it is reviewed. Where the tenant had confirmed its record before the message came, a verdict that leaves
 * nothing against it answers the sender.
 */
export function applyVerdict(
  own: TransactionRecord,
  counterpart: TransactionRecord | null,
  verdict: ScreeningVerdict,
  now: Date,
): PairChange {
  if (!needsScreening(own)) return NO_CHANGE;
  const decision = withOwedAnswer(decideBy(own, counterpart, verdict, now), counterpart, now);
  return verdict.guarded ? logGuardedVerdict(decision, verdict.rulesVersion) : decision;
}

function decideBy(
  own: TransactionRecord,
  counterpart: TransactionRecord | null,
  verdict: ScreeningVerdict,
  now: Date,
): PairChange {
  const log = screenedEvent(verdict);
  if (verdict.hold === 'SANCTIONS') return held(own, 'SANCTIONS', log, now);
  if (isHeldUnread(own, verdict)) return held(own, 'UNSCREENED', log, now);
  if (isHeldBeforeAnswer(own, counterpart, verdict)) return held(own, 'COUNTERPARTY', log, now);
  if (own.hold !== null || own.screeningState === 'RECHECK' || own.status === 'CONFIRMED')
    return passed(own, verdict, now);
  // On the tenant's own record no rules decide, but the policy for the counterparty does.
  const isDecided = own.status === 'DELIVERED' || verdict.decidedBy?.kind === 'COUNTERPARTY';
  if (own.direction === 'INCOMING' && isDecided)
    return decideIncoming({ own, counterpart, verdict, log, now });
  if (own.direction === 'INCOMING' || own.status === 'DELIVERED') return passed(own, verdict, now);
  return decideOutgoing(own, verdict, log, now);
}

/**
 * Whether a name that was not read to its end holds a record, confirmed or not. A weaker hold would let its tenant
 * confirm that name; what is not held yet can still be blocked.
 */
function isHeldUnread({ hold }: TransactionRecord, verdict: ScreeningVerdict): boolean {
  if (verdict.hold !== 'UNSCREENED' || hold === 'SANCTIONS') return false;
  return verdict.outcome !== 'BLOCK' || hold !== null;
}

/** Whether the policy for the counterparty holds a record that is confirmed, and whose sender has no answer yet. */
function isHeldBeforeAnswer(
  own: TransactionRecord,
  counterpart: TransactionRecord | null,
  { hold }: ScreeningVerdict,
): boolean {
  const isAnswered = counterpart !== null && isFinal(counterpart.status);
  return own.status === 'CONFIRMED' && own.hold === null && hold === 'COUNTERPARTY' && !isAnswered;
}

function decideOutgoing(
  own: TransactionRecord,
  verdict: ScreeningVerdict,
  log: EventDraft,
  now: Date,
): PairChange {
  switch (verdict.outcome) {
    case 'PROCEED':
      return passed(own, verdict, now);
    case 'REVIEW':
      return held(own, verdict.hold ?? 'RULE', log, now);
    case 'WAIT':
      return waiting(own, verdict, log, now);
    case 'BLOCK':
      return blocked(own, verdict, log, now);
  }
}

interface IncomingDecision {
  own: TransactionRecord;
  counterpart: TransactionRecord | null;
  verdict: ScreeningVerdict;
  log: EventDraft;
  now: Date;
}

function decideIncoming({ own, counterpart, verdict, log, now }: IncomingDecision): PairChange {
  if (verdict.outcome === 'WAIT') return waiting(own, verdict, log, now);
  if (verdict.outcome === 'REVIEW') {
    // By default the tenant decides on each received message itself: that is no hold.
    const isOwnDecision = verdict.decidedBy?.kind === 'DEFAULT' && verdict.hold === null;
    return isOwnDecision ? passed(own, verdict, now) : held(own, verdict.hold ?? 'RULE', log, now);
  }
  // The same holds for a destination that it does not own since the blockchain was changed, and while it waits for data.
  if (verdict.outcome === 'PROCEED' && (own.awaitsWallet || isRepairOpen(own)))
    return passed(own, verdict, now);
  const status = verdict.outcome === 'PROCEED' ? 'CONFIRMED' : 'DECLINED';
  const change = {
    after: {
      ...own,
      status,
      ...(status === 'DECLINED' && { blockedBy: 'RULE', statusReasonCode: 'COMPLIANCE' }),
      ...CLEARED,
      deadlineAt: null,
      wakeAt: null,
      updatedAt: now,
    },
    events: [log, statusEvent(own, status, verdict)],
    notify: true,
    wakesWorkflow: false,
  } satisfies NonNullable<PairChange['own']>;
  const carried = counterpart && carryOver({ own, change, counterpart, now });
  return { own: change, counterpart: carried, forwarded: null };
}

/** The record is cleared. One that is sent, held or only rechecked keeps waiting as before; any other continues now. */
function passed(own: TransactionRecord, verdict: ScreeningVerdict, now: Date): PairChange {
  const isReviewed = own.screeningState === 'RECHECK' || (verdict.isReleased && own.hold === null);
  const isPaused = own.isScreeningDelayed || own.ruleWaitUntil !== null;
  // Its coins have waited for this alone.
  const isFreed = own.status === 'CONFIRMED' && own.hold === null;
  const after: Partial<TransactionRecord> = {
    ...CLEARED,
    screeningState: isReviewed ? 'REVIEWED' : 'CLEARED',
    wakeAt: continuesNow(own) ? now : nextDeadline(own),
    // Else nothing that its tenant sees has changed.
    updatedAt: isPaused || isFreed ? now : own.updatedAt,
  };
  return changed(own, after, [screenedEvent(verdict)]);
}

function continuesNow({ status, direction, hold, ...rest }: TransactionRecord): boolean {
  if (status !== 'PENDING' || hold !== null) return false;
  return direction === 'OUTGOING' || isSelfHosted({ direction, ...rest });
}

/** The facts of a record that has been screened: neither screening nor a rule pauses it any longer. */
const CLEARED = { screeningState: 'CLEARED', isScreeningDelayed: false, ruleWaitUntil: null } as const;

/** Holds the record until it is reviewed. */
export function held(own: TransactionRecord, hold: HoldReason, log: EventDraft, now: Date): PairChange {
  const event: EventDraft = {
    type: 'HELD',
    message: HOLD_TEXTS[hold],
    actor: SYSTEM,
    previousStatus: own.status,
    newStatus: own.status,
    data: { hold },
  };
  const after: Partial<TransactionRecord> = {
    ...CLEARED,
    hold,
    wakeAt: nextDeadline(own),
    updatedAt: now,
  };
  return changed(own, after, own.hold === hold ? [log] : [log, event]);
}

export const HOLD_TEXTS: Record<HoldReason, string> = {
  RULE: 'Held for review by the rules.',
  SANCTIONS: 'Held for review: screening found a match.',
  UNSCREENED: 'Held for review: it could not be screened in time, or not completely.',
  COUNTERPARTY: 'Held for review by the policy for this counterparty.',
  INCOMPLETE_PARTY: 'Held for review: it does not name both parties.',
  MAILBOX: 'Held for review: it would go to a mailbox that is not known to be of the beneficiary VASP.',
  TRAVEL_ADDRESS: 'Held for review: nothing shows that its travel address is of the VASP that it names.',
};

function waiting(own: TransactionRecord, verdict: ScreeningVerdict, log: EventDraft, now: Date): PairChange {
  const until = verdict.waitUntil ?? now;
  const event: EventDraft = {
    type: 'WAITING',
    message: 'A rule lets the transaction wait.',
    actor: SYSTEM,
    previousStatus: own.status,
    newStatus: own.status,
    data: { until: until.toISOString() },
    basis: basisOf(verdict),
  };
  const after: Partial<TransactionRecord> = {
    screeningState: 'DUE',
    screeningDueSince: until,
    isScreeningDelayed: false,
    ruleWaitUntil: until,
    wakeAt: until,
    updatedAt: now,
  };
  return changed(own, after, [log, event]);
}

/** Cancels a message that was never sent, so only the tenant itself is notified. */
function blocked(own: TransactionRecord, verdict: ScreeningVerdict, log: EventDraft, now: Date): PairChange {
  const after: Partial<TransactionRecord> = {
    status: 'CANCELLED',
    blockedBy: 'RULE',
    statusReasonCode: 'COMPLIANCE',
    ...CLEARED,
    deadlineAt: null,
    wakeAt: null,
    updatedAt: now,
  };
  return changed(own, after, [log, statusEvent(own, 'CANCELLED', verdict)]);
}

function screenedEvent({
  screeningId,
  outcome,
  decidedBy,
  rulesVersion,
  guarded,
  ruleDecision,
  findings,
}: ScreeningVerdict): EventDraft {
  return {
    type: 'SCREENED',
    message: 'Screened and decided.',
    actor: SYSTEM,
    data: {
      screeningId,
      ...findings,
      ...(decidedBy
        ? { decision: outcome, decidedBy: decidedBy.ruleId ?? decidedBy.kind, rulesVersion, guarded }
        : {}),
      ...(ruleDecision && { ruleDecisionId: ruleDecision.id, ruleDecisionHash: ruleDecision.hash }),
    },
  };
}

const BY_RULES = {
  CONFIRMED: 'Confirmed by the rules.',
  DECLINED: 'Declined by the rules.',
  CANCELLED: 'Blocked by the rules before it was sent.',
};

function statusEvent(
  own: TransactionRecord,
  status: keyof typeof BY_RULES,
  verdict: ScreeningVerdict,
): EventDraft {
  const isPolicy = verdict.decidedBy?.kind === 'COUNTERPARTY';
  return {
    type: 'STATUS_CHANGED',
    message: isPolicy ? 'Ended by the policy for this counterparty.' : BY_RULES[status],
    actor: SYSTEM,
    previousStatus: own.status,
    newStatus: status,
    basis: basisOf(verdict),
  };
}

/** The rule that an event is based on; null if the tenant's policy for the counterparty decided. */
function basisOf({ decidedBy, rulesVersion }: ScreeningVerdict): EventBasis | null {
  if (decidedBy?.kind === 'COUNTERPARTY') return null;
  return { kind: 'RULE', version: rulesVersion, ...(decidedBy?.ruleId ? { id: decidedBy.ruleId } : {}) };
}

/** A change of one record; the tenant gets a webhook if status, subStatus or hold differ. */
export function changed(
  own: TransactionRecord,
  changes: Partial<TransactionRecord>,
  events: EventDraft[],
): PairChange {
  const after = { ...own, ...changes };
  const moves =
    after.status !== own.status || subStatusOf(after) !== subStatusOf(own) || after.hold !== own.hold;
  return { own: { after, events, notify: moves, wakesWorkflow: false }, counterpart: null, forwarded: null };
}
