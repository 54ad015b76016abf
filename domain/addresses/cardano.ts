import { bech32 } from '@scure/base';
import { bech32Bytes } from './bech32.ts';
import { crc32 } from './crc.ts';
import { base58Bytes } from './decoded.ts';

interface ShelleyPrefix {
  prefix: string;
  network: number;
  isStake: boolean;
}

/** Prefixes of CIP-5, each with the network that the header must have. */
const PREFIXES: readonly ShelleyPrefix[] = [
  { prefix: 'addr', network: 1, isStake: false },
  { prefix: 'addr_test', network: 0, isStake: false },
  { prefix: 'stake', network: 1, isStake: true },
  { prefix: 'stake_test', network: 0, isStake: true },
];
const ONE_HASH_BYTES = 29;
const TWO_HASHES_BYTES = 57;
/** A hash and three numbers of at least one byte each. */
const MIN_POINTER_BYTES = 32;
/** Byron attributes follow the three bytes that begin the list and the hash, and the hash. */
const ATTRIBUTES_AT = 31;
const NETWORK_ATTRIBUTE = 2;

/** Normal form of a Cardano address: Shelley (addr1…), stake (stake1…), or Byron (Ae2…, Ddz…), by CIP-19. */
export function normalCardano(address: string): string | undefined {
  const isShelley = PREFIXES.some((expected) => {
    const bytes = bech32Bytes(address, bech32, expected.prefix);
    return bytes && isShelleyContent(bytes, expected);
  });
  if (isShelley) return address.toLowerCase();
  return isByron(address) ? address : undefined;
}

function isShelleyContent(bytes: Uint8Array, { network, isStake }: ShelleyPrefix): boolean {
  const header = bytes[0] ?? 0;
  const type = header >> 4;
  if ((header & 0x0f) !== network || isStake !== type >= 14) return false;
  if (type <= 3) return bytes.length === TWO_HASHES_BYTES;
  if (type <= 5) return bytes.length >= MIN_POINTER_BYTES;
  return type !== 8 && bytes.length === ONE_HASH_BYTES && (type <= 7 || type >= 14);
}

function isByron(address: string): boolean {
  return byronContent(address) !== undefined;
}

/**
 * The content of a Byron address, which is base58 of a CBOR list of the content as tagged bytes and their CRC-32; undefined
 * for other texts. The content is a list of three items, the first a hash of 28 bytes.
 */
function byronContent(address: string): Uint8Array | undefined {
  const bytes = base58Bytes(address);
  if (!bytes || bytes[0] !== 0x82 || bytes[1] !== 0xd8 || bytes[2] !== 0x18 || bytes[3] !== 0x58)
    return undefined;
  const end = 5 + (bytes[4] ?? 0);
  const content = bytes.subarray(5, end);
  if (content[0] !== 0x83 || content[1] !== 0x58 || content[2] !== 0x1c) return undefined;
  return cborNumber(bytes.subarray(end)) === crc32(content) ? content : undefined;
}

/**
 * Whether a Byron address names a network in its attributes, the second item of its content; only those of test networks
 * do. Attributes are a CBOR map of small numbers to byte strings (CIP-19).
 */
export function isByronTest(address: string): boolean {
  const attributes = byronContent(address)?.subarray(ATTRIBUTES_AT);
  if (!attributes) return false;
  let at = 1;
  for (let left = (attributes[0] ?? 0) & 0x1f; left > 0; left -= 1) {
    if (attributes[at] === NETWORK_ATTRIBUTE) return true;
    at += 2 + byteStringLength(attributes.subarray(at + 1));
  }
  return false;
}

/** The length of a CBOR byte string after its first byte. */
function byteStringLength([first = 0, second = 0]: Uint8Array): number {
  return first === 0x58 ? 1 + second : first & 0x1f;
}

/** The unsigned number encoded by these bytes in CBOR's shortest form; undefined for other bytes. */
function cborNumber(bytes: Uint8Array): number | undefined {
  const [first = 0xff, ...rest] = bytes;
  const value = rest.reduce((sum, byte) => sum * 256 + byte, 0);
  if (rest.length === 0) return first < 24 ? first : undefined;
  const isShortest = [
    first === 0x18 && rest.length === 1 && value >= 24,
    first === 0x19 && rest.length === 2 && value > 0xff,
    first === 0x1a && rest.length === 4 && value > 0xffff,
  ];
  return isShortest.includes(true) ? value : undefined;
}
