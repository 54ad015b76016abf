const ADDRESS = /^0x[0-9a-f]{1,64}$/i;
/** Long enough to be unambiguously a 32-byte address, possibly without some leading zeros. */
const EVIDENT = /^0x[0-9a-f]{56,64}$/i;

/** Full lower-case form of an Aptos or Sui address, which may leave out leading zeros. */
export function normalMove(address: string): string | undefined {
  return ADDRESS.test(address) ? `0x${address.slice(2).toLowerCase().padStart(64, '0')}` : undefined;
}

/** Like `normalMove`, but only for a text whose length is unambiguous. */
export function normalEvidentMove(address: string): string | undefined {
  return EVIDENT.test(address) ? normalMove(address) : undefined;
}
