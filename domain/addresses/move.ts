const ADDRESS = /^0x[0-9a-f]{1,64}$/i;
/** Long enough that nothing but a 32-byte address with some zeros left out can be meant. */
const EVIDENT = /^0x[0-9a-f]{56,64}$/i;

/** Full lower-case form of an Aptos or Sui address, which may leave out leading zeros. */
export function normalMove(address: string): string | undefined {
  return ADDRESS.test(address) ? `0x${address.slice(2).toLowerCase().padStart(64, '0')}` : undefined;
}

/** The same, for a text that shows by its length that it is one. */
export function normalEvidentMove(address: string): string | undefined {
  return EVIDENT.test(address) ? normalMove(address) : undefined;
}
