import { normalAddress, normalHash } from './address.ts';
import { findBlockchain, knownBlockchains, mainChainOf, type Blockchain } from './blockchains.ts';
import { invalidField } from './errors.ts';
import { nearestName } from './near-name.ts';

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

/** The chain of a name, alias, CAIP-2 id or EVM chain id. Throws validation_failed at `pointer`. */
export function blockchainAt(pointer: string, text: string): Blockchain {
  const chain = findBlockchain(text);
  if (chain) return chain;
  const meant = nearBlockchain(text);
  const hint = meant === undefined ? 'see GET /blockchains' : `${meant} was probably meant`;
  throw invalidField(pointer, 'unknown_blockchain', `This blockchain is not known; ${hint}.`);
}

/** The known blockchain that an unknown name probably means; undefined if none has a name or alias that near. */
export function nearBlockchain(text: string): string | undefined {
  // Not by chain ids: another number is another chain.
  const word = nearestName(
    text,
    knownBlockchains().flatMap(({ name, aliases }) => [name, ...aliases]),
  );
  return word === undefined ? undefined : findBlockchain(word)?.name;
}

/** Says which known blockchain a name that is not known probably means; undefined for a known or quite different one. */
export function misspeltBlockchain(text: string): string | undefined {
  const meant = findBlockchain(text) ? undefined : nearBlockchain(text);
  return (
    meant && `This blockchain is not known; ${meant} was probably meant. Addresses on it are not checked.`
  );
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
