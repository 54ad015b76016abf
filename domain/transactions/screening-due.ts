import { DomainError } from '../errors.ts';
import { HASH_FIELD } from './changed-fields.ts';
import type { ReviewEntry, TransactionRecord } from './record.ts';
import { isFinal } from './state.ts';

const SCREENED_FIELDS = new Set([
  'additionalOriginators',
  'vaspInfo.beneficiaryVaspName',
  'vaspInfo.originatorVaspName',
  'blockchainInfo.blockchain',
  'blockchainInfo.origin',
]);

/** Whether screening or rules read the field. The hash counts while a rule lets the transfer wait: it may wait for it. */
export function isScreened(
  field: string,
  { ruleWaitUntil }: Pick<TransactionRecord, 'ruleWaitUntil'>,
): boolean {
  if (field === HASH_FIELD) return ruleWaitUntil !== null;
  return /^(originator|beneficiary)\./.test(field) || SCREENED_FIELDS.has(field);
}

/** Marks a record for another screening and decision. A sealed one is screened when it is released. */
export function markForScreening(record: TransactionRecord, now: Date): TransactionRecord {
  if (record.sealed) return record;
  return { ...record, screeningState: 'DUE', screeningDueSince: now, wakeAt: now };
}

/** Like markForScreening, for new versions of lists: what a reviewer released is only compared with the lists. */
export function markForLists(record: TransactionRecord, now: Date): TransactionRecord {
  const { screeningState } = record;
  if (screeningState === null) return record;
  const isReleased = screeningState === 'REVIEWED' || screeningState === 'RECHECK';
  const marked = markForScreening(record, now);
  return isReleased && !record.sealed ? { ...marked, screeningState: 'RECHECK' } : marked;
}

/**
 * Whether the record has to be screened now. A sealed record waits for its release: nothing may depend on data that its
 * tenant cannot see.
 */
export function needsScreening(
  record: Pick<TransactionRecord, 'screeningState' | 'status' | 'sealed' | 'deletedAt'>,
): boolean {
  return !record.sealed && isScreeningDue(record);
}

/**
 * Whether the screening of the record is due, now or at its release. This includes a record that its tenant has
 * confirmed in the meantime: a match can still stop the coins.
 */
export function isScreeningDue({
  screeningState,
  status,
  deletedAt,
}: Pick<TransactionRecord, 'screeningState' | 'status' | 'deletedAt'>): boolean {
  if (screeningState !== 'DUE' && screeningState !== 'RECHECK') return false;
  return deletedAt === null && (status === 'CONFIRMED' || !(isFinal(status) || status === 'FAILED'));
}

/**
 * Whether nobody may confirm the record before it is screened. A record that its own tenant made may be decided at once
 * while no hold stands; what waits for a rule was screened and is due at the end of the wait.
 */
export function awaitsScreening(record: TransactionRecord): boolean {
  const isOwn = record.direction === 'INCOMING' && record.messageSource === 'MANUAL' && record.hold === null;
  const { ruleWaitUntil, screeningDueSince } = record;
  // Whatever makes it due again sets another time than the end of the wait.
  const waitsForRule = ruleWaitUntil !== null && screeningDueSince?.getTime() === ruleWaitUntil.getTime();
  return !isOwn && !waitsForRule && needsScreening(record);
}

/** Whether the record is held because no list could be searched for it: its reviewer decides without lists. */
export function isHeldUncompared({
  hold,
  isScreeningDelayed,
}: Pick<TransactionRecord, 'hold' | 'isScreeningDelayed'>): boolean {
  return hold === 'UNSCREENED' && isScreeningDelayed;
}

/**
 * Whether a reviewer has just let the transfer pass without a screening. That counts for its next step, not for a
 * delivery after it has waited for its VASP, nor once it was screened and cleared after all.
 */
export function isPassedUnscreened({ personal, routingFault, screeningState }: TransactionRecord): boolean {
  if (screeningState === 'CLEARED') return false;
  const { hold, isCompared = false } = personal.reviews?.at(-1) ?? {};
  return routingFault === null && hold === 'UNSCREENED' && !isCompared;
}

/** The latest review that let the transfer pass without a screening; undefined where none has. */
export function unscreenedPass({ personal }: TransactionRecord): ReviewEntry | undefined {
  return personal.reviews?.findLast(
    ({ decision, hold, isCompared = false }) =>
      decision === 'PROCEED' && hold === 'UNSCREENED' && !isCompared,
  );
}

/** Whether the review came after the screening. Those of earlier releases do not say their version: any screening counts for them. */
export function isPassedSince(
  pass: ReviewEntry | undefined,
  { recordVersion }: { recordVersion: number },
): boolean {
  return pass !== undefined && recordVersion <= (pass.recordVersion ?? -1);
}

/** The refusal of a confirmation that comes before the screening. */
export function screeningPending(): DomainError {
  return new DomainError(
    'screening_pending',
    'A list or a provider that screens this transaction does not answer: try again.',
    { retryAfterSeconds: 5 },
  );
}

/** The refusal of a confirmation whose own request has just found what somebody has to read first. */
function unseenFindings(): DomainError {
  return new DomainError(
    'conflict',
    'It has just been screened and does not pass by itself: read GET /transactions/{id}/screening, then decide.',
  );
}

/** What a request that would let a transaction pass knows of it. */
export interface LookedAt {
  /** Whether the screening of the request has held it or lets it wait: nobody has seen these findings yet. */
  isUnseen: boolean;
  /** The version that the request has looked at last: nobody has seen what stops it in a later one. */
  version: number | null;
}

/** Of a request that lets nothing pass. */
export const NOT_LOOKED = { isUnseen: false, version: null, vasp: null };

/** Throws conflict where something stops the transaction that whoever sent the request has not read. */
export function requireSeen({ isUnseen, version }: LookedAt, stored: TransactionRecord): void {
  const isStoppedSince = version !== null && stored.version !== version && isStopped(stored);
  if (isUnseen || isStoppedSince) throw unseenFindings();
}

/** Whether a hold or a rule's wait stops it. */
export function isStopped({ hold, ruleWaitUntil }: TransactionRecord): boolean {
  return hold !== null || ruleWaitUntil !== null;
}
