import { createCipheriv, createDecipheriv, randomBytes, type KeyObject } from 'node:crypto';

// Layout of a sealed value: format (1 byte), key version (uint32, big endian), random IV, ciphertext, tag.
const ALGORITHM = 'aes-256-gcm';
const FORMAT = 1;
const HEADER_BYTES = 5;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const IVS_PER_DRAW = 512;

/** An AES-256 key and its version, which sealed values name. At most 2^32 values per key (NIST SP 800-38D). */
export interface SealingKey {
  version: number;
  secret: KeyObject | Buffer;
}

/** A sealed value does not open: it was changed, cut, moved to another row or column, or sealed by another key. */
export class SealedValueError extends Error {
  override name = 'SealedValueError';
}

/** Encrypts `plain` so that it opens only with the same key and context (table, column and row). */
export function seal(key: SealingKey, context: string, plain: Uint8Array): Buffer {
  const header = Buffer.allocUnsafe(HEADER_BYTES);
  header.writeUInt8(FORMAT, 0);
  header.writeUInt32BE(key.version, 1);
  const iv = randomIv();
  const cipher = createCipheriv(ALGORITHM, key.secret, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(boundText(key.version, context));
  const parts = [header, iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(parts);
}

/** Decrypts what `seal` made. Throws SealedValueError, which says nothing about the content. */
export function unseal(key: SealingKey, context: string, sealed: Buffer): Buffer {
  if (keyVersionOf(sealed) !== key.version) throw new SealedValueError('A sealed value names another key.');
  const ivEnd = HEADER_BYTES + IV_BYTES;
  const tagStart = sealed.length - TAG_BYTES;
  const decipher = createDecipheriv(ALGORITHM, key.secret, sealed.subarray(HEADER_BYTES, ivEnd), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(boundText(key.version, context));
  decipher.setAuthTag(sealed.subarray(tagStart));
  const plain = decipher.update(sealed.subarray(ivEnd, tagStart));
  try {
    decipher.final();
  } catch {
    throw new SealedValueError(
      'A sealed value does not open here: it was changed, moved or sealed by another key.',
    );
  }
  return plain;
}

/** The version of the key that sealed this value. Throws SealedValueError when it is not a sealed value. */
export function keyVersionOf(sealed: Buffer): number {
  if (sealed.length < HEADER_BYTES + IV_BYTES + TAG_BYTES || sealed[0] !== FORMAT) {
    throw new SealedValueError('This is not a sealed value.');
  }
  return sealed.readUInt32BE(1);
}

// Format and key version are authenticated with the context, so that none can be exchanged.
function boundText(keyVersion: number, context: string): Buffer {
  return Buffer.from(`${FORMAT}.${keyVersion}.${context}`);
}

let drawn: Buffer = Buffer.alloc(0);

/**
 * A random IV, never returned before. IVs are drawn in bulk: a draw per IV costs as much as sealing a short value.
 */
function randomIv(): Buffer {
  if (drawn.length === 0) drawn = randomBytes(IV_BYTES * IVS_PER_DRAW);
  const iv = drawn.subarray(0, IV_BYTES);
  drawn = drawn.subarray(IV_BYTES);
  return iv;
}
