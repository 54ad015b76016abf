import { COUNTERPARTY } from '../../events/actor.ts';
import type { EventDraft } from '../../events/event.ts';
import { setPartyFields, type PartyPatch } from '../../parties/party.ts';
import { withoutVerdict } from '../announcement.ts';
import type { RecordChange } from '../change.ts';
import { changedFields } from '../changed-fields.ts';
import type { TransactionRecord, VaspInfo } from '../record.ts';
import { withoutRepair } from '../repair.ts';
import { needsScreening } from '../screening-due.ts';
import { isSelfHosted } from '../self-hosted-wallet.ts';
import { isFinal } from '../state.ts';
import { receivedEvent, type DeliveryInput } from './deliver-native.ts';
import { filledParty, receivedVersion } from './received-version.ts';

/** Whether a record is the tenant's own one that a message has completed, and that is paired with it. */
export function isCompleted({ direction, pairId, personal }: TransactionRecord): boolean {
  return direction === 'INCOMING' && pairId !== null && personal.received !== undefined;
}

/**
 * The receiver's own record, completed by a message of the originator VASP that it names. It is filled with what it
 * does not have, is never sealed, keeps a decision already made, and what was received stands beside it. A confirmed one
 * is screened again with the names of the message, before the sender is answered.
 */
export function completedIncoming(
  own: TransactionRecord,
  sent: TransactionRecord,
  input: DeliveryInput,
): RecordChange {
  const { now, sender, wallet } = input;
  const status = isFinal(own.status) ? own.status : 'DELIVERED';
  return {
    after: {
      ...withReceived(own, sent, now),
      status,
      awaitsProof: false,
      destinationWalletId: wallet?.id ?? null,
      isDestinationConfirmed: wallet?.confirmed ?? null,
      counterpartyEntityId: sender.entityId,
      messageSource: sender.messageSource,
      pairId: input.pairId,
      ...screeningOf(own, now),
      updatedAt: now,
    },
    events: [{ ...receivedEvent(own.status, input), newStatus: status }],
    notify: true,
    // A deposit that waited for a proof of its wallet has a workflow, which ends: a VASP has answered for the wallet.
    wakesWorkflow: isSelfHosted(own),
  };
}

/** The screening of a completed record. A declined or stopped one does not go on, so it is not screened. */
function screeningOf(own: TransactionRecord, now: Date): Partial<TransactionRecord> {
  const isOver = own.status === 'DECLINED' || own.status === 'CANCELLED' || own.blockedBy !== null;
  if (isOver || own.screeningState === null) return { wakeAt: null };
  const isReviewed = own.screeningState === 'REVIEWED' || own.screeningState === 'RECHECK';
  return { ...withoutVerdict(now), screeningState: isReviewed ? 'RECHECK' : 'DUE' };
}

/** The record with a new received version beside it, filled from that version where the tenant has given nothing. */
export function withReceived(
  record: TransactionRecord,
  sent: TransactionRecord,
  now: Date,
): TransactionRecord {
  const own = withoutFilled(record);
  const { personal } = own;
  const several = personal.additionalOriginators.length > 0;
  const filled: TransactionRecord = {
    ...own,
    ...filledPlaces(own, sent),
    ...filledAmounts(own, sent),
    personal: {
      ...personal,
      originator: filledParty(personal.originator, sent.personal.originator),
      beneficiary: filledParty(personal.beneficiary, sent.personal.beneficiary),
      additionalOriginators: (several ? own : sent).personal.additionalOriginators,
      vaspInfo: filledVaspInfo(personal.vaspInfo, sent.personal.vaspInfo),
    },
  };
  const names = [...changedFields(own, filled), ...(own.amount === null ? ['amount'] : [])];
  const received = { ...receivedVersion(sent, now), filled: names };
  return { ...filled, personal: { ...filled.personal, received } };
}

/** Chain and origin with their normal forms. */
function filledPlaces(own: TransactionRecord, sent: TransactionRecord): Partial<TransactionRecord> {
  const { blockchain, blockchainKey, origin, originNormal } = sent;
  return {
    ...(own.blockchain === null && { blockchain, blockchainKey }),
    ...(own.origin === null && { origin, originNormal }),
  };
}

