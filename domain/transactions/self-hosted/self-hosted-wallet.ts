import type { TransactionRecord } from '../record.ts';

type WalletSides = Pick<
  TransactionRecord,
  'direction' | 'destinationType' | 'originType' | 'messageSource' | 'destinationNormal' | 'originNormal'
>;

/** Whether the other side is a self-hosted wallet. A deposit counts only if its own tenant recorded it. */
export function isSelfHosted(
  record: Pick<WalletSides, 'direction' | 'destinationType' | 'originType' | 'messageSource'>,
): boolean {
  if (record.direction === 'OUTGOING') return record.destinationType === 'NON_CUSTODIAL';
  return record.originType === 'NON_CUSTODIAL' && record.messageSource === 'MANUAL';
}

type OwnerWait = Pick<TransactionRecord, 'status' | 'subStatus'>;

/** Whether a transfer waits for a proof by the wallet's owner, not for its tenant to confirm the address. */
export function waitsForOwner({ status, subStatus }: OwnerWait): boolean {
  return status === 'PENDING' && subStatus === 'OWNERSHIP_UNCONFIRMED';
}

/** Address and blockchain of a wallet in normal form; null where unknown. */
export interface WalletKey {
  addressNormal: string | null;
  blockchainKey: string | null;
}

/** The self-hosted wallet of a transfer: the destination of an outgoing one, the origin of a deposit. */
export function selfHostedWallet(record: WalletSides & Pick<TransactionRecord, 'blockchainKey'>): WalletKey {
  const { direction, destinationNormal, originNormal, blockchainKey } = record;
  return { addressNormal: direction === 'OUTGOING' ? destinationNormal : originNormal, blockchainKey };
}
