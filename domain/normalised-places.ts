import { normalAddress, normalHash } from './address.ts';
import { findBlockchain, mainChainOf } from './blockchains.ts';
import { invalidField } from './errors.ts';

/** The blockchain of a transfer, as sent and as normalised key. */
export interface ChainFields {
  blockchain: string | null;
  blockchainKey: string | null;
}

/** The blockchain fields. Without a blockchain, the main chain with this native asset is used, if there is one. */
export function chainFields(blockchain: string | null | undefined, asset: string): ChainFields {
  if (blockchain) return { blockchain, blockchainKey: blockchainKey(blockchain) };
  const main = mainChainOf(asset);
  return main
    ? { blockchain: main.name, blockchainKey: main.name }
    : { blockchain: null, blockchainKey: null };
}

/** The key of a blockchain, equal for all its names; for an unknown one, its name in lower case. */
export function blockchainKey(blockchain: string): string {
  return findBlockchain(blockchain)?.name ?? blockchain.trim().toLowerCase();
}

/** The normal form of an address. Throws validation_failed at `pointer`. */
export function addressAt(pointer: string, blockchain: string | null, address: string): string {
  const checked = normalAddress(blockchain, address);
  if (!checked.ok) throw invalidField(pointer, 'address_invalid', checked.message);
  return checked.normal;
}

export interface HashFields {
  transactionHash: string | null;
  hashNormal: string | null;
}

/** The transaction hash as sent and in normal form. */
export function hashFields(hash: string | null | undefined): HashFields {
  return hash
    ? { transactionHash: hash, hashNormal: normalHash(hash) }
    : { transactionHash: null, hashNormal: null };
}
