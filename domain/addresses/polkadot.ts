import { equalBytes } from '@noble/curves/utils.js';
import { blake2b } from '@noble/hashes/blake2.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { base58 } from '@scure/base';
import { decoded } from './decoded.ts';

/**
 * What 35 or 36 bytes take in base58, where each zero in front is a 1: cheaper than decoding each of the many texts
 * that are something else.
 */
const SHAPE = /^[1-9A-HJ-NP-Za-km-z]{35,50}$/;
const SALT = utf8ToBytes('SS58PRE');
const KEY_BYTES = 32;
const CHECKSUM_BYTES = 2;
/** Polkadot's own. */
const NORMAL_PREFIX = Uint8Array.of(0);

/**
 * Polkadot's form (1…) of an SS58 address with the prefix of any network: the same key is the same account on all of
 * them, and wallets show it with the prefix of another network or the general one (5…).
 */
export function normalPolkadot(address: string): string | undefined {
  if (!SHAPE.test(address)) return undefined;
  const bytes = decoded(base58, address);
  // Network numbers from 64 on take two bytes, which the bits of the first one tell; 128 and more are reserved.
  const prefixBytes = (bytes?.[0] ?? 0) < 64 ? 1 : 2;
  if (bytes?.length !== prefixBytes + KEY_BYTES + CHECKSUM_BYTES || (bytes[0] ?? 0) > 127) return undefined;
  const content = bytes.subarray(0, -CHECKSUM_BYTES);
  if (!equalBytes(checksumOf(content), bytes.subarray(-CHECKSUM_BYTES))) return undefined;
  const normal = concatBytes(NORMAL_PREFIX, content.subarray(prefixBytes));
  return base58.encode(concatBytes(normal, checksumOf(normal)));
}

function checksumOf(content: Uint8Array): Uint8Array {
  return blake2b(concatBytes(SALT, content)).subarray(0, CHECKSUM_BYTES);
}
