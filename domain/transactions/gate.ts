import { SYSTEM } from '../events/actor.ts';
import type { Basis, EventDraft } from '../events/event.ts';
import { carryOver } from './carry-over.ts';
import { NO_CHANGE, type Decision } from './change.ts';
import { after as later } from './deadlines.ts';
import type { TransactionRecord } from './record.ts';
import { tellOfGuard } from './tell-of-guard.ts';
import { isSelfHosted } from './self-hosted-wallet.ts';
import { isFinal, subStatusOf, type Hold } from './state.ts';

/** What screening and rules say of a transfer. Ids, codes and counts only: it goes into the log. */
export interface Verdict {
  screeningId: string;
  outcome: 'PROCEED' | 'WAIT' | 'REVIEW' | 'BLOCK';
  /** Why it is held, with REVIEW. */
  hold: Hold | null;
  /** The rules said BLOCK, and the guard of new versions has made a REVIEW of it. */
  guarded: boolean;
  /** With WAIT. */
  waitMinutes: number;
  /** What decided; null where nothing but screening was asked. */
  decidedBy: { kind: 'RULE' | 'DEFAULT' | 'UNDECIDED' | 'COUNTERPARTY'; ruleId: string | null } | null;
  /** The number of the published rules; 0 before the first. */
  rulesVersion: number;
  /** What the log tells of the screening. */
  findings: Record<string, string | number | boolean | null>;
}

const MINUTE_MS = 60_000;

/** Whether something is to be decided of the record at all: what is over, and what a reviewer let pass, is not. */
export function isUndecided(record: Pick<TransactionRecord, 'gate' | 'status' | 'deletedAt'>): boolean {
  return (
    record.gate === 'DUE' &&
    record.deletedAt === null &&
    !isFinal(record.status) &&
    record.status !== 'FAILED'
  );
}

/**
 * Brings the verdict on a record. Before a message has gone out it may be let pass, held, ended or told to wait;
 * afterwards only held. What arrived over a network may be confirmed or declined. A record that its tenant made itself
 * runs no rules: of it only a sanctions match is held.
 */
export function applyVerdict(
  own: TransactionRecord,
  counterpart: TransactionRecord | null,
  verdict: Verdict,
  now: Date,
): Decision {
  if (!isUndecided(own)) return NO_CHANGE;
  const decision = decideBy(own, counterpart, verdict, now);
  return verdict.guarded ? tellOfGuard(decision, verdict.rulesVersion) : decision;
}

function decideBy(
  own: TransactionRecord,
  counterpart: TransactionRecord | null,
  verdict: Verdict,
  now: Date,
): Decision {
  const log = screenedEvent(verdict);
  if (verdict.hold === 'SANCTIONS') return held(own, 'SANCTIONS', log, now);
  if (own.direction === 'INCOMING' && own.status === 'DELIVERED')
    return decideIncoming(own, counterpart, verdict, log, now);
  if (own.direction === 'INCOMING' || own.status === 'DELIVERED') return passed(own, log, now);
  return decideOutgoing(own, verdict, log, now);
}

function decideOutgoing(own: TransactionRecord, verdict: Verdict, log: EventDraft, now: Date): Decision {
  switch (verdict.outcome) {
    case 'PROCEED':
      return passed(own, log, now);
    case 'REVIEW':
      return held(own, verdict.hold ?? 'RULE', log, now);
    case 'WAIT':
      return waiting(own, verdict, log, now);
    case 'BLOCK':
      return blocked(own, verdict, log, now);
  }
}

function decideIncoming(
  own: TransactionRecord,
  counterpart: TransactionRecord | null,
  verdict: Verdict,
  log: EventDraft,
  now: Date,
): Decision {
  // Who does not own the destination cannot accept what was sent to it: decided anew when its data is released.
  if (own.sealed) return passed(own, log, now);
  if (verdict.outcome === 'WAIT') return waiting(own, verdict, log, now);
  if (verdict.outcome === 'REVIEW') {
    // That its tenant decides itself is how every message is received, and no hold.
    const isOwnDecision = verdict.decidedBy?.kind === 'DEFAULT' && verdict.hold === null;
    return isOwnDecision ? passed(own, log, now) : held(own, verdict.hold ?? 'RULE', log, now);
  }
  const status = verdict.outcome === 'PROCEED' ? 'CONFIRMED' : 'DECLINED';
  const change = {
    after: {
      ...own,
      status,
      subStatus: subStatusOf(status, own.transactionHash),
      // What the other side learns never says why.
      statusReasonCode: status === 'DECLINED' ? 'OTHER' : own.statusReasonCode,
      gate: 'OPEN',
      hold: null,
      deadlineAt: null,
      wakeAt: null,
      updatedAt: now,
    },
    events: [log, statusEvent(own, status, verdict)],
    notify: true,
    poke: false,
  } satisfies NonNullable<Decision['own']>;
  const carried = counterpart && carryOver(own, change, counterpart, [], now);
  return { own: change, counterpart: carried, forwarded: null };
}

/** The record goes on. What had already been sent or was only looked at goes on waiting for what it waited for. */
function passed(own: TransactionRecord, log: EventDraft, now: Date): Decision {
  const isUnsent = own.status === 'PENDING' && (own.direction === 'OUTGOING' || isSelfHosted(own));
  const isPaused = own.subStatus === 'SCREENING' || own.subStatus === 'WAITING';
  const waitsAgain = own.direction === 'INCOMING' && own.status === 'DELIVERED' ? 'ON_HOLD' : startOf(own);
  return changed(
    own,
    {
      gate: 'OPEN',
      subStatus: isPaused ? waitsAgain : own.subStatus,
      wakeAt: isUnsent ? now : own.direction === 'OUTGOING' ? own.deadlineAt : null,
      updatedAt: now,
    },
    [log],
  );
}

