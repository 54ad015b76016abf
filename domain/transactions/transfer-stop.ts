import { DomainError } from '../errors.ts';
import { SYSTEM } from '../events/actor.ts';
import type { RecordChange } from './change.ts';
import type { TransactionRecord } from './record.ts';
import type { TransferStop } from './state.ts';

/** What stands against the transfer of a record by that record itself; the statement `TRANSFER_STOPS` in db computes the same. */
export function stopOf(record: TransactionRecord): TransferStop | null {
  const { direction, status, hold, blockedBy, blockedHold } = record;
  if (direction !== 'INCOMING') return null;
  if (blockedBy !== null || (status === 'DECLINED' && blockedHold !== null)) return 'BLOCKED';
  return hold !== null && status !== 'DECLINED' && status !== 'CANCELLED' ? 'HELD' : null;
}

/** Whether a record is one that its tenant made itself and that no message has completed: other records may stop it. */
export function isStoppable({ direction, pairId, deletedAt }: TransactionRecord): boolean {
  return direction === 'INCOMING' && pairId === null && deletedAt === null;
}

/**
 * Whether an own record names an originator VASP that nobody here is. Whoever sends messages here is known, so none of them is
 * of the VASP that it names.
 */
export function namesUnknownVasp({ counterpartyEntityId, personal }: TransactionRecord): boolean {
  return counterpartyEntityId === null && personal.vaspInfo.originatorVaspName !== null;
}

/** What stands against a transfer, and the id of the record that says it. */
export interface TransferStopBy {
  stop: TransferStop | null;
  byId: string | null;
}

/** The own record with what now stands against its transfer by another record, of that id. */
export function withTransferStop(
  own: TransactionRecord,
  { stop, byId }: TransferStopBy,
  now: Date,
): RecordChange {
  return {
    after: { ...own, transferStop: stop, updatedAt: now },
    events: [
      {
        type: stop === null ? 'RELATED_CLEARED' : `RELATED_${stop}`,
        message: MESSAGES[stop ?? 'NONE'],
        actor: SYSTEM,
        data: { transactionId: byId },
      },
    ],
    notify: true,
    wakesWorkflow: false,
  };
}

const MESSAGES = {
  HELD: 'Another record of this transfer waits for a review.',
  BLOCKED: 'Another record of this transfer was stopped.',
  NONE: 'No other record of this transfer stands against it any more.',
};

type StoppedElsewhere = TransactionRecord & { transferStop: TransferStop };

/**
 * Whether no review of this record may let it pass, because of another record of the transfer. A hold of its own may be
 * lifted while the other one is held: the clearance stays WAIT.
 */
export function isStoppedElsewhere(own: TransactionRecord): own is StoppedElsewhere {
  return own.transferStop === 'BLOCKED' || (own.transferStop === 'HELD' && own.hold === null);
}

/** The refusal to confirm a record while another one of the transfer is held, or was stopped. */
export function transferStopped(stop: TransferStop): DomainError {
  return stop === 'HELD'
    ? new DomainError(
        'review_required',
        'Another record of this transfer is held: review that one first (GET /transactions?_transactionHash=…).',
      )
    : new DomainError(
        'conflict',
        'Another record of this transfer was stopped by a reviewer or a rule, and that stands for this one, too.',
      );
}
