import { decimalToNumber } from '../../decimal.ts';
import { clearanceOf } from '../clearance.ts';
import { completenessOf } from '../completeness.ts';
import { viewParty } from '../../parties/party.ts';
import { openRepair } from '../repair.ts';
import type { PersonalData, TransactionRecord, VaspInfo } from '../record.ts';
import type { Transaction } from '../schema.ts';
import { subStatusOf } from '../sub-status.ts';
import { beneficiaryMatchOf } from '../beneficiary-match.ts';
import { viewReceived } from './received.ts';
import type { TransactionWarning } from '../warning-schema.ts';

/** The personal data that the record's tenant may see: none while the record is sealed. */
function visiblePersonal(record: TransactionRecord): PersonalData {
  if (!record.sealed) return record.personal;
  // The extra info is free text, which may name people.
  const vaspInfo = { ...record.personal.vaspInfo, beneficiaryVaspExtraInfo: null };
  const { received: _received, originatorVasp: _of, beneficiaryVasp: _to, ...personal } = record.personal;
  // So is what the originator wrote when it withdrew the message; any other reasoning is the tenant's own.
  const statusReasoning = record.status === 'CANCELLED' ? null : personal.statusReasoning;
  const parties = { originator: null, beneficiary: null, additionalOriginators: [] };
  return { ...personal, vaspInfo, statusReasoning, ...parties };
}

export interface ViewContext {
  /** Warnings, which only the answer of a POST has. */
  warnings?: readonly TransactionWarning[];
  /** Names of VASPs that were found, by entity id. */
  vaspNames?: ReadonlyMap<string, string>;
  /** Names of the holders of destinations, by wallet id. */
  holderNames?: ReadonlyMap<number, string>;
}

/** The response body for one record, also used as the body of its webhook. */
export function viewTransaction(
  record: TransactionRecord,
  ownEntityId: string,
  { warnings = [], vaspNames = new Map(), holderNames = new Map() }: ViewContext = {},
): Transaction {
  const personal = visiblePersonal(record);
  return {
    id: record.id,
    status: record.status,
    subStatus: subStatusOf(record),
    statusReasoning: personal.statusReasoning,
    statusReasonCode: record.statusReasonCode,
    direction: record.direction,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
    version: record.version,
    reference: record.reference,
    resubmissionOf: record.resubmissionOf,
    relatedTransactionId: record.relatedTransactionId,
    metadata: personal.metadata,
    internalNote: personal.internalNote,
    asset: record.asset,
    amount: numberOf(record.amount),
    amountDecimal: record.amount,
    amountUsd: numberOf(record.amountUsd),
    amountEur: numberOf(record.amountEur),
    blockchainInfo: viewBlockchainInfo(record),
    vaspInfo: {
      beneficiaryTravelAddress: null,
      ...personal.vaspInfo,
      ...foundName(record, vaspNames),
      ...vaspEntityIds(record, ownEntityId),
    },
    originatorVasp: viewParty(personal.originatorVasp ?? null),
    beneficiaryVasp: viewParty(personal.beneficiaryVasp ?? null),
    originator: viewParty(personal.originator),
    beneficiary: viewParty(personal.beneficiary),
    additionalOriginators: personal.additionalOriginators.flatMap((party) => viewParty(party) ?? []),
    requestedFields: openRepair(record)?.fields ?? [],
    requestReason: openRepair(record)?.reason ?? null,
    beneficiaryMatch: beneficiaryMatchOf(record, holderNames.get(record.destinationWalletId ?? 0)),
    received: personal.received ? viewReceived(record, personal.received) : null,
    sealed: record.sealed,
    travelRuleMessageSource: record.messageSource,
    assetsDisposition: record.assetsDisposition,
    returnTransactionHash: record.returnTransactionHash,
    sunriseOverride: viewOverride(record),
    clearance: clearanceOf(record),
    completeness: completenessOf(record),
    warnings: [...warnings],
  };
}

function viewOverride({ sunriseOverrideAt, personal }: TransactionRecord): Transaction['sunriseOverride'] {
  return sunriseOverrideAt && { at: sunriseOverrideAt.toISOString(), reason: personal.sunriseReason ?? '' };
}

function numberOf(decimal: string | null): number | null {
  return decimal === null ? null : decimalToNumber(decimal);
}

function viewBlockchainInfo(record: TransactionRecord): Transaction['blockchainInfo'] {
  return {
    blockchain: record.blockchain,
    transactionHash: record.transactionHash,
    origin: record.origin,
    originTag: record.originTag,
    originType: record.originType,
    destination: record.destination,
    destinationTag: record.destinationTag,
    destinationType: record.destinationType,
    isDestinationConfirmed: record.isDestinationConfirmed,
    destinationWalletId: record.destinationWalletId,
    approvedAddress: record.personal.approvedAddress ?? null,
  };
}

/** The other side's VASP, for a record that names none and for which one was found; else null. */
export function unnamedVaspId(record: TransactionRecord): string | null {
  return record.personal.vaspInfo[otherVaspName(record)] === null ? record.counterpartyEntityId : null;
}

function otherVaspName({ direction }: TransactionRecord) {
  return direction === 'OUTGOING' ? 'beneficiaryVaspName' : 'originatorVaspName';
}

/** The name under which the found VASP is shown. It is not stored: the tenant has not given it. */
function foundName(record: TransactionRecord, vaspNames: ReadonlyMap<string, string>): Partial<VaspInfo> {
  const name = vaspNames.get(unnamedVaspId(record) ?? '');
  return name === undefined ? {} : { [otherVaspName(record)]: name };
}

function vaspEntityIds(record: TransactionRecord, ownEntityId: string) {
  const outgoing = record.direction === 'OUTGOING';
  return {
    beneficiaryVaspEntityId: outgoing ? record.counterpartyEntityId : ownEntityId,
    originatorVaspEntityId: outgoing ? ownEntityId : record.counterpartyEntityId,
  };
}
