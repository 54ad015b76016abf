import { SYSTEM } from '../../events/actor.ts';
import { followedBy, type RecordChange } from '../change.ts';
import { outcomeOf } from '../clearance.ts';
import type { TransactionRecord } from '../record.ts';
import { markForScreening, needsScreening } from '../screening-due.ts';
import { isSelfHosted } from '../self-hosted-wallet.ts';
import { isFinal } from '../state.ts';
import { withoutReceived, withReceived } from './complete-own-record.ts';

interface RelationInput {
  /** Whether the own record names the sender of the message. */
  isNamed: boolean;
  /** Whether the own record was related with the message before and named its sender then. */
  wasNamed: boolean;
  /** Whether the own record was related with the message before it named the sender: then it is filled from it. */
  fills: boolean;
  now: Date;
}

/** The changes of a tenant's two records of one transfer; null where nothing changes. */
export interface RelatedChanges {
  /** The record of the message. */
  message: RecordChange | null;
  /** The record that the tenant made itself. */
  own: RecordChange | null;
}

/**
 * Relates a tenant's own record with the record of a message for the same transfer: nothing is merged, ended or decided.
 * A decision that was made on the message before does not count for the own record, since the sender may have given the
 * message another hash afterwards.
 */
export function relateRecords(
  message: TransactionRecord,
  own: TransactionRecord,
  { isNamed, wasNamed, fills, now }: RelationInput,
): RelatedChanges {
  const linked = relatedTo(own, message.id, now);
  const named = isNamed ? namedSender(linked?.after ?? own, message, { wasNamed, fills, now }) : null;
  return {
    message: relatedTo(message, own.id, now),
    own: linked && named ? followedBy(linked, named) : (linked ?? named),
  };
}

/** The record that names its related one; null if it does so already. */
function relatedTo(record: TransactionRecord, relatedId: string, now: Date): RecordChange | null {
  if (record.relatedTransactionId === relatedId) return null;
  return {
    after: { ...record, relatedTransactionId: relatedId, updatedAt: now },
    events: [
      {
        type: 'RELATED',
        message: 'Another record of this tenant is of the same transfer.',
        actor: SYSTEM,
        data: { transactionId: relatedId },
      },
    ],
    notify: true,
    wakesWorkflow: false,
  };
}

/** The own record once it is known to name the sender of the message; null if that was known before. */
function namedSender(
  own: TransactionRecord,
  message: TransactionRecord,
  { wasNamed, fills, now }: Omit<RelationInput, 'isNamed'>,
): RecordChange | null {
  if (wasNamed && own.counterpartyEntityId === message.counterpartyEntityId) return null;
  const named = { ...own, counterpartyEntityId: message.counterpartyEntityId, updatedAt: now };
  const isFilled = fills && !isFinal(own.status) && !message.sealed;
  return {
    after: isFilled ? filledFrom(message, named, now) : named,
    events: [
      {
        type: isFilled ? 'COMPLETED' : 'SENDER_NAMED',
        message: 'The originator VASP that this record names has sent the related message.',
        actor: SYSTEM,
        data: { transactionId: message.id, entityId: message.counterpartyEntityId },
      },
    ],
    notify: true,
    wakesWorkflow: isFilled,
  };
}

function filledFrom(message: TransactionRecord, own: TransactionRecord, now: Date): TransactionRecord {
  const filled = withReceived(own, message, now);
  return filled.screeningState === null ? filled : markForScreening(filled, now);
}

/**
 * The tenant's own undecided record with the decision that is now made on the message of the same transfer, from the VASP
 * that the record names. Null where the message is not decided, its record is not clear or of another amount, or the own
 * record is held for a review.
 */
export function takenDecision(
  own: TransactionRecord,
  message: TransactionRecord,
  now: Date,
): RecordChange | null {
  if (!isDecisive(message) || !waitsForDecision(own)) return null;
  const { counterpartyEntityId, hashNormal } = own;
  const isOfSender = counterpartyEntityId !== null && counterpartyEntityId === message.counterpartyEntityId;
  if (!isOfSender || hashNormal !== message.hashNormal || !isSameAmount(own, message)) return null;
  const { status, statusReasonCode, blockedBy, blockedHold, personal } = message;
  const decided: TransactionRecord = {
    ...own,
    status,
    statusReasonCode,
    blockedBy,
    blockedHold,
    awaitsProof: false,
    deadlineAt: null,
    updatedAt: now,
    personal: { ...own.personal, statusReasoning: personal.statusReasoning },
  };
  const isDue = needsScreening(decided);
  return {
    after: { ...decided, isScreeningDelayed: isDue && own.isScreeningDelayed, wakeAt: isDue ? now : null },
    events: [
      {
        type: 'STATUS_CHANGED',
        message: 'Decided as the message of this transfer was.',
        actor: SYSTEM,
        previousStatus: own.status,
        newStatus: status,
        data: { transactionId: message.id },
      },
    ],
    notify: true,
    wakesWorkflow: isDue || isSelfHosted(own),
  };
}

/** An amount that is not given fits any. */
function isSameAmount({ amount }: TransactionRecord, message: TransactionRecord): boolean {
  return amount === null || message.amount === null || amount === message.amount;
}

/** Whether a message is decided for good: accepted with nothing against it, or declined. */
export function isDecisive(message: TransactionRecord): boolean {
  if (message.direction !== 'INCOMING' || message.pairId === null || message.deletedAt !== null) return false;
  if (message.status === 'CONFIRMED') return outcomeOf(message) === 'GO';
  return message.status === 'DECLINED';
}

function waitsForDecision({ direction, status, pairId, hold, deletedAt }: TransactionRecord): boolean {
  const isOwn = direction === 'INCOMING' && pairId === null && deletedAt === null;
  return isOwn && !isFinal(status) && hold === null;
}

/**
 * Both records when the own one no longer fits the message that it was related with, because it names another VASP or
 * another hash: they are two transfers, and the own record gives back what it had from the message.
 */
export function partRecords(message: TransactionRecord, own: TransactionRecord, now: Date): RelatedChanges {
  const isRelated = message.relatedTransactionId === own.id;
  return { message: isRelated ? parted(message, now) : null, own: parted(withoutReceived(own), now) };
}

function parted(record: TransactionRecord, now: Date): RecordChange {
  return {
    after: { ...record, relatedTransactionId: null, updatedAt: now },
    events: [
      {
        type: 'UNRELATED',
        message: 'The other record is of another transfer after all.',
        actor: SYSTEM,
        data: { transactionId: record.relatedTransactionId },
      },
    ],
    notify: true,
    wakesWorkflow: false,
  };
}