/** The tenant's own amount takes precedence; fiat values come from the same record as the amount. */
function filledAmounts(own: TransactionRecord, sent: TransactionRecord) {
  const unvalued = own.amountUsd === null && own.amountEur === null;
  const source = own.amount === null || (unvalued && own.amount === sent.amount) ? sent : own;
  return { amount: source.amount, amountUsd: source.amountUsd, amountEur: source.amountEur };
}

function filledVaspInfo(own: VaspInfo, sent: VaspInfo): VaspInfo {
  const given = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== null));
  return { ...sent, ...(given as Partial<VaspInfo>) };
}

/** The record without the fields that it has from the other VASP alone. */
export function withoutFilled(record: TransactionRecord): TransactionRecord {
  const { personal } = record;
  const filled = new Set(personal.received?.filled);
  if (filled.size === 0) return record;
  const cleared = (section: string) => clearedFields(filled, section);
  return {
    ...record,
    ...(filled.has('blockchainInfo.blockchain') && { blockchain: null, blockchainKey: null }),
    ...(filled.has('blockchainInfo.origin') && { origin: null, originNormal: null }),
    ...(filled.has('amount') && { amount: null, amountUsd: null, amountEur: null }),
    personal: {
      ...personal,
      originator: setPartyFields(personal.originator, cleared('originator') as PartyPatch),
      beneficiary: setPartyFields(personal.beneficiary, cleared('beneficiary') as PartyPatch),
      additionalOriginators: filled.has('additionalOriginators') ? [] : personal.additionalOriginators,
      vaspInfo: { ...personal.vaspInfo, ...cleared('vaspInfo') },
    },
  };
}

/** The record without a received version and without what it has from that alone. */
export function withoutReceived(record: TransactionRecord): TransactionRecord {
  const { received: _received, ...personal } = withoutFilled(record).personal;
  return { ...withoutFilled(record), personal };
}

function clearedFields(filled: ReadonlySet<string>, section: string): Record<string, null> {
  const names = [...filled].filter((name) => name.startsWith(`${section}.`));
  return Object.fromEntries(names.map((name) => [name.slice(section.length + 1), null]));
}

/** Fields that the tenant has changed itself are its own from then on. */
export function keepOwnFields(record: TransactionRecord, changed: readonly string[]): TransactionRecord {
  const { received } = record.personal;
  if (!received) return record;
  const filled = received.filled.filter((field) => !changed.includes(field));
  return { ...record, personal: { ...record.personal, received: { ...received, filled } } };
}

/**
 * The tenant's own record after the originator VASP has withdrawn the message: it is as its tenant made it and may be
 * completed by another message. A decision already made stays, and so do the received version and a hold that rests on
 * its names or on the policy for the VASP that it names; a hold by rules ends, since they decide on messages only.
 */
export function takenBack(record: TransactionRecord, now: Date): TransactionRecord {
  const status = isFinal(record.status) ? record.status : 'PENDING';
  const own: TransactionRecord = {
    ...withReceivedTakenBack(withoutFilled(withoutRepair(record)), now),
    status,
    awaitsProof: status === 'PENDING' && record.originType === 'NON_CUSTODIAL',
    hold: record.hold === 'RULE' ? null : record.hold,
    ruleWaitUntil: null,
    destinationWalletId: null,
    isDestinationConfirmed: null,
    messageSource: 'MANUAL',
    pairId: null,
  };
  return { ...own, wakeAt: needsScreening(own) || own.awaitsProof ? now : null };
}

function withReceivedTakenBack(record: TransactionRecord, now: Date): TransactionRecord {
  const { received } = record.personal;
  if (!received) return record;
  const takenBackVersion = { ...received, takenBackAt: now.toISOString(), filled: [] };
  return { ...record, personal: { ...record.personal, received: takenBackVersion } };
}

/** The event of a message that its sender took back. */
export function takenBackEvent(before: TransactionRecord, after: TransactionRecord): EventDraft {
  const moved = before.status !== after.status;
  return {
    type: 'TAKEN_BACK',
    message: 'The originator withdrew its message; the record is open for another one.',
    actor: COUNTERPARTY,
    ...(moved && { previousStatus: before.status, newStatus: after.status }),
    basis: { kind: 'COUNTERPARTY' },
  };
}
