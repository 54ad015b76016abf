import type { TransactionRecord } from './record.ts';

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

/** Reasons other than a missing proof that stop a transfer before its next step. */
type OwnerWaitFacts = Pick<
  TransactionRecord,
  'status' | 'awaitsProof' | 'hold' | 'blockedBy' | 'ruleWaitUntil' | 'isScreeningDelayed'
>;

/** Whether a transfer still lacks the proof by the wallet's owner that it needs, whatever else it waits for. */
export function lacksProof({
  status,
  awaitsProof,
}: Pick<TransactionRecord, 'status' | 'awaitsProof'>): boolean {
  return status === 'PENDING' && awaitsProof;
}

/** Whether a transfer waits for a proof by the wallet's owner and for nothing else. */
export function waitsForOwner(record: OwnerWaitFacts): boolean {
  const { hold, blockedBy, ruleWaitUntil, isScreeningDelayed } = record;
  const isPaused = hold !== null || blockedBy !== null || ruleWaitUntil !== null || isScreeningDelayed;
  return lacksProof(record) && !isPaused;
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
