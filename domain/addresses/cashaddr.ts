import { bech32 } from '@scure/base';
import { decodeBase58Check } from './base58.ts';

/** A CashAddr: kind 0 is a key hash, 1 a script hash, 2 and 3 their token-aware forms. */
interface CashAddress {
  prefix: string;
  kind: number;
  hash: Uint8Array;
}

const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const NETWORKS = ['bitcoincash', 'bchtest', 'bchreg'];
const HASH_SIZES = [20, 24, 28, 32, 40, 48, 56, 64];
const CHECKSUM_WORDS = 8;
/** A version byte and the longest hash of the specification, 64 bytes, with checksum. */
const MAX_WORDS = 112;
const GENERATORS = [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n];

/** The meaning of base58check versions: those shared with Bitcoin, and those that BitPay used for a while. */
const LEGACY: Record<string, { prefix: string; kind: number }> = {
  '00': { prefix: 'bitcoincash', kind: 0 },
  '05': { prefix: 'bitcoincash', kind: 1 },
  '1c': { prefix: 'bitcoincash', kind: 0 },
  '28': { prefix: 'bitcoincash', kind: 1 },
  '6f': { prefix: 'bchtest', kind: 0 },
  c4: { prefix: 'bchtest', kind: 1 },
};

/** Normal form of a Bitcoin Cash address (CashAddr with or without prefix, legacy base58): lower-case with prefix. */
export function normalBitcoinCash(address: string): string | undefined {
  return normalCashAddr(address) ?? normalLegacy(address);
}

/** Like `normalBitcoinCash`, for CashAddr only. Token-aware forms are normalised to the plain form of the same owner. */
export function normalCashAddr(address: string): string | undefined {
  const decoded = decodeCashAddr(address);
  if (!decoded || !NETWORKS.includes(decoded.prefix) || decoded.kind > 3) return undefined;
  const kind = decoded.kind % 2;
  const isSizeInUse = decoded.hash.length === 20 || (kind === 1 && decoded.hash.length === 32);
  return isSizeInUse ? encodeCashAddr({ ...decoded, kind }) : undefined;
}

/** Decodes a CashAddr with any prefix; without a prefix, the checksum identifies the Bitcoin Cash network. */
export function decodeCashAddr(address: string): CashAddress | undefined {
  if (address !== address.toLowerCase() && address !== address.toUpperCase()) return undefined;
  const [first = '', second, ...more] = address.toLowerCase().split(':');
  if (more.length > 0) return undefined;
  const words = wordsOf(second ?? first);
  if (!words) return undefined;
  const prefixes = second === undefined ? NETWORKS : [first];
  const prefix = prefixes.find((candidate) => polymod([...prefixWords(candidate), ...words]) === 0n);
  return prefix === undefined ? undefined : contentOf(prefix, words.slice(0, -CHECKSUM_WORDS));
}

/** The CashAddr text of an address, with prefix and checksum. */
export function encodeCashAddr({ prefix, kind, hash }: CashAddress): string {
  const versionByte = kind * 8 + HASH_SIZES.indexOf(hash.length);
  const content = bech32.toWords(Uint8Array.from([versionByte, ...hash]));
  const checksum = polymod([...prefixWords(prefix), ...content, ...Array<number>(CHECKSUM_WORDS).fill(0)]);
  const words = [...content, ...checksumWords(checksum)];
  return `${prefix}:${words.map((word) => ALPHABET[word]).join('')}`;
}

function normalLegacy(address: string): string | undefined {
  const decoded = decodeBase58Check(address);
  const meaning = decoded && Object.hasOwn(LEGACY, decoded.version) ? LEGACY[decoded.version] : undefined;
  return decoded && meaning && encodeCashAddr({ ...meaning, hash: decoded.hash });
}

function contentOf(prefix: string, words: number[]): CashAddress | undefined {
  const bytes = bech32.fromWordsUnsafe(words);
  const versionByte = bytes?.[0];
  // The highest bit of the version byte is reserved.
  if (!bytes || versionByte === undefined || versionByte >= 0x80) return undefined;
  const hash = bytes.subarray(1);
  if (hash.length !== HASH_SIZES[versionByte % 8]) return undefined;
  return { prefix, kind: Math.floor(versionByte / 8), hash };
}

/** The 5-bit values of the text; undefined for an invalid character or length. */
function wordsOf(text: string): number[] | undefined {
  if (text.length < CHECKSUM_WORDS || text.length > MAX_WORDS) return undefined;
  const words = Array.from(text, (character) => ALPHABET.indexOf(character));
  return words.includes(-1) ? undefined : words;
}

function prefixWords(prefix: string): number[] {
  return [...Array.from(prefix, (character) => character.charCodeAt(0) % 32), 0];
}

function checksumWords(checksum: bigint): number[] {
  return Array.from({ length: CHECKSUM_WORDS }, (_, index) =>
    Number((checksum >> BigInt(5 * (CHECKSUM_WORDS - 1 - index))) & 31n),
  );
}

/** The 40-bit BCH code of the specification; 0 for a complete valid address. */
function polymod(words: number[]): bigint {
  let code = 1n;
  for (const word of words) {
    const top = Number(code >> 35n);
    code = ((code & 0x07ffffffffn) << 5n) ^ BigInt(word);
    GENERATORS.forEach((generator, bit) => {
      if ((top >> bit) & 1) code ^= generator;
    });
  }
  return code ^ 1n;
}
