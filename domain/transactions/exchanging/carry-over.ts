import { COUNTERPARTY } from '../../events/actor.ts';
import type { EventDraft } from '../../events/event.ts';
import type { RecordChange } from '../change.ts';
import { HASH_FIELD } from '../changed-fields.ts';
import { setPartyFields, type Party, type PartyPatch } from '../../parties/party.ts';
import { carryRepair } from '../repairing/carry-repair.ts';
import type { PersonalData, TransactionRecord, VaspInfo } from '../record.ts';
import { markForScreening, isScreened, needsScreening } from '../screening-due.ts';
import { isFinal, mayMove } from '../state.ts';
import { isCompleted, takenBack, takenBackEvent, withReceived } from './complete-own-record.ts';

/** Fields that never leave the tenant. */
const OWN_FIELDS = new Set(['metadata', 'internalNote', 'statusReasoning', 'statusReasonCode']);

/** Whether a change of the field is sent to the counterparty as a new version of the data. */
function isSent(field: string): boolean {
  return !OWN_FIELDS.has(field) && field !== HASH_FIELD;
}

/** Whether a change of the field is sent: the data, and the hash, which is carried over by itself. */
export function isForwarded(field: string): boolean {
  return isSent(field) || field === HASH_FIELD;
}

interface CarryOverInput {
  own: TransactionRecord;
  /** The change of `own`. */
  change: RecordChange;
  /** The other VASP's record; must not be deleted. */
  counterpart: TransactionRecord;
  changedFields?: readonly string[];
  now: Date;
}

/**
 * The change of the counterparty's record that follows from a change of one's own: the beneficiary VASP's decision, the
 * originator VASP's withdrawal, data or a hash that the originator VASP sends later, and what is asked for. A record that the counterparty
 * made itself keeps its own data beside what is sent, and is given back by a withdrawal. Null when nothing follows.
 */
export function carryOver({
  own,
  change,
  counterpart,
  changedFields = [],
  now,
}: CarryOverInput): RecordChange | null {
  const sends = own.direction === 'OUTGOING';
  const version = isCompleted(counterpart)
    ? [carryVersion(change.after, changedFields, now)]
    : [
        carryData(change.after, changedFields.filter(isSent), counterpart),
        changedFields.includes(HASH_FIELD) ? carryHash(change.after, counterpart) : null,
      ];
  const status =
    sends && isCompleted(counterpart)
      ? carryWithdrawal(own, change.after, counterpart, now)
      : carryStatus(own, change.after, { counterpart, changedFields });
  const repair = carryRepair(own, change.after);
  const carried = [...(sends ? version : []), repair, status].filter((part) => part !== null);
  if (carried.length === 0) return null;
  const after = carried.reduce((record, part) => part.apply(record), counterpart);
  // No rule confirms the record before all requested data is given; the rules are evaluated then, whatever has changed.
  const isDecidedAgain = repair?.isEnded === true || changedFields.some((field) => isScreened(field, after));
  const isScreenedAgain = sends && isDecidedAgain && isScreenable(after);
  return {
    after: { ...(isScreenedAgain ? markForScreening(after, now) : after), updatedAt: now },
    events: carried.map((part) => part.event),
    notify: true,
    wakesWorkflow: isScreenedAgain || isMoved(counterpart, after) || (repair !== null && !sends),
  };
}

/** Whether the workflow of the changed record has something to end or to take up. */
function isMoved(before: TransactionRecord, after: TransactionRecord): boolean {
  if (after.direction === 'OUTGOING') return after.status !== before.status;
  return after.pairId === null && after.wakeAt !== null;
}

/**
 * Whether new data is screened. A held record is screened too: the reviewer needs the findings. So is a record that its
 * tenant confirmed before the message came: its answer waits for that. A sealed one is screened when it is released.
 */
function isScreenable(record: TransactionRecord): boolean {
  const { screeningState, status, blockedBy, sealed } = record;
  const owesAnswer = isCompleted(record) && status === 'CONFIRMED' && blockedBy === null;
  return screeningState !== null && !sealed && (!isFinal(status) || owesAnswer);
}

interface CarriedChange {
  apply: (record: TransactionRecord) => TransactionRecord;
  event: EventDraft;
}

/** A new version of the message that completed the counterparty's own record. */
function carryVersion(
  after: TransactionRecord,
  changedFields: readonly string[],
  now: Date,
): CarriedChange | null {
  const fields = changedFields.filter(isForwarded);
  if (fields.length === 0) return null;
  return {
    apply: (record) => withReceived(record, after, now),
    event: {
      type: 'DATA_UPDATED',
      message: 'The originator sent a new version of the data; it stands beside the own one.',
      actor: COUNTERPARTY,
      data: { fields },
    },
  };
}

/** The withdrawal of a message that completed the counterparty's own record. */
function carryWithdrawal(
  own: TransactionRecord,
  { status }: TransactionRecord,
  counterpart: TransactionRecord,
  now: Date,
): CarriedChange | null {
  if (own.status === status || status !== 'CANCELLED') return null;
  const after = takenBack(counterpart, now);
  return { apply: (record) => takenBack(record, now), event: takenBackEvent(counterpart, after) };
}

function carryStatus(
  own: TransactionRecord,
  after: TransactionRecord,
  { counterpart, changedFields }: Required<Pick<CarryOverInput, 'counterpart' | 'changedFields'>>,
): CarriedChange | null {
  const { status } = after;
  if (own.status === status || !mayMove(counterpart.direction, counterpart.status, status)) return null;
  return {
    apply: (record) => answered(record, withSentReasoning(after, changedFields)),
    event: {
      type: 'STATUS_CHANGED',
      message:
        own.direction === 'INCOMING' ? 'The counterparty answered.' : 'The originator withdrew the transfer.',
      actor: COUNTERPARTY,
      previousStatus: counterpart.status,
      newStatus: status,
      basis: { kind: 'COUNTERPARTY' },
    },
  };
}

