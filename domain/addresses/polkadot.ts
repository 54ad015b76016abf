import { equalBytes } from '@noble/curves/utils.js';
import { blake2b } from '@noble/hashes/blake2.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { base58 } from '@scure/base';
import { decoded } from './decoded.ts';

/**
 * The shape of 35 or 36 bytes in base58, where each leading zero is a 1. Checking it is cheaper than decoding the many
 * texts in other formats.
 */
const SHAPE = /^[1-9A-HJ-NP-Za-km-z]{35,50}$/;
const SALT = utf8ToBytes('SS58PRE');
const KEY_BYTES = 32;
const CHECKSUM_BYTES = 2;
/** Polkadot's own network prefix. */
const NORMAL_PREFIX = Uint8Array.of(0);

/**
 * Polkadot's form (1…) of an SS58 address with any network prefix. A key is the same account on all networks, and wallets
 * also show it with another network's prefix or the general one (5…).
 */
export function normalPolkadot(address: string): string | undefined {
  if (!SHAPE.test(address)) return undefined;
  const bytes = decoded(base58, address);
  // Network prefixes from 64 on take two bytes; first bytes of 128 and more are reserved.
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
