import { SYSTEM } from '../../events/actor.ts';
import type { EventDraft } from '../../events/event.ts';
import { withoutVerdict } from '../announcement.ts';
import { followedBy, NO_CHANGE, type PairChange, type RecordChange } from '../change.ts';
import { applyVerdict, type ScreeningVerdict } from '../deciding/apply-verdict.ts';
import { needsScreening } from '../screening-due.ts';
import type { DestinationWallet } from '../exchanging/deliver-native.ts';
import type { TransactionRecord } from '../record.ts';
import { isFinal } from '../state.ts';

/**
 * The record as its tenant sees it once the destination wallet is confirmed. What is still open is due for screening:
 * nothing was screened while its data was hidden.
 */
export function releasedRecord(own: TransactionRecord, now: Date): TransactionRecord {
  const visible: TransactionRecord = {
    ...own,
    sealed: false,
    awaitsWallet: false,
    isDestinationConfirmed: true,
    releaseId: null,
    updatedAt: now,
  };
  const isDue = own.sealed ? needsScreening(visible) : isDecidedAnew(own);
  return isDue ? { ...visible, ...withoutVerdict(now) } : visible;
}

/** Whether the rules decide again: without the wallet they could not confirm the message. */
function isDecidedAnew({ awaitsWallet, status, hold, screeningState }: TransactionRecord): boolean {
  return awaitsWallet && status === 'DELIVERED' && hold === null && screeningState !== null;
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
  // The record's workflow screens it, or decides again at the end of a rule's wait.
  const wakesWorkflow = needsScreening(change.after);
  return { ...decided, own: { ...change, wakesWorkflow } };
}

function releasedEvent({ destinationWalletId }: TransactionRecord): EventDraft {
  return {
    type: 'RELEASED',
    message: 'The destination is confirmed as a wallet of its own: hidden personal data is visible now.',
    actor: SYSTEM,
    data: { walletId: destinationWalletId },
  };
}

/**
 * The change of a received message whose blockchain has changed, once the destination is matched with the wallets of
 * the new one. Data that is visible stays visible, but without a confirmed wallet nobody may confirm the message; data
 * that was hidden becomes visible with one. A decided message only shows it.
 */
export function matchedAnew(change: RecordChange, wallet: DestinationWallet | null): RecordChange {
  const { after } = change;
  const confirmed = wallet?.confirmed ?? false;
  // A release that was under way was for the wallet of the old one.
  const matched = {
    ...after,
    destinationWalletId: wallet?.id ?? null,
    isDestinationConfirmed: confirmed,
    releaseId: null,
  };
  if (!after.sealed || !confirmed) {
    const awaitsWallet = !confirmed && !after.sealed && !isFinal(after.status);
    return { ...change, after: { ...matched, awaitsWallet } };
  }
  const released = releasedRecord(matched, after.updatedAt);
  return {
    ...change,
    after: released,
    events: [...change.events, releasedEvent(released)],
    wakesWorkflow: change.wakesWorkflow || needsScreening(released),
  };
}
