import { invalidRequest } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { addressAt, blockchainKey, hashFields } from '../normalised-places.ts';
import { MISSING_FIELDS } from '../rules/missing-fields.ts';
import { missingFieldsOf } from '../transactions/completeness.ts';
import { hashFaults, type NewTransactionBody } from '../transactions/new-transaction.ts';
import type { TransactionRecord } from '../transactions/record.ts';
import type { ClaimChange } from './change.ts';
import type { ClaimRecord, RequestedField } from './record.ts';
import type { CreateClaimBody } from './schema.ts';
import { reminderOf } from './time.ts';
import { endOfWorkingDays } from './working-days.ts';

interface NewClaimInput {
  id: string;
  tenant: { id: string; name: string; entityId: string };
  actor: Actor;
  now: Date;
  /** The tenant's settings for claims. */
  settings: { claimDeadlineDays: number; timeZone: string };
}

/** A tenant's new claim, not yet stored. Throws validation_failed for faults that the schema cannot check. */
export function newClaim(body: CreateClaimBody, input: NewClaimInput): ClaimChange {
  const { now, tenant, settings, actor } = input;
  const info = body.blockchainInfo;
  const faults = hashFaults(info);
  if (faults.length > 0) throw invalidRequest(faults);
  const deadlineAt = endOfWorkingDays(now, settings.claimDeadlineDays, settings.timeZone);
  const after: ClaimRecord = {
    ...blankClaim,
    id: input.id,
    tenantId: tenant.id,
    direction: 'OUTGOING',
    status: 'PENDING',
    asset: body.asset,
    ...placeOf(info),
    requestedFields: body.requestedFields ?? [],
    originatorVaspEntityId: null,
    beneficiaryVaspEntityId: tenant.entityId,
    remindAt: null,
    deadlineAt,
    wakeAt: now,
    createdAt: now,
    updatedAt: now,
    personal: {
      originatorVaspName: body.vaspInfo?.originatorVaspName ?? null,
      originatorVaspEmail: body.vaspInfo?.originatorVaspEmail ?? null,
      beneficiaryVaspName: tenant.name,
      beneficiaryName: body.beneficiary?.name ?? null,
      statusReasoning: null,
    },
  };
  const created = {
    type: 'CREATED',
    message: 'The data of a transfer is claimed.',
    actor,
    newStatus: after.status,
    data: { deadlineAt: deadlineAt.toISOString() },
  };
  return { after, events: [created], notify: false, wakesWorkflow: true };
}

/** The initial values of every new record. */
export const blankClaim = {
  failureCode: null,
  transactionId: null,
  messageSource: null,
  counterpartId: null,
  deliveryAttempts: 0,
  deliveryStartedAt: null,
  lookedForTransfer: false,
  remindedAt: null,
  version: 1,
  sequence: 0,
  head: Buffer.alloc(0),
  headMac: null,
  erasedAt: null,
} satisfies Partial<ClaimRecord>;

function placeOf(info: CreateClaimBody['blockchainInfo']) {
  const { transactionHash, hashNormal } = hashFields(info.transactionHash);
  const origin = info.origin ?? null;
  return {
    blockchain: info.blockchain,
    blockchainKey: blockchainKey(info.blockchain),
    transactionHash: transactionHash ?? info.transactionHash,
    hashNormal: hashNormal ?? info.transactionHash,
    origin,
    originNormal: origin && addressAt('/blockchainInfo/origin', info.blockchain, origin),
    originTag: info.originTag ?? null,
    destination: info.destination,
    destinationNormal: addressAt('/blockchainInfo/destination', info.blockchain, info.destination),
    destinationTag: info.destinationTag ?? null,
  };
}

/** The record that the asking side makes of the transfer where it has none: what it does not know is null. */
export function claimedTransfer(claim: ClaimRecord): NewTransactionBody {
  const { personal } = claim;
  const { originatorVaspName: name, originatorVaspEmail: email = null } = personal;
  return {
    direction: 'INCOMING',
    asset: claim.asset,
    amount: null,
    blockchainInfo: {
      blockchain: claim.blockchain,
      transactionHash: claim.transactionHash,
      ...(claim.origin !== null && { origin: claim.origin }),
      ...(claim.originTag !== null && { originTag: claim.originTag }),
      originType: 'CUSTODIAL',
      destination: claim.destination,
      ...(claim.destinationTag !== null && { destinationTag: claim.destinationTag }),
      destinationType: 'CUSTODIAL',
    },
    vaspInfo: {
      ...(name !== null && { originatorVaspName: name }),
      ...(email !== null && { originatorVaspEmail: email }),
    },
    ...(personal.beneficiaryName !== null && { beneficiary: { name: personal.beneficiaryName } }),
  };
}

/** What a claim asks for unless its maker says it: the fields that the record of the transfer lacks. */
export function withRecord(change: ClaimChange, record: TransactionRecord): ClaimChange {
  const claim = change.after;
  const { originatorVaspName, originatorVaspEmail } = record.personal.vaspInfo;
  return {
    ...change,
    after: {
      ...claim,
      transactionId: record.id,
      requestedFields: claim.requestedFields.length > 0 ? claim.requestedFields : fieldsLackedBy(record),
      personal: {
        ...claim.personal,
        originatorVaspName: claim.personal.originatorVaspName ?? originatorVaspName,
        originatorVaspEmail: claim.personal.originatorVaspEmail ?? originatorVaspEmail,
      },
    },
  };
}

function fieldsLackedBy(record: TransactionRecord): RequestedField[] {
  const missing = new Set(missingFieldsOf(record) ?? []);
  return MISSING_FIELDS.filter((field) => missing.has(field));
}

/** The claim with the time that this counterparty has, instead of that of the settings. */
export function withDeadline(
  change: ClaimChange,
  { days, timeZone }: { days: number; timeZone: string },
): ClaimChange {
  const deadlineAt = endOfWorkingDays(change.after.createdAt, days, timeZone);
  const events = change.events.map((event) => ({
    ...event,
    data: { ...event.data, deadlineAt: deadlineAt.toISOString() },
  }));
  return { ...change, after: { ...change.after, deadlineAt }, events };
}

/** When the asked side is reminded of a claim that reached it now. */
export function remindAtFor(claim: Pick<ClaimRecord, 'deadlineAt'>, now: Date): Date {
  return reminderOf(now, claim.deadlineAt);
}