/** The reasons that the other side learns with a status. */
type SentReasons = Pick<TransactionRecord, 'statusReasonCode'> & Pick<PersonalData, 'statusReasoning'>;

/** Leaves out what the tenant wrote into its own record before the message came: it was not meant for the sender. */
function withSentReasoning(after: TransactionRecord, changedFields: readonly string[]): TransactionRecord {
  if (!isCompleted(after) || changedFields.includes('statusReasoning')) return after;
  return { ...after, personal: { ...after.personal, statusReasoning: null } };
}

/** What the sender of a message learns of a stop that its receiver's rules or reviewers made. */
const NEUTRAL_SENTENCE = 'The beneficiary VASP does not accept this transfer.';

/** The reasons of a decision as the other side learns them: of a block nothing but a neutral code and sentence. */
function sentReasons({ status, blockedBy, statusReasonCode, personal }: TransactionRecord): SentReasons {
  if (blockedBy === null) return { statusReasonCode, statusReasoning: personal.statusReasoning };
  if (status === 'CANCELLED') return { statusReasonCode: 'CANCELLED_BY_SENDER', statusReasoning: null };
  return { statusReasonCode: 'COMPLIANCE', statusReasoning: NEUTRAL_SENTENCE };
}

/** The record with the other side's decision. A hold ends with a record that is declined or cancelled. */
export function answered(record: TransactionRecord, decided: TransactionRecord): TransactionRecord {
  const { statusReasonCode, statusReasoning } = sentReasons(decided);
  const isOver = decided.status === 'DECLINED' || decided.status === 'CANCELLED';
  return {
    ...record,
    status: decided.status,
    ...(isOver && { hold: null, ruleWaitUntil: null, isScreeningDelayed: false }),
    statusReasonCode,
    isDestinationConfirmed:
      record.direction === 'OUTGOING' ? ownership(decided) : record.isDestinationConfirmed,
    deadlineAt: null,
    wakeAt: needsScreening({ ...record, status: decided.status }) ? record.wakeAt : null,
    personal: { ...record.personal, statusReasoning },
  };
}

function ownership(decided: TransactionRecord): boolean | null {
  if (decided.status === 'CONFIRMED') return true;
  return decided.statusReasonCode === 'UNKNOWN_ADDRESS' ? false : null;
}

function carryData(
  after: TransactionRecord,
  fields: string[],
  { sealed }: TransactionRecord,
): CarriedChange | null {
  if (fields.length === 0) return null;
  return {
    apply: (record) => withChangedData(record, after, fields),
    event: {
      type: 'DATA_UPDATED',
      message: 'The originator sent a new version of the data.',
      actor: COUNTERPARTY,
      data: { fields: sealed ? visibleFields(fields) : fields },
    },
  };
}

/** Hidden data goes by one word: even which of its fields there are says something of the parties. */
function visibleFields(fields: readonly string[]): string[] {
  const isHidden = (field: string) =>
    /^(originator|beneficiary)\.|^additionalOriginators$/.test(field) ||
    field === 'vaspInfo.beneficiaryVaspExtraInfo';
  const visible = fields.filter((field) => !isHidden(field));
  return visible.length < fields.length ? [...visible, 'parties'] : visible;
}

/** The receiver's record with the fields that the originator VASP changed; the receiver's own additions stay. */
function withChangedData(
  record: TransactionRecord,
  sent: TransactionRecord,
  fields: readonly string[],
): TransactionRecord {
  const { personal } = record;
  const party = (section: 'originator' | 'beneficiary'): Party | null =>
    setPartyFields(personal[section], changesOf(section, sent.personal[section], fields) as PartyPatch);
  const vaspInfo = changesOf('vaspInfo', sent.personal.vaspInfo, fields) as Partial<VaspInfo>;
  const listChanged = fields.includes('additionalOriginators');
  return {
    ...record,
    ...(fields.some((field) => field.startsWith('blockchainInfo.')) ? addressFields(sent) : {}),
    personal: {
      ...personal,
      originator: party('originator'),
      beneficiary: party('beneficiary'),
      additionalOriginators: (listChanged ? sent : record).personal.additionalOriginators,
      vaspInfo: { ...personal.vaspInfo, ...vaspInfo },
    },
  };
}

/** The section's changed fields with their new values, null where they were cleared. */
function changesOf(section: string, sent: object | null, fields: readonly string[]): object {
  const values = new Map<string, unknown>(Object.entries(sent ?? {}));
  const names = fields.filter((field) => field.startsWith(`${section}.`));
  const fieldNames = names.map((name) => name.slice(section.length + 1));
  return Object.fromEntries(fieldNames.map((name) => [name, values.get(name) ?? null]));
}

/** The blockchain with its addresses: their normal forms depend on it. */
function addressFields(sent: TransactionRecord) {
  const { blockchain, blockchainKey, destinationNormal, origin, originNormal } = sent;
  return { blockchain, blockchainKey, destinationNormal, origin, originNormal };
}

function carryHash(after: TransactionRecord, counterpart: TransactionRecord): CarriedChange | null {
  const { transactionHash, hashNormal } = after;
  if (hashNormal === counterpart.hashNormal) return null;
  return {
    apply: (record) => ({ ...record, transactionHash, hashNormal }),
    event: hashEvent(counterpart, after),
  };
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
