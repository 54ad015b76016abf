import { normalHash } from '../address.ts';
import { findBlockchain, type Blockchain } from '../blockchains.ts';
import { invalidField } from '../errors.ts';
import { addressAt } from '../normalised-places.ts';
import type { AmlSubject, Direction } from './finding.ts';

/** Longer than any chain's hash: base58 of 64 bytes has 88 characters. */
const HASH = /^[!-~]{16,128}$/;
const HEX_32 = /^(0x)?[0-9a-f]{64}$/i;
const BASE58_64 = /^[1-9A-HJ-NP-Za-km-z]{80,90}$/;
/** Formats whose hashes are 32 bytes in hex; others are taken as they come. */
const HEX_FORMATS = new Set([
  'EVM',
  'BITCOIN',
  'BITCOIN_CASH',
  'LITECOIN',
  'DOGECOIN',
  'DASH',
  'ZCASH',
  'TRON',
  'XRP',
  'STELLAR',
  'CARDANO',
  'POLKADOT',
  'COSMOS',
  'MONERO',
]);

/** A wallet to be checked. Throws validation_failed for a chain that is not known and a malformed address. */
export function walletSubject({ blockchain, address }: { blockchain: string; address: string }): AmlSubject {
  const chain = requireBlockchain(blockchain);
  const value = addressAt('/address', chain.name, address);
  return { kind: 'wallet', blockchain: chain.name, value, direction: null, contextAddress: null };
}

export interface TransactionWish {
  blockchain: string;
  txHash: string;
  address?: string | undefined;
  direction?: Direction | undefined;
}

/** A transaction to be checked. Throws validation_failed. */
export function transactionSubject(wish: TransactionWish): AmlSubject {
  const chain = requireBlockchain(wish.blockchain);
  const { address, direction = null } = wish;
  return {
    kind: 'transaction',
    blockchain: chain.name,
    value: requireHash(chain, wish.txHash),
    direction,
    contextAddress: address === undefined ? null : addressAt('/address', chain.name, address),
  };
}

function isHashOf(chain: Blockchain, text: string): boolean {
  if (HEX_FORMATS.has(chain.addressFormat)) return HEX_32.test(text);
  return chain.addressFormat === 'SOLANA' ? BASE58_64.test(text) : HASH.test(text);
}

/** The same, where the text itself must tell: chains with hashes of any shape are left out. */
export function isEvidentHashOf(chain: Blockchain, text: string): boolean {
  const isEvident = HEX_FORMATS.has(chain.addressFormat) || chain.addressFormat === 'SOLANA';
  return isEvident && isHashOf(chain, text);
}

/** The form in which a hash is written on its chain. */
export function hashOn({ addressFormat }: Blockchain, hash: string): string {
  return addressFormat === 'EVM' ? `0x${normalHash(hash)}` : normalHash(hash);
}

function requireBlockchain(text: string): Blockchain {
  const chain = findBlockchain(text);
  if (chain) return chain;
  throw invalidField(
    '/blockchain',
    'blockchain_unknown',
    'No such blockchain is known; GET /blockchains lists them.',
  );
}

function requireHash(chain: Blockchain, text: string): string {
  if (isHashOf(chain, text)) return hashOn(chain, text);
  throw invalidField('/txHash', 'hash_invalid', `This is no transaction hash of ${chain.name}.`);
}
