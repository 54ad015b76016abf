import { bech32, bech32m } from '@scure/base';

/** Lower-case form of any text with a valid bech32 or bech32m checksum, of whatever chain. */
export function normalBech32(address: string): string | undefined {
  return decode(address) && address.toLowerCase();
}

/** The same, where the part before the last 1 must be one of `prefixes`. */
export function normalBech32Of(address: string, prefixes: readonly string[]): string | undefined {
  const decoded = decode(address);
  return decoded && prefixes.includes(decoded.prefix) ? address.toLowerCase() : undefined;
}

/**
 * Lower-case form of a segregated witness address by BIP-173 and BIP-350: version 0 with bech32 and 20 or 32 bytes,
 * versions 1 to 16 with bech32m and 2 to 40 bytes.
 */
export function normalSegwit(address: string, prefixes: readonly string[]): string | undefined {
  const decoded = address.length <= 90 ? decode(address) : undefined;
  if (!decoded || !prefixes.includes(decoded.prefix)) return undefined;
  const [version, ...program] = decoded.words;
  if (version === undefined || version > 16 || decoded.coder !== (version === 0 ? bech32 : bech32m))
    return undefined;
  const size = decoded.coder.fromWordsUnsafe(program)?.length ?? 0;
  const isSizeValid = version === 0 ? size === 20 || size === 32 : size >= 2 && size <= 40;
  return isSizeValid ? address.toLowerCase() : undefined;
}

function decode(address: string) {
  // Cheaper than an exception for each of the many addresses that have no separator.
  if (!address.includes('1')) return undefined;
  for (const coder of [bech32, bech32m]) {
    // No length limit here: Zcash and Cardano write more than 90 characters.
    const decoded = coder.decodeUnsafe(address, false);
    if (decoded) return { ...decoded, coder };
  }
  return undefined;
}
