import { SYSTEM } from '../../events/actor.ts';
import type { EventDraft } from '../../events/event.ts';
import type { RecordChange } from '../change.ts';
import type { TransactionRecord } from '../record.ts';

/**
 * The RELEASED event that is still missing in the log of a record whose destination wallet was confirmed; null if none
 * is. The data became visible at `updatedAt`, so this event must precede all later ones.
 */
export function owedRelease(record: TransactionRecord): EventDraft | null {
  if (record.releaseId === null) return null;
  return {
    type: 'RELEASED',
    message: 'The destination wallet was confirmed; personal data that was hidden is visible now.',
    actor: SYSTEM,
    data: { walletId: record.destinationWalletId },
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
