import { SYSTEM } from '../../events/actor.ts';
import type { EventDraft } from '../../events/event.ts';
import type { RecordChange } from '../change.ts';
import type { TransactionRecord } from '../record.ts';

/**
 * What the log of a record still lacks: that its destination wallet was confirmed. The data became visible at
 * `updatedAt`; whatever is written to the record next comes after this entry. Null when nothing is lacking.
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

/** Brings the entry that is owed, and with it the webhook. Every other change of the record does the same first. */
export function finishRelease(record: TransactionRecord, now: Date): RecordChange {
  return {
    after: { ...record, updatedAt: now },
    events: [],
    notify: true,
    wakesWorkflow: record.screeningState === 'DUE',
  };
}
