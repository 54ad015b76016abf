import { bech32, bech32m } from '@scure/base';

interface Bech32Text {
  prefix: string;
  /** The 5-bit values between prefix and checksum. */
  words: number[];
  coder: typeof bech32;
}

/** A prefix, the separator 1, and at least as many bech32 characters as the checksum has. */
const SHAPE = /^[!-~]+1[qpzry9x8gf2tvdw0s3jn54khce6mua7l]{6,}$/i;

/** The content of a text with a valid bech32 or bech32m checksum, of any length: some chains exceed 90 characters. */
function decodeBech32(address: string): Bech32Text | undefined {
  // Cheaper than an exception for each of the many addresses in other formats.
  if (!SHAPE.test(address)) return undefined;
  for (const coder of [bech32, bech32m]) {
    const found = coder.decodeUnsafe(address, false);
    if (found) return { ...found, coder };
  }
  return undefined;
}

/** Like `decodeBech32`, for texts with one of these prefixes. */
function decodeBech32Of(address: string, prefixes: readonly string[]): Bech32Text | undefined {
  const lower = address.toLowerCase();
  // Cheaper than decoding each of the many texts in hex, of which some have the shape.
  if (!prefixes.some((prefix) => lower.startsWith(`${prefix}1`))) return undefined;
  const found = decodeBech32(address);
  return found && prefixes.includes(found.prefix) ? found : undefined;
}

/** The bytes of an address in this encoding with this prefix; undefined for other texts. */
export function bech32Bytes(address: string, coder: typeof bech32, prefix: string): Uint8Array | undefined {
  const found = decodeBech32Of(address, [prefix]);
  if (found?.coder !== coder) return undefined;
  return coder.fromWordsUnsafe(found.words) ?? undefined;
}

/** Lower-case form of a text with a valid bech32 or bech32m checksum, of any chain. */
export function normalBech32(address: string): string | undefined {
  return decodeBech32(address) && address.toLowerCase();
}

/** Like `normalBech32`, but the prefix must be one of `prefixes`. */
export function normalBech32Of(address: string, prefixes: readonly string[]): string | undefined {
  const found = decodeBech32Of(address, prefixes);
  return found ? address.toLowerCase() : undefined;
}

/**
 * Lower-case form of a segregated witness address by BIP-173 and BIP-350: version 0 with bech32 and 20 or 32 bytes,
 * versions 1 to 16 with bech32m and 2 to 40 bytes.
 */
export function normalSegwit(address: string, prefixes: readonly string[]): string | undefined {
  const found = address.length <= 90 ? decodeBech32Of(address, prefixes) : undefined;
  if (!found) return undefined;
  const [version, ...program] = found.words;
  if (version === undefined || version > 16 || found.coder !== (version === 0 ? bech32 : bech32m))
    return undefined;
  const size = found.coder.fromWordsUnsafe(program)?.length ?? 0;
  const isSizeValid = version === 0 ? size === 20 || size === 32 : size >= 2 && size <= 40;
  return isSizeValid ? address.toLowerCase() : undefined;
}

/** Lower-case form of a Cosmos Hub account: 20 bytes of a key hash, or 32 of a module or contract. */
export function normalCosmos(address: string): string | undefined {
  const size = bech32Bytes(address, bech32, 'cosmos')?.length;
  return size === 20 || size === 32 ? address.toLowerCase() : undefined;
}
