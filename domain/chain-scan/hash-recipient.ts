import { hexToBytes } from '@noble/hashes/utils.js';

const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;

/**
 * A short number for a recipient, signed 32 bits (FNV-1a), to look for thousands of them at once: others may have the
 * same one, so what is found must be compared in full.
 */
export function hashRecipient(bytes: Uint8Array, from = 0, to = bytes.length): number {
  let hash = OFFSET;
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), PRIME);
  return hash | 0;
}

/** The same for a party key, which is hex with or without 0x. */
export function placeOfKey(key: string): number {
  return hashRecipient(hexToBytes(key.replace(/^0x/, '')));
}
