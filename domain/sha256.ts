import { sha256 as hash } from '@noble/hashes/sha2.js';

/** SHA-256 (FIPS 180-4) of bytes, or of a text as UTF-8. */
export function sha256(content: string | Uint8Array): Buffer {
  return Buffer.from(hash(typeof content === 'string' ? Buffer.from(content) : content));
}
