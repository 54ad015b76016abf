import type { ClaimRecord } from './record.ts';
import type { TransferClaim } from './schema.ts';

/** A claim as its tenant sees it in responses and webhooks. */
export function viewClaim(record: ClaimRecord): TransferClaim {
  const { personal } = record;
  return {
    id: record.id,
    direction: record.direction,
    status: record.status,
    statusReasoning: personal.statusReasoning,
    failureCode: record.failureCode,
    asset: record.asset,
    blockchainInfo: {
      blockchain: record.blockchain,
      transactionHash: record.transactionHash,
      origin: record.origin,
      originTag: record.originTag,
      destination: record.destination,
      destinationTag: record.destinationTag,
    },
    vaspInfo: {
      originatorVaspName: personal.originatorVaspName,
      originatorVaspEmail: personal.originatorVaspEmail ?? null,
      originatorVaspEntityId: record.originatorVaspEntityId,
      beneficiaryVaspName: personal.beneficiaryVaspName,
      beneficiaryVaspEntityId: record.beneficiaryVaspEntityId,
    },
    beneficiary: personal.beneficiaryName === null ? null : { name: personal.beneficiaryName },
    transactionId: record.transactionId,
    requestedFields: record.requestedFields,
    travelRuleMessageSource: record.messageSource,
    deadlineAt: record.deadlineAt.toISOString(),
    remindedAt: record.remindedAt?.toISOString() ?? null,
    version: record.version,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  };
}

/** The same without the asking side's customer: for lists and webhooks of partners, whose readers are not logged. */
export function viewClaimWithoutPerson(record: ClaimRecord): TransferClaim {
  return { ...viewClaim(record), beneficiary: null };
}
