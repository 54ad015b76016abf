import { normalAddress } from '../address.ts';
import { findBlockchain } from '../blockchains.ts';
import { walletKeys } from '../sanctions/wallet-key.ts';

/** The form in which addresses of labels are compared: the normal form, blind to case. Published ones do not collide. */
function labelKey(normal: string): string {
  return normal.toLowerCase();
}

/**
 * Every key that an address may be labelled under when nobody says which chain it is on: all spellings of an account
 * have the same ones among them. A label has one key, in the spelling of the chain on which it was published.
 */
export function labelKeys(address: string): string[] {
  return [...new Set([labelKey(address.trim()), ...walletKeys(address)])];
}

/** The key and the chain of a published address; undefined when it is no address of that chain. */
export function labelPlace(
  word: string | null,
  address: string,
): { addressKey: string; blockchain: string | null } | undefined {
  const chain = word === null ? undefined : findBlockchain(word);
  const checked = normalAddress(chain?.name ?? word, address);
  return checked.ok ? { addressKey: labelKey(checked.normal), blockchain: chain?.name ?? null } : undefined;
}
