import { DomainError, invalidRequest, type FieldError } from '../../errors.ts';
import type { Actor } from '../../events/actor.ts';
import { NO_CHANGE, type PairChange, type RecordChange } from '../change.ts';
import { applyStatus } from './apply-status.ts';
import { carryOver, isForwarded } from '../exchanging/carry-over.ts';
import { keepOwnFields } from '../exchanging/complete-own-record.ts';
import { changedFields as fieldsBetween, HASH_FIELD } from '../changed-fields.ts';
import { allPartyFaults, hashFaults, originatorVaspFault } from '../new-transaction.ts';
import { patchParty, type PartyPatch } from '../../parties/party.ts';
import { addressAt, chainFields, hashFields } from '../../normalised-places.ts';
import type { TransactionRecord } from '../record.ts';
import { patchEvents } from './patch-events.ts';
import { giveData } from '../repairing/give-data.ts';
import { sentData } from '../sent-data.ts';
import { awaitsScreening, needsScreening, screeningPending } from '../screening-due.ts';
import { transferStopped } from '../transfer-stop.ts';
import { isSelfHosted, lacksProof } from '../self-hosted-wallet.ts';
import type { PatchTransactionBody } from '../schema.ts';
import { allowedStatuses, isFinal, type Status } from '../state.ts';
import { subStatusOf } from '../sub-status.ts';

export interface PatchAct {
  actor: Actor;
  now: Date;
  /** Whether two reviewers must agree before a held record passes. */
  fourEyes?: boolean;
  /** The entity of the originator VASP that the request names; null where that identifies nobody. */
  namedOriginatorId?: string | null;
}

/**
 * The changes that a tenant's PATCH makes to its record and, for a native message, to the counterparty's record. Throws
 * 409 for a status that is not allowed now and 400 for fields that exclude each other.
 */
export function patchTransaction(
  own: TransactionRecord,
  counterpart: TransactionRecord | null,
  patch: PatchTransactionBody,
  act: PatchAct,
): PairChange {
  refuseMove(own, patch, act);
  refuseFields(own, patch);
  const data = applyData(own, patch);
  const changedFields = fieldsBetween(own, data);
  const patched = ofNamedVasp(keepOwnFields(data, changedFields), changedFields, act);
  if (isFinal(own.status)) refuseAfterFinal(own, changedFields);
  const decided = applyStatus(patched, patch.status, act.now, changedFields);
  const given = giveData(own, decided, patch, act.actor);
  const after = { ...(given?.after ?? decided), updatedAt: act.now };
  refuseFaults(after, patch, act.now);
  const events = [
    ...patchEvents(own, after, { changedFields, actor: act.actor }),
    ...(given ? [given.event] : []),
  ];
  if (events.length === 0) return NO_CHANGE;
  const change: RecordChange = {
    after,
    events,
    notify: own.direction === 'OUTGOING' && stateChanged(own, after) && !isOnlyRescreened(own, after),
    wakesWorkflow: hasWorkflow(own, after) && stateChanged(own, after),
  };
  const carried = counterpart && carryOver({ own, change, counterpart, changedFields, now: act.now });
  const forwards = carried !== null && own.direction === 'OUTGOING' && changedFields.some(isForwarded);
  return { own: change, counterpart: carried, forwarded: forwards ? sentData(change.after) : null };
}

/**
 * Whether a workflow waits for the record, or has to screen it. An incoming record has one only as a deposit from a
 * self-hosted wallet; that of a decided record has ended, and a hash that comes later starts no other.
 */
function hasWorkflow(own: TransactionRecord, after: TransactionRecord): boolean {
  if (needsScreening(after)) return true;
  return !isFinal(own.status) && (own.direction === 'OUTGOING' || isSelfHosted(own));
}

function stateChanged(before: TransactionRecord, after: TransactionRecord): boolean {
  return (
    before.status !== after.status ||
    subStatusOf(before) !== subStatusOf(after) ||
    before.wakeAt !== after.wakeAt
  );
}

/** Whether the change only causes another screening. The tenant is notified of the result, not of that. */
function isOnlyRescreened(before: TransactionRecord, after: TransactionRecord): boolean {
  const isRerouted = before.deadlineAt !== after.deadlineAt;
  const keepsStatus = before.status === after.status && subStatusOf(before) === subStatusOf(after);
  return keepsStatus && !isRerouted && after.screeningState === 'DUE';
}

