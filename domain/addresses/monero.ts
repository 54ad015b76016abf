import { equalBytes } from '@noble/curves/utils.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { base58xmr } from '@scure/base';
import { base58Bytes } from './decoded.ts';

/** Network bytes of accounts and subaddresses on the main, test and stage networks. */
const NETWORK_BYTES = [18, 42, 53, 63, 24, 36];
const SIZE = 69;
const CHECKSUM_BYTES = 4;

/** Normal form of a Monero address. Integrated addresses are refused: their payment id belongs in the tag field. */
export function normalMonero(address: string): string | undefined {
  const bytes = base58Bytes(address, base58xmr);
  if (bytes?.length !== SIZE || !NETWORK_BYTES.includes(bytes[0] ?? -1)) return undefined;
  const checksum = keccak_256(bytes.subarray(0, -CHECKSUM_BYTES)).subarray(0, CHECKSUM_BYTES);
  return equalBytes(checksum, bytes.subarray(-CHECKSUM_BYTES)) ? address : undefined;
}
