import type { TransactionRecord } from '../transactions/record.ts';
import { viewTransaction } from '../transactions/viewing/view-transaction.ts';
import type { PartnerTransaction } from './transaction-schema.ts';

/** A record of a partner's gateway as the partner reads it; the personal data is there once it is not sealed. */
export function viewPartnerTransaction(record: TransactionRecord): PartnerTransaction {
  const { blockchainInfo, vaspInfo, ...view } = viewTransaction(record, '');
  const {
    destinationWalletId: _wallet,
    isDestinationConfirmed: _confirmed,
    approvedAddress: _approved,
    ...place
  } = blockchainInfo;
  const { beneficiaryVaspEntityId: _beneficiary, originatorVaspEntityId: _originator, ...vasps } = vaspInfo;
  return {
    id: view.id,
    status: view.status,
    statusReasoning: view.statusReasoning,
    statusReasonCode: view.statusReasonCode,
    direction: view.direction,
    createdAt: view.createdAt,
    updatedAt: view.updatedAt,
    version: view.version,
    reference: view.reference,
    asset: view.asset,
    amount: view.amount,
    amountDecimal: view.amountDecimal,
    originator: view.originator,
    beneficiary: view.beneficiary,
    additionalOriginators: view.additionalOriginators,
    requestedFields: view.requestedFields,
    requestReason: view.requestReason,
    blockchainInfo: place,
    vaspInfo: vasps,
    sealed: record.sealed,
  };
}

/** Like viewPartnerTransaction, but never with personal data: reads of lists and webhooks are not logged. */
export function viewWithoutParties(record: TransactionRecord): PartnerTransaction {
  return {
    ...viewPartnerTransaction({ ...record, sealed: true }),
    requestReason: null,
    sealed: record.sealed,
  };
}