/** Throws the first refusal that applies: invalid_transition, review_required, screening_pending. */
function refuseMove(own: TransactionRecord, { status }: PatchTransactionBody, act: PatchAct): void {
  if (status === undefined || status === own.status) return;
  const open = allowedStatuses(own);
  if (!open.includes(status)) {
    const allowed = open.filter((next) => refusalOf(own, next, act) === null);
    throw new DomainError('invalid_transition', refusedMoveText(own, status), { members: { allowed } });
  }
  const refusal = refusalOf(own, status, act);
  if (refusal) throw refusal;
}

/** Names the reason why a status cannot be set. */
function refusedMoveText(own: TransactionRecord, status: Status): string {
  const { direction } = own;
  const isOnlyUnowned = allowedStatuses({ ...own, sealed: false, awaitsWallet: false }).includes(status);
  if (isOnlyUnowned) {
    return 'Confirm the destination wallet first: until then the transaction can only be declined.';
  }
  if (own.status === 'FAILED')
    return 'A FAILED transaction can be retried (POST /transactions/{id}/retry) or deleted.';
  if (isFinal(own.status)) return `A transaction that is ${own.status} keeps its status.`;
  const settable = direction === 'OUTGOING' ? 'CANCELLED' : 'CONFIRMED or DECLINED';
  return `The ${direction === 'OUTGOING' ? 'originator' : 'beneficiary'} VASP sets ${settable} only, not ${status}.`;
}

/** Why a move that the state allows is refused now; null when it is not. */
function refusalOf(own: TransactionRecord, status: Status, { fourEyes }: PatchAct): DomainError | null {
  if (own.hold === 'SANCTIONS') {
    return new DomainError(
      'review_required',
      'Screening found a match: only a review (POST /transactions/{id}/review) decides on this transaction.',
    );
  }
  if (status !== 'CONFIRMED') return null;
  if (own.transferStop !== null) return transferStopped(own.transferStop);
  if (own.hold === 'UNSCREENED') {
    return new DomainError(
      'review_required',
      'It could not be screened: only a review (POST /transactions/{id}/review) confirms this transaction.',
    );
  }
  if (fourEyes && (own.hold !== null || lacksProof(own))) {
    return new DomainError(
      'review_required',
      'With settings.fourEyes.review this transaction needs two reviewers (POST /transactions/{id}/review).',
    );
  }
  if (awaitsScreening(own)) return screeningPending();
  if (own.ruleWaitUntil === null) return null;
  return new DomainError(
    'review_required',
    'A rule lets this transaction wait: only a review (POST /transactions/{id}/review) confirms it before the end of the wait.',
  );
}

/** Another name means another VASP: its entity, or nobody until a message of the VASP that it names is found. */
function ofNamedVasp(
  patched: TransactionRecord,
  changedFields: readonly string[],
  { namedOriginatorId = null }: PatchAct,
): TransactionRecord {
  const isRenamed = changedFields.includes('vaspInfo.originatorVaspName') && patched.pairId === null;
  if (!isRenamed) return patched;
  return { ...patched, counterpartyEntityId: isSelfHosted(patched) ? null : namedOriginatorId };
}

const PARTY_SECTIONS = ['originator', 'beneficiary', 'additionalOriginators'] as const;

function refuseFields(own: TransactionRecord, patch: PatchTransactionBody): void {
  const isHidden =
    PARTY_SECTIONS.some((section) => patch[section] !== undefined) ||
    patch.vaspInfo?.beneficiaryVaspExtraInfo !== undefined;
  if (own.sealed && isHidden) {
    throw new DomainError(
      'conflict',
      'Confirm the destination wallet first: until then personal data is hidden.',
    );
  }
  const errors = originatorVaspFaults(own, patch);
  const { blockchainInfo } = patch;
  if (patch.transactionHash !== undefined && blockchainInfo?.transactionHash !== undefined) {
    errors.push({
      pointer: '/transactionHash',
      code: 'given_twice',
      message: 'give the hash in one place only',
    });
  }
  errors.push(...patchedHashFaults(patch));
  if (errors.length > 0) throw invalidRequest(errors);
}

