import type { Blockchain } from '../blockchains.ts';
import { addressAt, blockchainAt } from '../normalised-places.ts';

/** Raised with every change that may change results; stored with each check. */
export const ENGINE_VERSION = 'kyw-1';

export const CLASSIFICATIONS = ['CUSTODIAL', 'NON_CUSTODIAL', 'UNKNOWN'] as const;
export type WalletClassification = (typeof CLASSIFICATIONS)[number];

/** Sources of evidence, in order of precedence. */
export const SOURCES = ['OWN_REGISTRY', 'OWN_VERIFICATION', 'NETWORK', 'LABELS', 'BEHAVIOUR'] as const;
export type CheckSource = (typeof SOURCES)[number];

/** A wallet to be checked, with its address in normal form. */
export interface CheckedWallet {
  chain: Blockchain;
  /** As sent by the caller. */
  address: string;
  addressNormal: string;
}

export interface WalletCheckInput {
  blockchain: string;
  address: string;
  /** Whether only the wallet's behaviour counts, without own data or labels. */
  heuristicOnly: boolean;
}

/** The wallet of a request. Throws validation_failed at `/blockchain` or `/address`. */
export function checkedWallet({ blockchain, address }: WalletCheckInput): CheckedWallet {
  const chain = blockchainAt('/blockchain', blockchain);
  return { chain, address, addressNormal: addressAt('/address', chain.name, address) };
}
