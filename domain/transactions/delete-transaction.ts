import { COUNTERPARTY, type Actor } from '../events/actor.ts';
import type { PairChange, RecordChange } from './change.ts';
import type { TransactionRecord } from './record.ts';
import { withoutRepair } from './repair.ts';
import { waitsForOwner } from './self-hosted-wallet.ts';

/** Hides a record from its tenant. Data that was already sent stays with the counterparty, which is notified. */
export function deleteTransaction(
  own: TransactionRecord,
  counterpart: TransactionRecord | null,
  { actor, now }: { actor: Actor; now: Date },
): PairChange {
  const gone: RecordChange = {
    after: { ...own, deletedAt: now, updatedAt: now, deadlineAt: null, wakeAt: null, releaseId: null },
    events: [{ type: 'DELETED', message: 'The transaction was deleted.', actor, previousStatus: own.status }],
    notify: false,
    wakesWorkflow: own.wakeAt !== null || own.hold !== null || waitsForOwner(own),
  };
  return { own: gone, counterpart: counterpart && counterpartNotice(counterpart, now), forwarded: null };
}

function counterpartNotice(counterpart: TransactionRecord, now: Date): RecordChange {
  return {
    // The requested data can no longer be given, and nobody waits for it.
    after: { ...withoutRepair(counterpart), updatedAt: now },
    events: [
      {
        type: 'COUNTERPARTY_DELETED',
        message: 'The counterparty deleted its record of this transfer.',
        actor: COUNTERPARTY,
      },
    ],
    notify: true,
    wakesWorkflow: false,
  };
}

/** Logs in a deleted record that somebody read it, and why. */
export function readFromArchive(
  own: TransactionRecord,
  { actor, reason }: { actor: Actor; reason: string },
  now: Date,
): PairChange {
  const reading = { at: now.toISOString(), reason };
  const archiveReadings = [...(own.personal.archiveReadings ?? []), reading];
  return {
    own: {
      after: { ...own, personal: { ...own.personal, archiveReadings } },
      events: [{ type: 'ARCHIVE_READ', message: 'The deleted record was read from the archive.', actor }],
      notify: false,
      wakesWorkflow: false,
    },
    counterpart: null,
    forwarded: null,
  };
}
