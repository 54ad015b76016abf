import { concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import type { AddressFormat } from '../blockchains.ts';
import { base58CheckText, decodeBase58Check } from './base58.ts';
import { decodeCashAddr, encodeCashAddr } from './cashaddr.ts';

/** The chains that write the hash of one key or script alike at least in one of their spellings (1…, 3…, m…, 2…). */
const SHARING: readonly AddressFormat[] = ['BITCOIN', 'BITCOIN_CASH', 'LITECOIN'];

/** The ways in which those chains write a hash. */
interface SharedHash {
  /** Version bytes of base58check addresses in hex, Bitcoin's first. */
  versions: readonly string[];
  /** Prefixes of CashAddr. */
  prefixes: readonly string[];
  /** The kind of a CashAddr: 0 is a key hash, 1 a script hash. */
  kind: number;
}

const HASHES: readonly SharedHash[] = [
  { versions: ['00', '1c'], prefixes: ['bitcoincash'], kind: 0 },
  { versions: ['05', '28', '32'], prefixes: ['bitcoincash'], kind: 1 },
  { versions: ['6f'], prefixes: ['bchtest', 'bchreg'], kind: 0 },
  { versions: ['c4', '3a'], prefixes: ['bchtest', 'bchreg'], kind: 1 },
];
const HASH_BYTES = 20;

/** Whether addresses of the two formats can have a spelling in common. */
export function shareHashes(one: AddressFormat, other: AddressFormat): boolean {
  return SHARING.includes(one) && SHARING.includes(other);
}

/**
 * Every spelling of the key hash or script hash of an address on Bitcoin, Bitcoin Cash and Litecoin, Bitcoin's first.
 * None for an address that only one of these chains has, or that none has.
 */
export function sharedSpellings(address: string): string[] {
  const found = ofBase58(address) ?? ofCashAddr(address);
  if (!found) return [];
  const { hash, shared } = found;
  return [
    ...shared.versions.map((version) => base58CheckText(concatBytes(hexToBytes(version), hash))),
    ...shared.prefixes.map((prefix) => encodeCashAddr({ prefix, kind: shared.kind, hash })),
  ];
}

/** The one spelling under which the texts are kept that were signed for an account, given in normal form. */
export function signerKey(addressNormal: string): string {
  return sharedSpellings(addressNormal)[0] ?? addressNormal;
}

interface FoundHash {
  hash: Uint8Array;
  shared: SharedHash;
}

function ofBase58(address: string): FoundHash | undefined {
  const decoded = decodeBase58Check(address);
  const shared = decoded && HASHES.find(({ versions }) => versions.includes(decoded.version));
  return shared && { hash: decoded.hash, shared };
}

/** Token-aware addresses (kinds 2 and 3) are of the same owner as the plain ones. */
function ofCashAddr(address: string): FoundHash | undefined {
  const decoded = decodeCashAddr(address);
  if (!decoded || decoded.kind > 3 || decoded.hash.length !== HASH_BYTES) return undefined;
  const kind = decoded.kind % 2;
  const shared = HASHES.find((each) => each.kind === kind && each.prefixes.includes(decoded.prefix));
  return shared && { hash: decoded.hash, shared };
}
