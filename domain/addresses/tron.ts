import { hexToBytes } from '@noble/hashes/utils.js';
import { base58CheckText, normalBase58Check } from './base58.ts';

/** The form used by nodes: the version byte 41 and 20 bytes. */
const HEX = /^(?:0x)?(41[0-9a-f]{40})$/i;

/** Base58 form (T…) of a Tron address, given in that form or in the nodes' hexadecimal form (41…). */
export function normalTron(address: string): string | undefined {
  return normalBase58Check(address, { '41': '41' }) ?? tronOfHex(address);
}

/** Base58 form of a Tron address in hexadecimal form; undefined for other texts. */
export function tronOfHex(address: string): string | undefined {
  const digits = HEX.exec(address)?.[1];
  return digits === undefined ? undefined : base58CheckText(hexToBytes(digits));
}
