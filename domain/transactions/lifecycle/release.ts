import { SYSTEM } from '../../events/actor.ts';
import type { EventDraft } from '../../events/event.ts';
import { withoutVerdict } from '../announcement.ts';
import { NO_CHANGE, type PairChange, type RecordChange } from '../change.ts';
import { applyVerdict, type ScreeningVerdict } from '../deciding/apply-verdict.ts';
import { followedBy } from '../deciding/decide-arrival.ts';
import { needsScreening } from '../screening-due.ts';
import type { TransactionRecord } from '../record.ts';

/**
 * The record as its tenant sees it once the destination wallet is confirmed. What is still open is due for screening:
 * nothing was screened while its data was hidden.
 */
export function releasedRecord(own: TransactionRecord, now: Date): TransactionRecord {
  const visible: TransactionRecord = {
    ...own,
    sealed: false,
    isDestinationConfirmed: true,
    releaseId: null,
    updatedAt: now,
  };
  const isDue = own.sealed && needsScreening(visible);
  return isDue ? { ...visible, ...withoutVerdict(now) } : visible;
}

/**
 * Releases a record whose destination wallet was confirmed, with the verdict of the screening that this makes due.
 * Without a verdict its workflow screens it.
 */
export function releaseRecord(
  own: TransactionRecord,
  counterpart: TransactionRecord | null,
  verdict: ScreeningVerdict | null,
  now: Date,
): PairChange {
  const released: RecordChange = {
    after: releasedRecord(own, now),
    events: [releasedEvent(own)],
    notify: true,
    wakesWorkflow: false,
  };
  const decided = verdict ? applyVerdict(released.after, counterpart, verdict, now) : NO_CHANGE;
  const change = followedBy(released, decided.own);
  // Its workflow screens it, or decides again at the end of a rule's wait.
  const wakesWorkflow = own.sealed && needsScreening(change.after);
  return { ...decided, own: { ...change, wakesWorkflow } };
}

function releasedEvent({ destinationWalletId }: TransactionRecord): EventDraft {
  return {
    type: 'RELEASED',
    message: 'The destination wallet was confirmed; personal data that was hidden is visible now.',
    actor: SYSTEM,
    data: { walletId: destinationWalletId },
  };
}
