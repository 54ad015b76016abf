import { findBlockchain, type AddressFormat, type Blockchain } from './blockchains.ts';

/** Allows more characters than any chain's hash has: base58 of 64 bytes has 88. */
const HASH = /^[!-~]{16,128}$/;
const HEX_32 = /^(0x)?[0-9a-f]{64}$/i;
const BASE58_64 = /^[1-9A-HJ-NP-Za-km-z]{80,90}$/;
/** Address formats of chains whose hashes are 32 bytes in hex. */
const HEX_FORMATS: ReadonlySet<AddressFormat> = new Set([
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
/** Chains whose transaction hashes are checked when they are recorded: EVM, the Bitcoin family, Tron and Solana. */
const CHECKED_FORMATS: ReadonlySet<AddressFormat> = new Set([
  'EVM',
  'BITCOIN',
  'BITCOIN_CASH',
  'LITECOIN',
  'DOGECOIN',
  'DASH',
  'ZCASH',
  'TRON',
  'SOLANA',
]);

/** Whether a text has the form of a transaction hash of the chain; `0x` and case do not matter. */
export function isHashOf(chain: Blockchain, text: string): boolean {
  if (HEX_FORMATS.has(chain.addressFormat)) return HEX_32.test(text);
  return chain.addressFormat === 'SOLANA' ? BASE58_64.test(text) : HASH.test(text);
}

/** Like `isHashOf`, but false for chains whose hashes have no distinctive form. */
export function isEvidentHashOf(chain: Blockchain, text: string): boolean {
  const isEvident = HEX_FORMATS.has(chain.addressFormat) || chain.addressFormat === 'SOLANA';
  return isEvident && isHashOf(chain, text);
}

/** Says that a hash has not the form that the blockchain's hashes have; undefined where it has, or where none is checked. */
export function hashFault(
  blockchain: string | null | undefined,
  hash: string | null | undefined,
): string | undefined {
  const chain = blockchain ? findBlockchain(blockchain) : undefined;
  if (!chain || !hash || !CHECKED_FORMATS.has(chain.addressFormat) || isHashOf(chain, hash)) return undefined;
  const form = chain.addressFormat === 'SOLANA' ? '64 bytes in base58' : '64 hex digits, with or without 0x';
  return `This is not a transaction hash of ${chain.name}: ${form}.`;
}
