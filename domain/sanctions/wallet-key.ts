import { FORMAT_RULES } from '../addresses/format-rules.ts';
import { looksLikeEvm } from '../addresses/evm.ts';
import { sharedSpellings } from '../addresses/shared-hashes.ts';
import { normalAddress } from '../address.ts';
import { taggedAccount } from './tagged-account.ts';

/** No address is longer; longer texts are compared as they are. */
const MAX_ADDRESS = 256;
const RULES = Object.values(FORMAT_RULES);
/** An EVM address has the shape of a Move address without 24 zeros in front, which nobody has. */
const RULES_FOR_EVM = RULES.filter((rule) => rule !== FORMAT_RULES.MOVE);

/**
 * The keys under which wallet addresses are compared: an address and every other spelling of it have a key in common.
 * The first is the address as written; the others are its normal forms on every chain that can read it, because nobody
 * says which one it is on, and the spellings that Bitcoin, Bitcoin Cash and Litecoin have for its key or script. All are lower-case: published addresses do not collide in lower case.
 */
export function walletKeys(address: string): string[] {
  const text = cleaned(address);
  const keys = [text, ...accountForms(text)].map((form) => form.toLowerCase());
  return [...new Set(keys)].filter((key) => key !== '');
}

/**
 * One key that the spellings share whose format is evident without a chain. Other spellings may have another key, so it
 * names an address and does not compare it.
 */
export function walletIdentity(address: string): string {
  const text = cleaned(address);
  const checked = normalAddress(null, text);
  return (checked.ok ? checked.normal : text).toLowerCase();
}

/** Without spaces and invisible characters, and with the `0x` that an EVM address may lack. */
function cleaned(address: string): string {
  const text = address.replace(/[\s\p{Cf}]+/gu, '');
  return /^[0-9a-f]{40}$/i.test(text) ? `0x${text}` : text;
}

function accountForms(text: string): string[] {
  if (text.length > MAX_ADDRESS) return [];
  // A wrong checksum of the letters' case does not make it another address.
  if (looksLikeEvm(text)) return RULES_FOR_EVM.flatMap(({ normal }) => normal(text.toLowerCase()) ?? []);
  const account = taggedAccount(text) ?? text;
  return [account, ...RULES.flatMap(({ normal }) => normal(account) ?? []), ...sharedSpellings(account)];
}
