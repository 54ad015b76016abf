import { hexToBytes } from '@noble/hashes/utils.js';

const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;

/**
 * A 32-bit hash of a recipient (FNV-1a, signed), to search for thousands of recipients at once. Hashes may collide, so
 * hits must be compared in full.
 */
export function hashRecipient(bytes: Uint8Array, from = 0, to = bytes.length): number {
  let hash = OFFSET;
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), PRIME);
  return hash | 0;
}

/** Like `hashRecipient`, for a party key, which is hex with or without 0x. */
export function hashPartyKey(key: string): number {
  return hashRecipient(hexToBytes(key.replace(/^0x/, '')));
}
