import { equalBytes } from '@noble/curves/utils.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import { base58, type BytesCoder } from '@scure/base';
import { base58Bytes } from './decoded.ts';

const CHECKSUM_BYTES = 4;
const HASH_BYTES = 20;

/** A version (key hash, script hash …) and a 20-byte hash. */
interface HashAddress {
  /** The version bytes in hex: one byte for most chains, two for Zcash, three for Tezos. */
  version: string;
  hash: Uint8Array;
}

/** The payload of a base58check text, without checksum; undefined when characters or checksum are wrong. */
export function base58CheckPayload(text: string, alphabet: BytesCoder = base58): Uint8Array | undefined {
  const bytes = base58Bytes(text, alphabet);
  if (!bytes || bytes.length <= CHECKSUM_BYTES) return undefined;
  const payload = bytes.subarray(0, -CHECKSUM_BYTES);
  return equalBytes(checksumOf(payload), bytes.subarray(-CHECKSUM_BYTES)) ? payload : undefined;
}

/** The base58check text of a payload. */
export function base58CheckText(payload: Uint8Array, alphabet: BytesCoder = base58): string {
  return alphabet.encode(concatBytes(payload, checksumOf(payload)));
}

/** The version and hash of a base58check address; undefined when characters, length or checksum are wrong. */
export function decodeBase58Check(address: string, alphabet: BytesCoder = base58): HashAddress | undefined {
  const payload = base58CheckPayload(address, alphabet);
  if (!payload || payload.length <= HASH_BYTES) return undefined;
  return {
    version: bytesToHex(payload.subarray(0, -HASH_BYTES)),
    hash: payload.subarray(-HASH_BYTES),
  };
}

/**
 * Normal form of a base58check address with one of the given versions. `versions` maps each accepted version to that of
 * the normal form, which differs if a chain has had two versions for the same script.
 */
export function normalBase58Check(address: string, versions: Record<string, string>): string | undefined {
  const found = decodeBase58Check(address);
  if (!found || !Object.hasOwn(versions, found.version)) return undefined;
  const normalVersion = versions[found.version];
  if (normalVersion === undefined || normalVersion === found.version) return address;
  return base58CheckText(concatBytes(hexToBytes(normalVersion), found.hash));
}

/** Normal form of a Solana address: base58 of 32 bytes. It has no checksum, and each key has one spelling. */
export function normalSolana(address: string): string | undefined {
  return base58Bytes(address)?.length === 32 ? address : undefined;
}

function checksumOf(payload: Uint8Array): Uint8Array {
  return sha256(sha256(payload)).subarray(0, CHECKSUM_BYTES);
}
