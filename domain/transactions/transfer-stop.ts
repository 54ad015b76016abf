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
 * Whether an own record names an originator VASP that nobody here is. No message of a known VASP is of the one that it
 * names; one that nobody vouches for may be.
 */
export function namesUnknownVasp({ counterpartyEntityId, personal }: TransactionRecord): boolean {
  return counterpartyEntityId === null && personal.vaspInfo.originatorVaspName !== null;
}

/**
 * Whether an own record that names no VASP of the directory is held once where a message of its transfer was stopped that may be
 * of the same sender. No stranger can hold it a second time.
 */
export function isDoubtable(own: TransactionRecord): boolean {
  const { counterpartyEntityId, hold, personal } = own;
  return counterpartyEntityId === null && hold === null && !isOver(own) && personal.doubtedBy === undefined;
}

function isOver({ status, blockedBy }: TransactionRecord): boolean {
  return status === 'DECLINED' || status === 'CANCELLED' || blockedBy !== null;
}

/** The own record held for a review, because of the stopped message of that id. */
export function heldForDoubt(own: TransactionRecord, byId: string, now: Date): RecordChange {
  return heldFor(own, { byId, message: DOUBT, now });
}

/**
 * The own record that was stopped, held for a review: it names another VASP than before, for which the stopped record of that id
 * does not count. Null where it is held already, or over.
 */
export function heldForRename(own: TransactionRecord, byId: string, now: Date): RecordChange | null {
  return own.hold === null && !isOver(own) ? heldFor(own, { byId, message: RENAMED, now }) : null;
}

const DOUBT =
  'Held for review: a message of this transfer was stopped, and nobody knows whether it is of the same sender.';
const RENAMED =
  'Held for review: another record of this transfer was stopped before the VASP named here was changed.';

function heldFor(
  own: TransactionRecord,
  { byId, message, now }: { byId: string; message: string; now: Date },
): RecordChange {
  const { status } = own;
  return {
    after: {
      ...own,
      hold: 'COUNTERPARTY',
      updatedAt: now,
      personal: { ...own.personal, doubtedBy: byId },
    },
    events: [
      {
        type: 'HELD',
        message,
        actor: SYSTEM,
        previousStatus: status,
        newStatus: status,
        data: { hold: 'COUNTERPARTY', transactionId: byId },
      },
    ],
    notify: true,
    wakesWorkflow: false,
  };
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
  const { stoppedBy: _stoppedBy, ...personal } = own.personal;
  return {
    after: { ...own, transferStop: stop, updatedAt: now, personal },
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

/** The own record that waits on for the held record of that id, for which it waited before it named another VASP. */
export function waitingOn(own: TransactionRecord, byId: string, now: Date): RecordChange {
  return {
    after: { ...own, updatedAt: now, personal: { ...own.personal, stoppedBy: byId } },
    events: [
      {
        type: 'RELATED_HELD',
        message: 'Another record of this transfer still waits for a review, whatever VASP is named here now.',
        actor: SYSTEM,
        data: { transactionId: byId },
      },
    ],
    notify: false,
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
