import type { ClaimRecord } from '../../claims/record.ts';
import { viewParty } from '../../parties/party.ts';
import type { TransactionRecord } from '../../transactions/record.ts';
import type { VerificationFile } from '../../verifications/files.ts';
import type { VerificationRecord } from '../../verifications/record.ts';
import type { WalletRecord } from '../../wallets/wallet.ts';
import type { CustomerParty } from './parties-of-customer.ts';

// Each view names what a customer gets, one member after the other: a new field of a record is in none of them until somebody
// has decided that it tells neither that the customer was looked into nor anything of another person.

/** A transaction as its customer gets it: no status, since it may show a hold; no free text; nothing of the other side. */
export function transactionOfSubject(
  record: TransactionRecord,
  parties: readonly CustomerParty[],
): Record<string, unknown> {
  const { id, direction, reference, asset, amount, blockchain, transactionHash, createdAt, personal } =
    record;
  const isSent = direction === 'OUTGOING';
  const { beneficiaryVaspName, originatorVaspName } = personal.vaspInfo;
  return {
    id,
    direction,
    createdAt: createdAt.toISOString(),
    reference,
    asset,
    amount,
    blockchain,
    transactionHash,
    ownAddress: isSent ? record.origin : record.destination,
    ownTag: isSent ? record.originTag : record.destinationTag,
    otherVasp: isSent ? beneficiaryVaspName : originatorVaspName,
    customerAs: parties.map(({ role, party }) => ({ role, data: viewParty(party) })),
  };
}

/** A claim about a transaction of the customer. The beneficiary that it names may be another person. */
export function claimOfSubject(claim: ClaimRecord): Record<string, unknown> {
  const { id, direction, createdAt, requestedFields, personal } = claim;
  return {
    id,
    direction,
    createdAt: createdAt.toISOString(),
    requestedFields,
    otherVasp: direction === 'OUTGOING' ? personal.originatorVaspName : personal.beneficiaryVaspName,
  };
}

/** A verification as its customer gets it: what the customer gave, without result, risk and reasons. */
export function verificationOfSubject(
  record: VerificationRecord,
  files: readonly VerificationFile[],
): Record<string, unknown> {
  const { personal } = record;
  return {
    id: record.id,
    createdAt: record.createdAt.toISOString(),
    asset: record.asset,
    blockchain: record.blockchain,
    address: record.address,
    customerIdentification: personal.customerIdentification,
    flow: record.flow,
    message: personal.message,
    signature: personal.signature,
    declaration: personal.declaration ?? null,
    verifiedTransactionHash: record.verifiedTransactionHash,
    satoshiAmount: record.satoshiAmount,
    satoshiDepositAddress: record.satoshiDepositAddress,
    files: files.map(({ id, kind, name, type, bytes, sha256, createdAt }) => ({
      id,
      kind,
      name,
      type,
      bytes,
      sha256,
      createdAt,
    })),
  };
}

/** A wallet to which the customer was sent coins. Its note and holder are left out: others may be paid there, too. */
export function walletOfSubject({ id, address, tag, asset, blockchain, createdAt }: WalletRecord) {
  return { id, address, tag, asset, blockchain, createdAt: createdAt.toISOString() };
}
