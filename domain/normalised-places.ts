import { normalAddress, normalHash } from './address.ts';
import { findBlockchain, mainChainOf } from './blockchains.ts';
import { invalidField } from './errors.ts';

/** Where a transfer happens, as sent and in the form in which places are compared. */
export interface ChainFields {
  blockchain: string | null;
  blockchainKey: string | null;
}

/** An omitted blockchain is the main chain whose native asset it is, else unknown. */
export function chainFields(blockchain: string | null | undefined, asset: string): ChainFields {
  if (blockchain) return { blockchain, blockchainKey: blockchainKey(blockchain) };
  const main = mainChainOf(asset);
  return main
    ? { blockchain: main.name, blockchainKey: main.name }
    : { blockchain: null, blockchainKey: null };
}

/** One key for all spellings of a chain; an unknown chain is its own folded name. */
export function blockchainKey(blockchain: string): string {
  return findBlockchain(blockchain)?.name ?? blockchain.trim().toLowerCase();
}

/** The normal form of an address; throws validation_failed at `pointer`. */
export function addressAt(pointer: string, blockchain: string | null, address: string): string {
  const checked = normalAddress(blockchain, address);
  if (!checked.ok) throw invalidField(pointer, 'address_invalid', checked.message);
  return checked.normal;
}

export interface HashFields {
  transactionHash: string | null;
  hashNormal: string | null;
}

export function hashFields(hash: string | null | undefined): HashFields {
  return hash
    ? { transactionHash: hash, hashNormal: normalHash(hash) }
    : { transactionHash: null, hashNormal: null };
}