function startOf(own: TransactionRecord) {
  if (own.direction === 'OUTGOING') return own.status === 'DELIVERED' ? 'AWAITING_COUNTERPARTY' : 'ROUTING';
  return isSelfHosted(own) ? 'OWNERSHIP_UNCONFIRMED' : null;
}

/** Only a review ends a hold. A sealed record keeps saying that its destination is unknown. */
function held(own: TransactionRecord, hold: Hold, log: EventDraft, now: Date): Decision {
  const wasHeld = own.hold === hold;
  const event: EventDraft = {
    type: 'HELD',
    message: HOLD_TEXTS[hold],
    actor: SYSTEM,
    previousStatus: own.status,
    newStatus: own.status,
    data: { hold },
  };
  return changed(
    own,
    {
      gate: 'OPEN',
      hold,
      subStatus: own.sealed ? own.subStatus : 'ON_HOLD',
      wakeAt: own.deadlineAt,
      updatedAt: now,
    },
    wasHeld ? [log] : [log, event],
  );
}

const HOLD_TEXTS: Record<Hold, string> = {
  RULE: 'Held for review: the rules ask for it.',
  SANCTIONS: 'Held for review: screening found a match.',
  UNSCREENED: 'Held for review: it could not be screened in time.',
  COUNTERPARTY: 'Held for review: the policy for this counterparty asks for it.',
};

function waiting(own: TransactionRecord, verdict: Verdict, log: EventDraft, now: Date): Decision {
  const until = later(now, verdict.waitMinutes * MINUTE_MS);
  const event: EventDraft = {
    type: 'WAITING',
    message: 'A rule lets it wait.',
    actor: SYSTEM,
    previousStatus: own.status,
    newStatus: own.status,
    data: { until: until.toISOString() },
    basis: basisOf(verdict),
  };
  return changed(own, { gate: 'DUE', hold: null, subStatus: 'WAITING', wakeAt: until, updatedAt: now }, [
    log,
    event,
  ]);
}

/** Never sent, so nobody has to be told but the tenant itself. */
function blocked(own: TransactionRecord, verdict: Verdict, log: EventDraft, now: Date): Decision {
  return changed(
    own,
    {
      status: 'CANCELLED',
      subStatus: 'BLOCKED_BY_RULE',
      statusReasonCode: 'COMPLIANCE',
      gate: 'OPEN',
      hold: null,
      deadlineAt: null,
      wakeAt: null,
      updatedAt: now,
    },
    [log, statusEvent(own, 'CANCELLED', verdict)],
  );
}

/** Screening that cannot be done now is tried again, and after the tenant's limit a person has to look. */
export function delayScreening(
  own: TransactionRecord,
  { what, maxWaitMinutes }: { what: string; maxWaitMinutes: number },
  now: Date,
): Decision {
  if (!isUndecided(own)) return NO_CHANGE;
  const waitedMs = now.getTime() - (own.gateSince ?? own.createdAt).getTime();
  const event: EventDraft = {
    type: 'SCREENING_DELAYED',
    message: 'Screening is not possible now; it is tried again.',
    actor: SYSTEM,
    data: { what },
  };
  if (waitedMs >= maxWaitMinutes * MINUTE_MS) return held(own, 'UNSCREENED', event, now);
  if (own.subStatus === 'SCREENING') return NO_CHANGE;
  const wakeAt = nextScreening(own, now);
  return changed(own, { subStatus: own.sealed ? own.subStatus : 'SCREENING', wakeAt, updatedAt: now }, [
    event,
  ]);
}

const SHORTEST_RETRY_MS = 10_000;
const LONGEST_RETRY_MS = 5 * MINUTE_MS;

/** After half as long again as it has already waited. */
export function nextScreening({ gateSince, createdAt }: TransactionRecord, now: Date): Date {
  const waitedMs = now.getTime() - (gateSince ?? createdAt).getTime();
  return later(now, Math.min(LONGEST_RETRY_MS, Math.max(SHORTEST_RETRY_MS, waitedMs / 2)));
}

function screenedEvent({
  screeningId,
  outcome,
  decidedBy,
  rulesVersion,
  guarded,
  findings,
}: Verdict): EventDraft {
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
    },
  };
}

function statusEvent(
  own: TransactionRecord,
  status: 'CONFIRMED' | 'DECLINED' | 'CANCELLED',
  verdict: Verdict,
) {
  const message: Record<typeof status, string> = {
    CONFIRMED: 'Confirmed by the rules.',
    DECLINED: 'Declined by the rules.',
    CANCELLED: 'Blocked by the rules before it was sent.',
  };
  return {
    type: 'STATUS_CHANGED',
    message: message[status],
    actor: SYSTEM,
    previousStatus: own.status,
    newStatus: status,
    basis: basisOf(verdict),
  };
}

function basisOf({ decidedBy, rulesVersion }: Verdict): Basis {
  return { kind: 'RULE', version: rulesVersion, ...(decidedBy?.ruleId ? { id: decidedBy.ruleId } : {}) };
}

/** The tenant gets a webhook when its record stands otherwise than before. */
function changed(
  own: TransactionRecord,
  changes: Partial<TransactionRecord>,
  events: EventDraft[],
): Decision {
  const after = { ...own, ...changes };
  const moves = after.status !== own.status || after.subStatus !== own.subStatus || after.hold !== own.hold;
  return { own: { after, events, notify: moves, poke: false }, counterpart: null, forwarded: null };
}
