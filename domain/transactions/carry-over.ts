import { COUNTERPARTY } from '../events/actor.ts';
import type { EventDraft } from '../events/event.ts';
import type { RecordChange } from './change.ts';
import type { TransactionRecord } from './record.ts';
import { mayMove } from './state.ts';

/** Fields that never leave the tenant. */
const OWN_FIELDS = new Set(['metadata', 'internalNote', 'statusReasoning', 'statusReasonCode']);
const HASH_FIELD = 'blockchainInfo.transactionHash';

/** Whether a change of the field is told to the counterparty as a new version of the data. */
export function isSent(field: string): boolean {
  return !OWN_FIELDS.has(field) && field !== HASH_FIELD;
}

/**
 * What a change of one side of a native exchange makes of the other side: a decision of the beneficiary VASP and a
 * withdrawal of the originator VASP reach the other record, and so do data and hash that the originator VASP sends
 * later. Null when the other side has nothing to learn. `counterpart` must not be deleted.
 */
export function carryOver(
  own: TransactionRecord,
  change: RecordChange,
  counterpart: TransactionRecord,
  changedFields: readonly string[],
  now: Date,
): RecordChange | null {
  const carried = [
    carryStatus(own, change.after, counterpart),
    own.direction === 'OUTGOING' ? carryData(change.after, counterpart, changedFields) : null,
  ].filter((part) => part !== null);
  if (carried.length === 0) return null;
  const after = carried.reduce((record, part) => part.apply(record), counterpart);
  return {
    after: { ...after, updatedAt: now },
    events: carried.flatMap((part) => part.events),
    notify: true,
    poke: after.direction === 'OUTGOING' && after.status !== counterpart.status,
  };
}

interface Carried {
  apply(record: TransactionRecord): TransactionRecord;
  events: EventDraft[];
}

function carryStatus(
  own: TransactionRecord,
  after: TransactionRecord,
  counterpart: TransactionRecord,
): Carried | null {
  const { status } = after;
  if (own.status === status || !mayMove(counterpart.direction, counterpart.status, status)) return null;
  return {
    apply: (record) => answered(record, after),
    events: [
      {
        type: 'STATUS_CHANGED',
        message:
          own.direction === 'INCOMING'
            ? 'The counterparty answered.'
            : 'The originator withdrew the transfer.',
        actor: COUNTERPARTY,
        previousStatus: counterpart.status,
        newStatus: status,
        basis: { kind: 'COUNTERPARTY' },
      },
    ],
  };
}

/** Of the reasons only `statusReasoning` and `statusReasonCode` go out. */
function answered(record: TransactionRecord, decided: TransactionRecord): TransactionRecord {
  return {
    ...record,
    status: decided.status,
    subStatus: decided.status === 'CONFIRMED' && !record.transactionHash ? 'AWAITING_TRANSACTION_HASH' : null,
    statusReasonCode: decided.statusReasonCode,
    isDestinationConfirmed:
      record.direction === 'OUTGOING' ? ownership(decided) : record.isDestinationConfirmed,
    deadlineAt: null,
    wakeAt: null,
    personal: { ...record.personal, statusReasoning: decided.personal.statusReasoning },
  };
}

function ownership(decided: TransactionRecord): boolean | null {
  if (decided.status === 'CONFIRMED') return true;
  return decided.statusReasonCode === 'UNKNOWN_ADDRESS' ? false : null;
}

function carryData(
  after: TransactionRecord,
  counterpart: TransactionRecord,
  changedFields: readonly string[],
): Carried | null {
  const dataFields = changedFields.filter(isSent);
  const hashChanged = changedFields.includes(HASH_FIELD);
  if (dataFields.length === 0 && !hashChanged) return null;
  const events: EventDraft[] = [];
  if (dataFields.length > 0) {
    events.push({
      type: 'DATA_UPDATED',
      message: 'The originator sent a new version of the data.',
      actor: COUNTERPARTY,
      data: { fields: dataFields },
    });
  }
  if (hashChanged) events.push(hashEvent(counterpart, after));
  return { apply: (record) => withSentData(record, after), events };
}

function hashEvent(before: TransactionRecord, after: TransactionRecord): EventDraft {
  const [type, message] =
    after.transactionHash === null
      ? ['HASH_REMOVED', 'The originator removed the transaction hash.']
      : before.transactionHash === null
        ? ['HASH_ADDED', 'The originator added the transaction hash.']
        : ['HASH_REPLACED', 'The originator replaced the transaction hash.'];
  return { type, message, actor: COUNTERPARTY };
}

/** The receiver's record with what the originator VASP's record says now. */
export function withSentData(record: TransactionRecord, sent: TransactionRecord): TransactionRecord {
  const awaited = record.subStatus === 'AWAITING_TRANSACTION_HASH' && sent.transactionHash !== null;
  return {
    ...record,
    subStatus: awaited ? null : record.subStatus,
    transactionHash: sent.transactionHash,
    hashNormal: sent.hashNormal,
    blockchain: sent.blockchain,
    blockchainKey: sent.blockchainKey,
    destinationNormal: sent.destinationNormal,
    origin: sent.origin,
    originNormal: sent.originNormal,
    personal: {
      ...record.personal,
      originator: sent.personal.originator,
      beneficiary: sent.personal.beneficiary,
      additionalOriginators: sent.personal.additionalOriginators,
      vaspInfo: sent.personal.vaspInfo,
    },
  };
}
