import { deflateSync, inflateSync } from 'node:zlib';
import { SealedValueError } from './cipher.ts';

/** The bytes of a JSON value. Throws TypeError for `undefined`, functions and symbols. */
export function jsonBytes(value: unknown): Buffer {
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) throw new TypeError('Only JSON values can be sealed.');
  return Buffer.from(text);
}

/** Shorter values gain nothing. */
const MIN_COMPRESSED_BYTES = 512;
/** With level 1 the first byte of a zlib stream; no JSON text begins with it. */
const ZLIB = 0x78;

/** Like `jsonBytes`, compressed where that helps: for long values that repeat themselves. Sealed bytes cannot be compressed. */
export function compressedJsonBytes(value: unknown): Buffer {
  const bytes = jsonBytes(value);
  return bytes.length < MIN_COMPRESSED_BYTES ? bytes : deflateSync(bytes, { level: 1 });
}

/** Parses what `jsonBytes` or `compressedJsonBytes` made. Throws SealedValueError for bytes that are not JSON. */
export function fromJsonBytes<T>(bytes: Buffer): T {
  try {
    const text = bytes[0] === ZLIB ? inflateSync(bytes) : bytes;
    return JSON.parse(text.toString()) as T;
  } catch {
    // The parser's own message quotes the text, which may be personal data.
    throw new SealedValueError('A sealed value holds bytes, not JSON.');
  }
}
