import { hexToBytes } from '@noble/hashes/utils.js';
import { base58, base64, type BytesCoder } from '@scure/base';

const HEX = /^(?:0x)?(?:[0-9a-f]{2})+$/i;

/** Bytes of a text in hex, with or without 0x. */
export function hexBytes(text: string): Uint8Array | undefined {
  return HEX.test(text) ? hexToBytes(text.replace(/^0x/, '')) : undefined;
}

/** Bytes of a text in padded base64; base64 in other spellings of the same bytes is refused. */
export function base64Bytes(text: string): Uint8Array | undefined {
  return decoded(base64, text);
}

export function base58Bytes(text: string): Uint8Array | undefined {
  return decoded(base58, text);
}

function decoded(coder: BytesCoder, text: string): Uint8Array | undefined {
  try {
    return coder.decode(text);
  } catch {
    return undefined;
  }
}
