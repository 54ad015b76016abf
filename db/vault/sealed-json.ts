import { SealedValueError } from './cipher.ts';

/** The bytes of a JSON value. Throws TypeError for `undefined`, functions and symbols. */
export function jsonBytes(value: unknown): Buffer {
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) throw new TypeError('Only JSON values can be sealed.');
  return Buffer.from(text);
}

/** Parses what `jsonBytes` made. Throws SealedValueError for bytes that are not JSON. */
export function fromJsonBytes<T>(bytes: Buffer): T {
  try {
    return JSON.parse(bytes.toString()) as T;
  } catch {
    // The parser's own message quotes the text, which may be personal data.
    throw new SealedValueError('A sealed value holds bytes, not JSON.');
  }
}
