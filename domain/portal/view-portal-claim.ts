import type { ClaimRecord } from '../claims/record.ts';
import { viewClaim } from '../claims/view-claim.ts';
import type { PortalClaim } from './schema.ts';

/** The gateway's record of a claim as the portal shows it. `amount`: that of the asking side's record of the transfer. */
export function viewPortalClaim(record: ClaimRecord, amount: string | null): PortalClaim {
  const { vaspInfo, ...view } = viewClaim(record);
  return {
    id: view.id,
    status: view.status,
    statusReasoning: view.statusReasoning,
    asset: view.asset,
    amountDecimal: amount,
    blockchainInfo: view.blockchainInfo,
    vaspInfo: {
      originatorVaspName: vaspInfo.originatorVaspName,
      beneficiaryVaspName: vaspInfo.beneficiaryVaspName,
    },
    beneficiary: view.beneficiary,
    requestedFields: view.requestedFields,
    isAnsweredHere: view.status === 'ANSWERED' && view.transactionId !== null,
    deadlineAt: view.deadlineAt,
    version: view.version,
    createdAt: view.createdAt,
    updatedAt: view.updatedAt,
  };
}
