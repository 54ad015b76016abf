import { secp256k1 } from '@noble/curves/secp256k1.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { malformedSignature } from './signature-refusals.ts';

/**
 * The compressed public key (33 bytes) that made a signature of 64 bytes over a hash. `recovery` is 0 to 3. For chains
 * other than EVM. Callers must hash the text themselves. Throws signature_malformed.
 */
export function recoverPublicKey(hash: Uint8Array, recovery: number, rs: Uint8Array): Uint8Array {
  try {
    return secp256k1.recoverPublicKey(concatBytes(Uint8Array.of(recovery), rs), hash, { prehash: false });
  } catch {
    throw malformedSignature('No key can have made this signature. Copy the complete signature again.');
  }
}

/** The uncompressed form of a public key, without the leading 04 (64 bytes). */
export function uncompressedKey(publicKey: Uint8Array): Uint8Array {
  return secp256k1.Point.fromBytes(publicKey).toBytes(false).subarray(1);
}
