import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js';
import { bech32, bech32m } from '@scure/base';
import { decodeBase58Check } from './base58.ts';
import { normalSegwit } from './bech32.ts';
import { decodeCashAddr } from './cashaddr.ts';
import type { AddressFormat } from '../blockchains.ts';

/** The destination of an address of Bitcoin or a related chain: a key hash, a script hash or a witness program. */
export type BitcoinDestination =
  | { kind: 'KEY_HASH' | 'SCRIPT_HASH'; program: Uint8Array }
  | { kind: 'WITNESS'; version: number; program: Uint8Array };

interface AddressVersions {
  keyHash: readonly string[];
  scriptHash: readonly string[];
  /** Prefixes of bech32 addresses; none on chains without segregated witness. */
  prefixes: readonly string[];
}

/** Version bytes in hex, of main and test networks, which share one chain name. */
const VERSIONS: Partial<Record<AddressFormat, AddressVersions>> = {
  BITCOIN: { keyHash: ['00', '6f'], scriptHash: ['05', 'c4'], prefixes: ['bc', 'tb', 'bcrt'] },
  LITECOIN: {
    keyHash: ['30', '6f'],
    scriptHash: ['32', '05', '3a', 'c4'],
    prefixes: ['ltc', 'tltc', 'rltc'],
  },
  DOGECOIN: { keyHash: ['1e', '71'], scriptHash: ['16', 'c4'], prefixes: [] },
  DASH: { keyHash: ['4c', '8c'], scriptHash: ['10', '13'], prefixes: [] },
  ZCASH: { keyHash: ['1cb8', '1d25'], scriptHash: ['1cbd', '1cba'], prefixes: [] },
  BITCOIN_CASH: { keyHash: ['00', '1c', '6f'], scriptHash: ['05', '28', 'c4'], prefixes: [] },
};

/** The destination of an address, equal for all its spellings; undefined if the address does not have this format. */
export function destinationOf(format: AddressFormat, address: string): BitcoinDestination | undefined {
  const versions = VERSIONS[format];
  if (!versions) return undefined;
  const cash = format === 'BITCOIN_CASH' ? decodeCashAddr(address) : undefined;
  if (cash) return { kind: cash.kind % 2 === 0 ? 'KEY_HASH' : 'SCRIPT_HASH', program: cash.hash };
  return segwitDestination(address, versions) ?? base58Destination(address, versions);
}

/** Whether the chain has segregated witness, so that a witness program can also pay to a key. */
export function hasWitness(format: AddressFormat): boolean {
  return (VERSIONS[format]?.prefixes.length ?? 0) > 0;
}

/** RIPEMD-160 of SHA-256, the hash of keys and scripts in addresses. */
export function hash160(bytes: Uint8Array): Uint8Array {
  return ripemd160(sha256(bytes));
}

/** The output script that pays to a witness program. */
export function witnessScript(version: number, program: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(version === 0 ? 0 : 0x50 + version, program.length), program);
}

/** A text that identifies a destination, for comparison. */
export function destinationKey(destination: BitcoinDestination): string {
  const version = destination.kind === 'WITNESS' ? destination.version : '';
  return `${destination.kind}${version}:${bytesToHex(destination.program)}`;
}

function segwitDestination(address: string, { prefixes }: AddressVersions): BitcoinDestination | undefined {
  const normal = normalSegwit(address, prefixes);
  const decoded = normal && (bech32.decodeUnsafe(normal) ?? bech32m.decodeUnsafe(normal));
  if (!decoded) return undefined;
  const [version = 0, ...words] = decoded.words;
  return { kind: 'WITNESS', version, program: bech32.fromWords(words) };
}

function base58Destination(address: string, versions: AddressVersions): BitcoinDestination | undefined {
  const decoded = decodeBase58Check(address);
  if (!decoded) return undefined;
  if (versions.keyHash.includes(decoded.version)) return { kind: 'KEY_HASH', program: decoded.hash };
  if (versions.scriptHash.includes(decoded.version)) return { kind: 'SCRIPT_HASH', program: decoded.hash };
  return undefined;
}
