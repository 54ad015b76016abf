import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { decodeBase58Check } from '../../addresses/base58.ts';
import { recoverPublicKey, uncompressedKey } from './recover-public-key.ts';
import { readFullSignature } from './recoverable-signature.ts';
import { malformedSignature, mismatchedSignature } from './signature-refusals.ts';

const PREFIX = '\x19TRON Signed Message:\n';
const FULL_SIGNATURE = /^(?:0x)?[0-9a-f]{130}$/i;

/** Checks a signature of TIP-191, second version (`signMessageV2`): Tron's prefix and the length of the text in bytes. */
export function checkTip191(address: string, message: string, signature: string): void {
  if (!FULL_SIGNATURE.test(signature)) {
    throw malformedSignature('A complete signature of a Tron wallet has 65 bytes: 0x and 130 hex digits.');
  }
  const { r, s, yParity } = readFullSignature(signature.replace(/^0x/, ''));
  const publicKey = recoverPublicKey(hashOf(message), yParity, hexToBytes(r + s));
  if (addressHash(publicKey) !== hashIn(address)) throw mismatchedSignature(message);
}

function hashOf(message: string): Uint8Array {
  const bytes = utf8ToBytes(message);
  return keccak_256(concatBytes(utf8ToBytes(`${PREFIX}${bytes.length}`), bytes));
}

function addressHash(publicKey: Uint8Array): string {
  return bytesToHex(keccak_256(uncompressedKey(publicKey)).subarray(-20));
}

function hashIn(address: string): string | undefined {
  const decoded = decodeBase58Check(address);
  return decoded && bytesToHex(decoded.hash);
}