function patchedHashFaults({ transactionHash, blockchainInfo }: PatchTransactionBody): FieldError[] {
  const isOutside = transactionHash !== undefined;
  const faults = hashFaults({ ...blockchainInfo, ...(isOutside && { transactionHash }) });
  return isOutside ? faults.map((fault) => ({ ...fault, pointer: '/transactionHash' })) : faults;
}

/** Fields that can be changed after a final status. */
const OPEN_WHEN_FINAL = new Set([HASH_FIELD, 'metadata', 'internalNote']);

/** Throws conflict for changed data of a decided record. Repeating the decision with its reasons changes nothing. */
function refuseAfterFinal(own: TransactionRecord, changedFields: readonly string[]): void {
  if (changedFields.every((field) => OPEN_WHEN_FINAL.has(field))) return;
  throw new DomainError(
    'conflict',
    `A transaction that is ${own.status} only takes a hash, metadata and internalNote.`,
  );
}

function originatorVaspFaults(own: TransactionRecord, patch: PatchTransactionBody): FieldError[] {
  if (own.direction === 'INCOMING') return [];
  const fields = ['originatorVaspName', 'originatorVaspEmail'] as const;
  return fields.filter((field) => patch.vaspInfo?.[field] !== undefined).map(originatorVaspFault);
}

function applyData(own: TransactionRecord, patch: PatchTransactionBody): TransactionRecord {
  const { personal } = own;
  return {
    ...own,
    ...patchedChainFields(own, patch),
    statusReasonCode: given(patch.statusReasonCode, own.statusReasonCode),
    personal: {
      ...personal,
      originator: patchedParty(personal.originator, patch.originator),
      beneficiary: patchedParty(personal.beneficiary, patch.beneficiary),
      additionalOriginators: given(patch.additionalOriginators, personal.additionalOriginators) ?? [],
      vaspInfo: { ...personal.vaspInfo, ...withoutUndefined(patch.vaspInfo ?? {}) },
      metadata: given(patch.metadata, personal.metadata),
      internalNote: given(patch.internalNote, personal.internalNote),
      statusReasoning: given(patch.statusReasoning, personal.statusReasoning),
    },
  };
}

function patchedChainFields(own: TransactionRecord, patch: PatchTransactionBody): Partial<TransactionRecord> {
  const info = patch.blockchainInfo;
  const hash = patch.transactionHash === undefined ? info?.transactionHash : patch.transactionHash;
  return {
    ...(hash === undefined ? {} : hashFields(hash)),
    ...(info?.blockchain === undefined && info?.origin === undefined ? {} : patchedChain(own, info)),
  };
}

/** Addresses are checked again only if chain or origin is patched, so that stored ones never refuse another change. */
function patchedChain(own: TransactionRecord, info: NonNullable<PatchTransactionBody['blockchainInfo']>) {
  const chain = info.blockchain === undefined ? own : chainFields(info.blockchain, own.asset);
  const origin = given(info.origin, own.origin);
  const originPointer = info.origin === undefined ? '/blockchainInfo/blockchain' : '/blockchainInfo/origin';
  return {
    blockchain: chain.blockchain,
    blockchainKey: chain.blockchainKey,
    origin,
    originNormal: origin && addressAt(originPointer, chain.blockchain, origin),
    // A destination cannot be changed, but its normal form depends on the chain.
    destinationNormal:
      info.blockchain === undefined
        ? own.destinationNormal
        : addressAt('/blockchainInfo/blockchain', chain.blockchain, own.destination),
  };
}

function given<T>(patched: T | undefined, stored: T): T {
  return patched === undefined ? stored : patched;
}

function patchedParty(
  party: TransactionRecord['personal']['originator'],
  patch: PartyPatch | null | undefined,
) {
  return patch === undefined ? party : patchParty(party, patch);
}

function withoutUndefined<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}

/** Checks the patched parties only, as they are after the change. Throws validation_failed. */
function refuseFaults({ personal }: TransactionRecord, patch: PatchTransactionBody, now: Date): void {
  const parties = {
    originator: patch.originator && personal.originator,
    beneficiary: patch.beneficiary && personal.beneficiary,
    additionalOriginators: patch.additionalOriginators ?? [],
  };
  const errors = allPartyFaults(parties, now);
  if (errors.length > 0) throw invalidRequest(errors);
}
