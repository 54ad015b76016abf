import { SYSTEM } from '../../events/actor.ts';
import type { EventDraft } from '../../events/event.ts';
import type { RecordChange } from '../change.ts';
import type { DestinationWallet } from '../exchanging/deliver-native.ts';
import type { TransactionRecord } from '../record.ts';
import { isFinal } from '../state.ts';

/**
 * The RELEASED event that is still missing in the log of a record whose destination wallet was confirmed; null if none
 * is. The data became visible at `updatedAt`, so this event must precede all later ones.
 */
export function owedRelease(record: TransactionRecord): EventDraft | null {
  return record.releaseId === null ? null : releasedEvent(record.destinationWalletId);
}

function releasedEvent(walletId: number | null): EventDraft {
  return {
    type: 'RELEASED',
    message: 'The destination is confirmed as a wallet of its own: hidden personal data is visible now.',
    actor: SYSTEM,
    data: { walletId },
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
  const isReleased = after.sealed && confirmed;
  return {
    ...change,
    after: {
      ...after,
      destinationWalletId: wallet?.id ?? null,
      isDestinationConfirmed: confirmed,
      sealed: after.sealed && !isReleased,
      awaitsWallet: !confirmed && !after.sealed && !isFinal(after.status),
    },
    events: isReleased ? [...change.events, releasedEvent(wallet?.id ?? null)] : change.events,
  };
}

/** Writes the missing RELEASED event and sends the webhook. Every other change of the record also writes it first. */
export function finishRelease(record: TransactionRecord, now: Date): RecordChange {
  return {
    after: { ...record, updatedAt: now },
    events: [],
    notify: true,
    wakesWorkflow: record.screeningState === 'DUE',
  };
}
