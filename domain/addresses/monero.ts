import { equalBytes } from '@noble/curves/utils.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { base58xmr } from '@scure/base';
import { decoded } from './decoded.ts';

/** Accounts and subaddresses of the main, test and stage networks. */
const NETWORK_BYTES = [18, 42, 53, 63, 24, 36];
const SIZE = 69;
const CHECKSUM_BYTES = 4;

/** A Monero address. An integrated one is refused: it hides a payment id, which belongs into the field for tags. */
export function normalMonero(address: string): string | undefined {
  const bytes = decoded(base58xmr, address);
  if (bytes?.length !== SIZE || !NETWORK_BYTES.includes(bytes[0] ?? -1)) return undefined;
  const checksum = keccak_256(bytes.subarray(0, -CHECKSUM_BYTES)).subarray(0, CHECKSUM_BYTES);
  return equalBytes(checksum, bytes.subarray(-CHECKSUM_BYTES)) ? address : undefined;
}
