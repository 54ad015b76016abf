import { SYSTEM } from '../events/actor.ts';
import { NO_CHANGE, type PairChange } from './change.ts';
import type { TransactionRecord } from './record.ts';

/**
 * The last change of a record: its personal data and what leads to it are removed with it. The log stays, and says when. The
 * counterparty keeps its own record as long as it has to.
 */
export function eraseTransaction(own: TransactionRecord, now: Date): PairChange {
  if (own.legalHoldAt !== null) return NO_CHANGE;
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
      events: [
        {
          type: 'ERASED',
          message: 'The time to keep the record is over: its data was erased.',
          actor: SYSTEM,
        },
      ],
      notify: false,
      // A workflow that still waits for something ends.
      wakesWorkflow: own.deletedAt === null && own.wakeAt !== null,
    },
    counterpart: null,
    forwarded: null,
  };
}
