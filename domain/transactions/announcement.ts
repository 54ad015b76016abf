import { SYSTEM } from '../events/actor.ts';
import { addMs, earliest } from '../durations.ts';
import { NO_CHANGE, type PairChange, type RecordChange } from './change.ts';
import { outcomeOf } from './clearance.ts';
import { needsScreening } from './screening-due.ts';
import type { TransactionRecord } from './record.ts';
import { isFinal } from './state.ts';

/** How long an arrival or a release waits for its verdict before its tenant gets a webhook without one. */
const ANNOUNCE_MS = 30_000;

/** The facts of a message that arrives or is released without a verdict: it is screened now and announced with it. */
export function withoutVerdict(now: Date) {
  return {
    screeningState: 'DUE',
    screeningDueSince: now,
    isScreeningDelayed: true,
    wakeAt: now,
    announceAt: addMs(now, ANNOUNCE_MS),
  } as const satisfies Partial<TransactionRecord>;
}

/**
 * The change as it is written: with the webhook that it sends, if any. A record that waits for its verdict stays
 * unannounced until `announceAt`, whatever else changes; its first webhook then shows all that happened.
 */
export function announced(before: TransactionRecord | null, change: RecordChange, now: Date): RecordChange {
  const { after } = change;
  if (after.announceAt === null) return { ...change, notify: isNotified(before, change) };
  if (awaitsVerdict(after) && after.announceAt > now) return { ...change, notify: false };
  return { ...change, after: { ...after, announceAt: null }, notify: after.deletedAt === null };
}

/** A tenant is told in any case when the coins may move, or no longer. */
function isNotified(before: TransactionRecord | null, { after, notify }: RecordChange): boolean {
  if (notify || after.deletedAt !== null || before === null) return notify;
  return outcomeOf(before) !== outcomeOf(after);
}

/** A rule that lets the record wait has given its verdict; so has a tenant that decided itself. */
function awaitsVerdict(record: TransactionRecord): boolean {
  return needsScreening(record) && record.ruleWaitUntil === null && !isFinal(record.status);
}

/** Whether the tenant has to be told now that the record still waits for its verdict. */
export function isToBeAnnounced({ announceAt }: Pick<TransactionRecord, 'announceAt'>, now: Date): boolean {
  return announceAt !== null && announceAt <= now;
}

/** Announces a record whose verdict takes too long. A second call changes nothing. */
export function announceWithoutVerdict(own: TransactionRecord, now: Date): PairChange {
  if (!isToBeAnnounced(own, now)) return NO_CHANGE;
  const event = {
    type: 'SCREENING_DELAYED',
    message: 'Screening takes longer than usual; the transaction is announced without a verdict.',
    actor: SYSTEM,
  };
  const after = { ...own, isScreeningDelayed: true, updatedAt: now };
  return {
    own: { after, events: [event], notify: true, wakesWorkflow: false },
    counterpart: null,
    forwarded: null,
  };
}

/** The time, but not after the announcement that is still to come. */
export function notAfterAnnouncement(time: Date, { announceAt }: TransactionRecord, now: Date): Date {
  return announceAt !== null && announceAt > now ? earliest(time, announceAt) : time;
}
