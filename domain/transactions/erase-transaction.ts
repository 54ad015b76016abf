import { SYSTEM } from '../events/actor.ts';
import { ERASURE_MESSAGES, type ErasureReason } from '../erasure-reason.ts';
import { NO_CHANGE, type PairChange } from './change.ts';
import type { TransactionRecord } from './record.ts';

/**
 * The last change of a record: its personal data and what leads to it are removed with it. The log stays, and says when. The
 * counterparty keeps its own record as long as it has to. A legal hold keeps the record from the end of its time, not from that of its
 * tenant.
 */
export function eraseTransaction(own: TransactionRecord, now: Date, reason: ErasureReason): PairChange {
  if (own.legalHoldAt !== null && reason === 'RETENTION') return NO_CHANGE;
  return {
    own: {
      after: {
        ...own,
        deletedAt: own.deletedAt ?? now,
        updatedAt: now,
        deadlineAt: null,
        wakeAt: null,
        announceAt: null,
        releaseId: null,
        relatedTransactionId: null,
      },
      events: [{ type: 'ERASED', message: ERASURE_MESSAGES[reason], actor: SYSTEM }],
      notify: false,
      // A workflow that still waits for something ends.
      wakesWorkflow: own.deletedAt === null && own.wakeAt !== null,
    },
    counterpart: null,
    forwarded: null,
  };
}
