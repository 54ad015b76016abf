import { keccak_256 } from '@noble/hashes/sha3.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { createKeccak, type IHasher } from 'hash-wasm';

let fast: IHasher | undefined;

/** Resolves when the quick implementation is in use, a few milliseconds after this module was loaded. */
export const keccakReady: Promise<void> = createKeccak(256).then(
  (hasher) => void (fast = hasher),
  // Without WebAssembly the plain implementation stays in use.
  () => undefined,
);

/**
 * Keccak-256 as Ethereum and Monero use it: the padding from before SHA-3 was standardised. WebAssembly, because an
 * import of 50,000 wallets hashes each address, for which plain JavaScript would keep the process busy for 1.5 s.
 */
export function keccak256(data: string | Uint8Array): Uint8Array {
  // One instance serves all: nothing can come between these calls.
  if (fast) return fast.init().update(data).digest('binary');
  return keccak_256(typeof data === 'string' ? utf8ToBytes(data) : data);
}
