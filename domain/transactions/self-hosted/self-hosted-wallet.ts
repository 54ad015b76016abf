import type { TransactionRecord } from '../record.ts';

type WalletSides = Pick<
  TransactionRecord,
  'direction' | 'destinationType' | 'originType' | 'messageSource' | 'destinationNormal' | 'originNormal'
>;

/** Whether nobody but the owner of a wallet stands on the other side; a deposit only as its tenant recorded it. */
export function isSelfHosted(
  record: Pick<WalletSides, 'direction' | 'destinationType' | 'originType' | 'messageSource'>,
): boolean {
  if (record.direction === 'OUTGOING') return record.destinationType === 'NON_CUSTODIAL';
  return record.originType === 'NON_CUSTODIAL' && record.messageSource === 'MANUAL';
}

type OwnerWait = Pick<TransactionRecord, 'status' | 'subStatus'>;

/** Whether a transfer waits for the owner of its self-hosted wallet, and not for its own tenant to know the address. */
export function waitsForOwner({ status, subStatus }: OwnerWait): boolean {
  return status === 'PENDING' && subStatus === 'OWNERSHIP_UNCONFIRMED';
}

/** A wallet in the forms that are compared; null where the record does not say. */
export interface WalletPlace {
  addressNormal: string | null;
  blockchainKey: string | null;
}

/** Where a transfer to a self-hosted wallet goes and a deposit from one comes from. */
export function selfHostedWallet(
  record: WalletSides & Pick<TransactionRecord, 'blockchainKey'>,
): WalletPlace {
  const { direction, destinationNormal, originNormal, blockchainKey } = record;
  return { addressNormal: direction === 'OUTGOING' ? destinationNormal : originNormal, blockchainKey };
}
