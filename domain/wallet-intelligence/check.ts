import { invalidField } from '../errors.ts';
import { findBlockchain, type Blockchain } from '../blockchains.ts';
import { normalAddress } from '../address.ts';

/** Grows with every change that may change an answer: a stored check says by which it was made. */
export const ENGINE_VERSION = 'kyw-1';

export const CLASSIFICATIONS = ['CUSTODIAL', 'NON_CUSTODIAL', 'UNKNOWN'] as const;
export type WalletClassification = (typeof CLASSIFICATIONS)[number];

/** Where evidence may come from, in the order in which it counts. */
export const SOURCES = ['OWN_REGISTRY', 'OWN_VERIFICATION', 'NETWORK', 'LABELS', 'BEHAVIOUR'] as const;
export type CheckSource = (typeof SOURCES)[number];

/** A wallet somebody asks about, in the forms that are compared. */
export interface WalletInQuestion {
  chain: Blockchain;
  /** As given. */
  address: string;
  addressNormal: string;
}

export interface WalletQuestion {
  blockchain: string;
  address: string;
  /** Only what the wallet does counts: nothing that anybody knows or says about it. */
  heuristicOnly: boolean;
}

/** Throws validation_failed at `/blockchain` or `/address`: nothing can be said of a chain that is not known. */
export function walletInQuestion({ blockchain, address }: WalletQuestion): WalletInQuestion {
  const chain = findBlockchain(blockchain);
  if (!chain) {
    throw invalidField(
      '/blockchain',
      'blockchain_unknown',
      'This blockchain is not known; GET /blockchains lists those that are.',
    );
  }
  const checked = normalAddress(chain.name, address);
  if (!checked.ok) throw invalidField('/address', 'address_invalid', checked.message);
  return { chain, address, addressNormal: checked.normal };
}
