import type { BytesCoder } from '@scure/base';

/** The decoded bytes of a text; undefined if the coder refuses the text. */
export function decoded(coder: BytesCoder, text: string): Uint8Array | undefined {
  try {
    return coder.decode(text);
  } catch {
    return undefined;
  }
}
