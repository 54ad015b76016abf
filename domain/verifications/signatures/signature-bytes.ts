import { hexToBytes } from '@noble/hashes/utils.js';
import { base64 } from '@scure/base';
import { decoded } from '../../addresses/decoded.ts';

const HEX = /^(?:0x)?(?:[0-9a-f]{2})+$/i;

/** The bytes of a hex string, with or without 0x; undefined for other texts. */
export function hexBytes(text: string): Uint8Array | undefined {
  return HEX.test(text) ? hexToBytes(text.replace(/^0x/, '')) : undefined;
}

/** The bytes of a padded, canonical base64 string; undefined for other texts. */
export function base64Bytes(text: string): Uint8Array | undefined {
  return decoded(base64, text);
}
