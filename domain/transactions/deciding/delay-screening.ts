import { SYSTEM } from '../../events/actor.ts';
import type { EventDraft } from '../../events/event.ts';
import { notAfterAnnouncement } from '../announcement.ts';
import { NO_CHANGE, type PairChange } from '../change.ts';
import { changed, held, type ScreeningVerdict } from './apply-verdict.ts';
import { needsScreening } from '../screening-due.ts';
import { isStoppedByLists } from './released-matches.ts';
import type { TransactionScreening } from './screening.ts';
import type { TransactionRecord } from '../record.ts';
import { MINUTE_MS, addMs } from '../../durations.ts';

const SHORTEST_RETRY_MS = 10_000;
const LONGEST_RETRY_MS = 5 * MINUTE_MS;

export interface ScreeningDelay {
  /** Code of the source that was not available. */
  what: string;
  maxWaitMinutes: number;
  /** Since when it could be tried: the start of the worker. The time before is none that a source was missing. */
  triedSince: Date;
}

/**
 * Delays a screening that is not possible now. After the tenant's limit the record is held for review as UNSCREENED, again where
 * it was held so before its data was corrected: its reviewer decides without lists. A record that is held for anything else, that
 * a reviewer has released, or that is out of the tenant's hands is not: its screening is retried without limit.
 */
export function delayScreening(own: TransactionRecord, delay: ScreeningDelay, now: Date): PairChange {
  if (!isDelayable(own)) return NO_CHANGE;
  const event: EventDraft = {
    type: 'SCREENING_DELAYED',
    message: 'Screening is not possible now; it is tried again.',
    actor: SYSTEM,
    data: { what: delay.what },
  };
  if (canBeHeld(own) && isWaitOver(own, delay, now)) return stillDelayed(held(own, 'UNSCREENED', event, now));
  if (own.hold !== null || !isFirstTry(own)) return NO_CHANGE;
  const after = {
    isScreeningDelayed: true,
    ruleWaitUntil: null,
    wakeAt: nextScreening(own, now),
    updatedAt: now,
  };
  return changed(own, after, [event]);
}

/** Whether a screening has waited for what is not available as long as the tenant lets it. */
export function isWaitOver(
  own: TransactionRecord,
  { maxWaitMinutes, triedSince }: ScreeningDelay,
  now: Date,
): boolean {
  const triedMs = Math.min(waitedMs(own, now), now.getTime() - triedSince.getTime());
  return needsScreening(own) && triedMs >= maxWaitMinutes * MINUTE_MS;
}

function isDelayable(own: TransactionRecord): boolean {
  return needsScreening(own) && (own.hold === null || own.hold === 'UNSCREENED');
}

/**
 * The verdict on a record that was compared with the lists while no provider answered. Where only the lists count for it any more, it is
 * theirs. Else what they hold stays held for them, what is held for anything else for that, and all the rest as UNSCREENED: rules do not
 * decide without the providers.
 */
export function verdictWithoutProviders(
  own: TransactionRecord,
  verdict: ScreeningVerdict,
  { sanctions }: Pick<TransactionScreening, 'sanctions'>,
): ScreeningVerdict {
  if (!canBeHeld(own)) return verdict;
  const { ruleDecision: _ruleDecision, ...rest } = verdict;
  const undecided = { ...rest, guarded: false, waitUntil: null, decidedBy: null };
  // Rules that block what the lists have leave no hold.
  if (verdict.hold === 'SANCTIONS' || isStoppedByLists(sanctions))
    return { ...undecided, outcome: 'REVIEW', hold: 'SANCTIONS' };
  const isHeldForMore = own.hold !== null && own.hold !== 'UNSCREENED' && verdict.hold !== 'UNSCREENED';
  return isHeldForMore
    ? { ...undecided, outcome: 'PROCEED', hold: null }
    : { ...undecided, outcome: 'REVIEW', hold: 'UNSCREENED' };
}

/** What was not compared at all stays so while it is held: a name that was not read to its end holds a record as UNSCREENED, too. */
function stillDelayed(change: PairChange): PairChange {
  return {
    ...change,
    own: change.own && { ...change.own, after: { ...change.own.after, isScreeningDelayed: true } },
  };
}

/** Whether nothing has been decided on the record: it is unsent, or received and still open. Of all others only the lists decide. */
function canBeHeld({ screeningState, status, direction }: TransactionRecord): boolean {
  if (screeningState !== 'DUE') return false;
  return status === 'PENDING' || (direction === 'INCOMING' && status === 'DELIVERED');
}

/**
 * The time of the next try: after half the time that the record has already waited, 10 seconds to 5 minutes, and with
 * its announcement.
 */
export function nextScreening(own: TransactionRecord, now: Date): Date {
  const waitMs = Math.min(LONGEST_RETRY_MS, Math.max(SHORTEST_RETRY_MS, waitedMs(own, now) / 2));
  return notAfterAnnouncement(addMs(now, waitMs), own, now);
}

function waitedMs({ screeningDueSince, createdAt }: TransactionRecord, now: Date): number {
  return now.getTime() - (screeningDueSince ?? createdAt).getTime();
}

/** Whether this is the first try: screening became due and was planned for the same moment; later tries were delayed. */
function isFirstTry({ isScreeningDelayed, screeningDueSince, wakeAt }: TransactionRecord): boolean {
  return (
    !isScreeningDelayed && (wakeAt === null || screeningDueSince === null || wakeAt <= screeningDueSince)
  );
}
