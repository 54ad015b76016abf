import { base32nopad, base58, type BytesCoder } from '@scure/base';

/** The characters of all base58 alphabets: Bitcoin's, Monero's, and that of the XRP Ledger. */
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]*$/;
const BASE32 = /^[A-Z2-7]*$/;

/** The bytes of a base58 text; undefined for other texts. */
export function base58Bytes(text: string, alphabet: BytesCoder = base58): Uint8Array | undefined {
  // Cheaper than an exception for each of the many addresses in other formats.
  return BASE58.test(text) ? decoded(alphabet, text) : undefined;
}

/** The bytes of a base32 text without padding; undefined for other texts. */
export function base32Bytes(text: string): Uint8Array | undefined {
  return BASE32.test(text) ? decoded(base32nopad, text) : undefined;
}

/** The decoded bytes of a text; undefined if the coder refuses the text. */
export function decoded(coder: BytesCoder, text: string): Uint8Array | undefined {
  try {
    return coder.decode(text);
  } catch {
    return undefined;
  }
}
