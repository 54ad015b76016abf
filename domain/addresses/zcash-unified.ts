import { blake2b } from '@noble/hashes/blake2.js';
import { concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { bech32, bech32m } from '@scure/base';
import { base58CheckText } from './base58.ts';
import { bech32Bytes } from './bech32.ts';

/** How a network writes the receivers of a unified address as addresses of their own. */
interface ReceiverForms {
  /** Prefix of unified addresses. */
  unified: string;
  /** Version bytes in hex of transparent addresses of a key hash (t1…) and a script hash (t3…). */
  transparent: readonly [keyHash: string, scriptHash: string];
  sapling: string;
}

const NETWORKS: readonly ReceiverForms[] = [
  { unified: 'u', transparent: ['1cb8', '1cbd'], sapling: 'zs' },
  { unified: 'utest', transparent: ['1d25', '1cba'], sapling: 'ztestsapling' },
];
/** Bytes of the receivers by their typecodes: 0 is a key hash, 1 a script hash, 2 a Sapling receiver. */
const RECEIVER_BYTES = [20, 20, 43];
const PADDING_BYTES = 16;
const HASH_BYTES = 64;

/**
 * The transparent (t…) and Sapling (zs…) addresses inside a unified address (ZIP-316); none for other texts. Receivers of
 * later kinds have no address of their own.
 */
export function addressesInUnified(address: string): string[] {
  return NETWORKS.flatMap((network) => {
    const jumbled = bech32Bytes(address, bech32m, network.unified);
    const content = jumbled && contentOf(unjumbled(jumbled), network.unified);
    return content ? receiversOf(content, network) : [];
  });
}

/** The receivers without the padding, which repeats the prefix; undefined if it does not. */
function contentOf(bytes: Uint8Array, prefix: string): Uint8Array | undefined {
  const padding = bytes.subarray(-PADDING_BYTES);
  const expected = [...utf8ToBytes(prefix.padEnd(PADDING_BYTES, '\0'))];
  const isWhole = expected.every((byte, at) => padding[at] === byte);
  return isWhole ? bytes.subarray(0, -PADDING_BYTES) : undefined;
}

/** Receivers are in the order of their typecodes; those read here have a typecode and a length of one byte each. */
function receiversOf(content: Uint8Array, network: ReceiverForms): string[] {
  const found: string[] = [];
  for (let at = 0; ;) {
    const type = content[at];
    const length = content[at + 1];
    if (type === undefined || length === undefined || length !== RECEIVER_BYTES[type]) return found;
    const end = at + 2 + length;
    if (end > content.length) return found;
    found.push(addressOf(type, content.subarray(at + 2, end), network));
    at = end;
  }
}

function addressOf(type: number, receiver: Uint8Array, { transparent, sapling }: ReceiverForms): string {
  const version = transparent[type];
  if (version === undefined) return bech32.encode(sapling, bech32.toWords(receiver), false);
  return base58CheckText(concatBytes(hexToBytes(version), receiver));
}

/** The inverse of F4Jumble: four rounds of a Feistel network, so that every byte depends on all others. */
function unjumbled(bytes: Uint8Array): Uint8Array {
  const leftBytes = Math.min(HASH_BYTES, Math.floor(bytes.length / 2));
  let left = bytes.subarray(0, leftBytes);
  let right = bytes.subarray(leftBytes);
  for (const round of [1, 0]) {
    left = xor(left, leftMask(round, right, leftBytes));
    right = xor(right, rightMask(round, left, right.length));
  }
  return concatBytes(left, right);
}

function leftMask(round: number, right: Uint8Array, dkLen: number): Uint8Array {
  return blake2b(right, { dkLen, personalization: personal('H', round, 0) });
}

function rightMask(round: number, left: Uint8Array, length: number): Uint8Array {
  const hashes = Array.from({ length: Math.ceil(length / HASH_BYTES) }, (_, part) =>
    blake2b(left, { dkLen: HASH_BYTES, personalization: personal('G', round, part) }),
  );
  return concatBytes(...hashes).subarray(0, length);
}

/** 16 bytes: the name of the hash, the round, and the number of the part with its low byte first. */
function personal(name: 'G' | 'H', round: number, part: number): Uint8Array {
  return concatBytes(utf8ToBytes(`UA_F4Jumble_${name}`), Uint8Array.of(round, part & 0xff, part >> 8));
}

function xor(one: Uint8Array, other: Uint8Array): Uint8Array {
  return one.map((byte, at) => byte ^ (other[at] ?? 0));
}
