import { equalBytes } from '@noble/curves/utils.js';
import { sha512_256 } from '@noble/hashes/sha2.js';
import { base32Bytes } from './decoded.ts';

const KEY_BYTES = 32;
const CHECKSUM_BYTES = 4;

/** Normal form of an Algorand address: base32 of a key and the last four bytes of its SHA-512/256. */
export function normalAlgorand(address: string): string | undefined {
  const bytes = base32Bytes(address);
  if (bytes?.length !== KEY_BYTES + CHECKSUM_BYTES) return undefined;
  const checksum = sha512_256(bytes.subarray(0, KEY_BYTES)).subarray(-CHECKSUM_BYTES);
  return equalBytes(checksum, bytes.subarray(KEY_BYTES)) ? address : undefined;
}
