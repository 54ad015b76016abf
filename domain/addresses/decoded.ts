import type { BytesCoder } from '@scure/base';

/** The bytes of a text, undefined where the coder finds that it is none of its texts. */
export function decoded(coder: BytesCoder, text: string): Uint8Array | undefined {
  try {
    return coder.decode(text);
  } catch {
    return undefined;
  }
}
