import { concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import { bech32, bech32m } from '@scure/base';
import { base58CheckText, normalBase58Check } from './base58.ts';
import { bech32Bytes } from './bech32.ts';

/** Versions of transparent addresses: key and script hashes of the main (t1, t3) and test network (tm, t2). */
const VERSIONS = { '1cb8': '1cb8', '1cbd': '1cbd', '1d25': '1d25', '1cba': '1cba' };
/** Prefixes of ZIP-320 addresses, which contain the key hash of a t-address and only accept transparent senders. */
const TRANSPARENT_ONLY: Record<string, string> = { tex: '1cb8', textest: '1d25' };
const SAPLING_BYTES = 43;
/** ZIP-316: a receiver of 20 bytes with its type and length, and 16 bytes of padding. */
const MIN_UNIFIED_BYTES = 38;

/**
 * Normal form of a Zcash address. A transparent-source-only address (tex1…) becomes the t-address of the same key; a
 * unified address (u1…) is kept, not resolved to its receivers.
 */
export function normalZcash(address: string): string | undefined {
  return normalBase58Check(address, VERSIONS) ?? transparentOfTex(address) ?? normalShielded(address);
}

/** The t-address of a transparent-source-only address (tex1…); undefined for other texts. */
export function transparentOfTex(address: string): string | undefined {
  for (const [prefix, version] of Object.entries(TRANSPARENT_ONLY)) {
    const hash = bech32Bytes(address, bech32m, prefix);
    if (hash?.length === 20) return base58CheckText(concatBytes(hexToBytes(version), hash));
  }
  return undefined;
}

function normalShielded(address: string): string | undefined {
  const isSapling = ['zs', 'ztestsapling'].some(
    (prefix) => bech32Bytes(address, bech32, prefix)?.length === SAPLING_BYTES,
  );
  const isUnified = ['u', 'utest'].some(
    (prefix) => (bech32Bytes(address, bech32m, prefix)?.length ?? 0) >= MIN_UNIFIED_BYTES,
  );
  return isSapling || isUnified ? address.toLowerCase() : undefined;
}
