import { normalHash } from '../address.ts';
import { findBlockchain, type Blockchain } from '../blockchains.ts';
import { invalidField } from '../errors.ts';
import { addressAt } from '../normalised-places.ts';
import type { AmlSubject, Direction } from './finding.ts';

/** Allows more characters than any chain's hash has: base58 of 64 bytes has 88. */
const HASH = /^[!-~]{16,128}$/;
const HEX_32 = /^(0x)?[0-9a-f]{64}$/i;
const BASE58_64 = /^[1-9A-HJ-NP-Za-km-z]{80,90}$/;
/** Address formats of chains whose hashes are 32 bytes in hex. */
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

/** The subject of a wallet check. Throws validation_failed for an unknown chain or a malformed address. */
export function walletSubject({ blockchain, address }: { blockchain: string; address: string }): AmlSubject {
  const chain = requireBlockchain(blockchain);
  const value = addressAt('/address', chain.name, address);
  return { kind: 'wallet', blockchain: chain.name, value, direction: null, contextAddress: null };
}

export interface TransactionCheckInput {
  blockchain: string;
  txHash: string;
  address?: string | undefined;
  direction?: Direction | undefined;
}

/** The subject of a transaction check. Throws validation_failed. */
export function transactionSubject(input: TransactionCheckInput): AmlSubject {
  const chain = requireBlockchain(input.blockchain);
  const { address, direction = null } = input;
  return {
    kind: 'transaction',
    blockchain: chain.name,
    value: requireHash(chain, input.txHash),
    direction,
    contextAddress: address === undefined ? null : addressAt('/address', chain.name, address),
  };
}

function isHashOf(chain: Blockchain, text: string): boolean {
  if (HEX_FORMATS.has(chain.addressFormat)) return HEX_32.test(text);
  return chain.addressFormat === 'SOLANA' ? BASE58_64.test(text) : HASH.test(text);
}

/** Like `isHashOf`, but false for chains whose hashes have no distinctive form. */
export function isEvidentHashOf(chain: Blockchain, text: string): boolean {
  const isEvident = HEX_FORMATS.has(chain.addressFormat) || chain.addressFormat === 'SOLANA';
  return isEvident && isHashOf(chain, text);
}

/** A hash in the form used on its chain. */
export function hashOn({ addressFormat }: Blockchain, hash: string): string {
  return addressFormat === 'EVM' ? `0x${normalHash(hash)}` : normalHash(hash);
}

function requireBlockchain(text: string): Blockchain {
  const chain = findBlockchain(text);
  if (chain) return chain;
  throw invalidField(
    '/blockchain',
    'blockchain_unknown',
    'This blockchain is not known; see GET /blockchains.',
  );
}

function requireHash(chain: Blockchain, text: string): string {
  if (isHashOf(chain, text)) return hashOn(chain, text);
  throw invalidField('/txHash', 'hash_invalid', `This is not a transaction hash of ${chain.name}.`);
}
