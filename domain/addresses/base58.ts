import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import { base58, base58xrp, type BytesCoder } from '@scure/base';

const CHECKSUM_BYTES = 4;
const HASH_BYTES = 20;

/** A version (key hash, script hash) and the 20-byte hash under it. */
interface HashAddress {
  /** The version bytes in hex: one byte for most chains, two for Zcash. */
  version: string;
  hash: Uint8Array;
}

/** The version and hash of a base58check address; undefined when characters, length or checksum are wrong. */
export function decodeBase58Check(address: string, alphabet: BytesCoder = base58): HashAddress | undefined {
  const bytes = decode(address, alphabet);
  if (!bytes || bytes.length <= HASH_BYTES + CHECKSUM_BYTES) return undefined;
  const payload = bytes.subarray(0, -CHECKSUM_BYTES);
  if (bytesToHex(checksumOf(payload)) !== bytesToHex(bytes.subarray(-CHECKSUM_BYTES))) return undefined;
  const hash = payload.subarray(-HASH_BYTES);
  return { version: bytesToHex(payload.subarray(0, -HASH_BYTES)), hash };
}

/**
 * Normal form of a base58check address with one of the given versions. `versions` maps each accepted version to the
 * one of the normal form: another one where a chain has had two versions for the same script.
 */
export function normalBase58Check(address: string, versions: Record<string, string>): string | undefined {
  const decoded = decodeBase58Check(address);
  if (!decoded || !Object.hasOwn(versions, decoded.version)) return undefined;
  const normalVersion = versions[decoded.version];
  if (normalVersion === undefined || normalVersion === decoded.version) return address;
  const payload = concatBytes(hexToBytes(normalVersion), decoded.hash);
  return base58.encode(concatBytes(payload, checksumOf(payload)));
}

/** A Solana address is the base58 text of 32 bytes: there is no checksum, and each key has one spelling. */
export function normalSolana(address: string): string | undefined {
  return decode(address, base58)?.length === 32 ? address : undefined;
}

/** A classic XRP Ledger address. The X form is refused: it hides a tag, which belongs into its own field. */
export function normalXrp(address: string): string | undefined {
  return decodeBase58Check(address, base58xrp)?.version === '00' ? address : undefined;
}

function checksumOf(payload: Uint8Array): Uint8Array {
  return sha256(sha256(payload)).subarray(0, CHECKSUM_BYTES);
}

function decode(address: string, alphabet: BytesCoder): Uint8Array | undefined {
  try {
    return alphabet.decode(address);
  } catch {
    return undefined;
  }
}
