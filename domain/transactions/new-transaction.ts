import { DomainError, type FieldError } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import type { EventDraft } from '../events/event.ts';
import { ANSWER_MS } from './deadlines.ts';
import { fiatData, fiatValue, type FiatPrice } from './fiat.ts';
import { partyFaults, type Party } from '../parties/party.ts';
import { addressAt, chainPlace, hashPlace } from '../normalised-places.ts';
import type { PersonalData, TransactionRecord, VaspInfo } from './record.ts';
import type { CreateTransactionBody } from './schema.ts';
import { addMs } from '../durations.ts';

interface NewTransactionInput {
  id: string;
  tenant: { id: string; name: string; email: string | null };
  actor: Actor;
  now: Date;
  price: FiatPrice | undefined;
}

/** A tenant's new record, not yet stored. Throws validation_failed for what the schema alone cannot see. */
export function newTransaction(
  body: CreateTransactionBody,
  circumstances: NewTransactionInput,
): { record: TransactionRecord; event: EventDraft } {
  refuseFaults(body, circumstances.now);
  const { now, price, actor } = circumstances;
  const outgoing = body.direction === 'OUTGOING';
  // From a self-hosted wallet: whose it is has to be proven, and nobody could answer a claim.
  const isDeposit = !outgoing && body.blockchainInfo.originType === 'NON_CUSTODIAL';
  const record: TransactionRecord = {
    ...blankRecord,
    id: circumstances.id,
    tenantId: circumstances.tenant.id,
    direction: body.direction,
    subStatus: outgoing ? 'ROUTING' : isDeposit ? 'OWNERSHIP_UNCONFIRMED' : null,
    asset: body.asset,
    amount: body.amount,
    ...fiatValue(body.amount, price),
    ...placesOf(body),
    isDestinationConfirmed: null,
    messageSource: outgoing ? null : 'MANUAL',
    reference: body.reference ?? null,
    deadlineAt: outgoing ? addMs(now, ANSWER_MS) : null,
    screeningDueSince: now,
    wakeAt: now,
    createdAt: now,
    updatedAt: now,
    personal: personalOf(body, circumstances.tenant),
  };
  return { record, event: createdEvent(record, actor, fiatData(price)) };
}

/** The entry that opens a record's log. */
function createdEvent(record: TransactionRecord, actor: Actor, data: Record<string, string>): EventDraft {
  return {
    type: 'CREATED',
    message: record.direction === 'OUTGOING' ? 'Transaction accepted.' : 'Incoming transaction recorded.',
    actor,
    newStatus: record.status,
    data,
  };
}

/** What every new record starts with. */
export const blankRecord = {
  status: 'PENDING',
  statusReasonCode: null,
  destinationWalletId: null,
  sealed: false,
  releaseId: null,
  screeningState: 'DUE',
  screeningDueSince: null,
  hold: null,
  resubmissionOf: null,
  counterpartyEntityId: null,
  messageSource: null,
  pairId: null,
  deliveryAttempts: 0,
  deliveryStartedAt: null,
  version: 1,
  sequence: 0,
  head: Buffer.alloc(0),
  deletedAt: null,
} as const satisfies Partial<TransactionRecord>;

function placesOf(body: CreateTransactionBody) {
  const info = body.blockchainInfo;
  const chain = chainPlace(info.blockchain, body.asset);
  const origin = info.origin ?? null;
  return {
    ...chain,
    ...hashPlace(info.transactionHash),
    origin,
    originNormal: origin && addressAt('/blockchainInfo/origin', chain.blockchain, origin),
    originTag: info.originTag ?? null,
    originType: info.originType,
    destination: info.destination,
    destinationNormal: addressAt('/blockchainInfo/destination', chain.blockchain, info.destination),
    destinationTag: info.destinationTag ?? null,
    destinationType: info.destinationType,
  };
}

function personalOf(body: CreateTransactionBody, tenant: NewTransactionInput['tenant']): PersonalData {
  return {
    originator: orNull(body.originator),
    beneficiary: orNull(body.beneficiary),
    additionalOriginators: body.additionalOriginators ?? [],
    vaspInfo: vaspInfoOf(body, tenant),
    metadata: body.metadata ?? null,
    internalNote: body.internalNote ?? null,
    statusReasoning: null,
  };
}

/** The tenant itself is the originator VASP of what it sends and the beneficiary VASP of what it receives. */
function vaspInfoOf(body: CreateTransactionBody, tenant: NewTransactionInput['tenant']): VaspInfo {
  const given = body.vaspInfo ?? {};
  const outgoing = body.direction === 'OUTGOING';
  return {
    beneficiaryVaspName: given.beneficiaryVaspName ?? (outgoing ? null : tenant.name),
    beneficiaryVaspEmail: given.beneficiaryVaspEmail ?? null,
    beneficiaryVaspExtraInfo: given.beneficiaryVaspExtraInfo ?? null,
    originatorVaspName: outgoing ? tenant.name : (given.originatorVaspName ?? null),
    originatorVaspEmail: outgoing ? tenant.email : (given.originatorVaspEmail ?? null),
  };
}

function orNull<T extends object>(party: T | undefined): T | null {
  return party && Object.keys(party).length > 0 ? party : null;
}

function refuseFaults(body: CreateTransactionBody, now: Date): void {
  const errors = [...originatorVaspFaults(body), ...allPartyFaults(body, now)];
  if (errors.length > 0) throw new DomainError('validation_failed', 'The request is not valid.', { errors });
}

interface Parties {
  originator?: Party | null | undefined;
  beneficiary?: Party | null | undefined;
  additionalOriginators?: Party[] | undefined;
}

/** What is wrong with any of the parties, with pointers into the whole body. */
export function allPartyFaults(parties: Parties, now: Date): FieldError[] {
  const today = now.toISOString().slice(0, 10);
  return [
    ...partyFaults('/originator', parties.originator, today),
    ...partyFaults('/beneficiary', parties.beneficiary, today),
    ...(parties.additionalOriginators ?? []).flatMap((party, index) =>
      partyFaults(`/additionalOriginators/${index}`, party, today),
    ),
  ];
}

const ORIGINATOR_VASP_FIELDS = ['originatorVaspName', 'originatorVaspEmail'] as const;

/** Of what a tenant sends it is the originator VASP itself, so it cannot name another one. */
function originatorVaspFaults(body: CreateTransactionBody): FieldError[] {
  if (body.direction === 'INCOMING') return [];
  return ORIGINATOR_VASP_FIELDS.filter((field) => body.vaspInfo?.[field] !== undefined).map(
    originatorVaspFault,
  );
}

export function originatorVaspFault(field: (typeof ORIGINATOR_VASP_FIELDS)[number]): FieldError {
  return {
    pointer: `/vaspInfo/${field}`,
    code: 'not_allowed',
    message: 'only allowed with direction INCOMING',
  };
}
