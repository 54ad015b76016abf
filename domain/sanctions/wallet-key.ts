import { FORMAT_RULES } from '../addresses/format-rules.ts';
import { looksLikeEvm } from '../addresses/evm.ts';
import { sharedSpellings } from '../addresses/shared-hashes.ts';
import { addressesInUnified } from '../addresses/zcash-unified.ts';
import { normalAddress } from '../address.ts';
import { findBlockchain } from '../blockchains.ts';
import { latinLookAlike } from './letters/look-alikes.ts';
import { taggedAccount } from './tagged-account.ts';

/** What separates an address from what is written around it in a URI, a CAIP-10 account, a link or a query. */
const AROUND = /[:/?@=&#]+(?:pay-)?|\bxdc(?=[0-9a-f]{40}\b)/i;
/** Shorter parts of such a text are the names of schemes, chains and parameters, or their values. */
const MIN_PART = 20;
/** No address is longer; longer texts are compared as they are. */
const MAX_ADDRESS = 256;
const GLUED_EVM = /(?:0x(?:0{24})?|^0{24})([0-9a-f]{40})(?![0-9a-f])/gi;
const RAW_TON = /(?<![0-9a-z-])-?\d:[0-9a-f]{64}(?![0-9a-f])/gi;
const ICAP = /^(?:iban:?)?xe\d{2}([0-9a-z]{30,31})$/i;
const RULES = Object.values(FORMAT_RULES);
/** An EVM address has the shape of a Move address without 24 zeros in front, which nobody has. */
const RULES_FOR_EVM = RULES.filter((rule) => rule !== FORMAT_RULES.MOVE);

/**
 * The keys under which wallet addresses are compared: an address and every other spelling of it have a key in common.
 * The first is the address as written; the others are its normal forms on every chain that can read it, because nobody
 * says which one it is on, the spellings that Bitcoin, Bitcoin Cash and Litecoin have for its key or script, and the
 * addresses inside a unified address of Zcash. A text around addresses, as a payment URI, has the keys of them too. All are lower-case: published addresses do not collide
 * in lower case.
 */
export function walletKeys(address: string): string[] {
  const text = cleaned(address);
  const within = [
    ...partsOf(text),
    ...wordsOf(address),
    ...evmWithin(text),
    ...tonWithin(text),
    ...icapAccount(text),
  ];
  const forms = [text, ...accountForms(text), ...within.flatMap((part) => [part, ...accountForms(part)])];
  const keys = forms.map((form) => form.toLowerCase());
  return [...new Set(keys)].filter((key) => key !== '');
}

/**
 * The keys of an address in the normal form of its chain, for a fraction of the cost: whatever spelling of it is listed
 * has this form among its own keys. An address of no known chain has all of its keys, and so has one of Zcash, which may
 * contain others.
 */
export function registeredKeys({ addressNormal, blockchainKey }: RegisteredAddress): string[] {
  const format = findBlockchain(blockchainKey)?.addressFormat;
  if (format === undefined || format === 'ZCASH') return walletKeys(addressNormal);
  return [cleaned(addressNormal).toLowerCase()];
}

interface RegisteredAddress {
  addressNormal: string;
  blockchainKey: string;
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

/** What no address has: spaces, invisible and control characters, and marks over or around letters. */
const NO_PART = /[\s\p{C}\p{M}\p{Default_Ignorable_Code_Point}]+/gu;

/** The text in plain letters, decoded, without what no address has, and with the `0x` that an EVM address may lack. */
function cleaned(address: string): string {
  const plain = address.normalize('NFKD').replace(/[\p{M}\p{Default_Ignorable_Code_Point}]+/gu, '');
  return prefixed(decoded(latinLookAlike(plain) ?? plain).replace(NO_PART, ''));
}

/** The text with the signs that addresses of the web encode: "ethereum%3A0x…". */
function decoded(text: string): string {
  return text.replace(/%(?:3a|2f|3f|40|3d|26|23|20)/gi, (sign) => decodeURIComponent(sign));
}

/** EVM addresses glued to a word ("ETH0x…", "0x0x…") or padded to the 32 bytes of a log's topic. */
function evmWithin(text: string): string[] {
  if (text.length > MAX_ADDRESS) return [];
  return Array.from(text.matchAll(GLUED_EVM), ([, digits = '']) => `0x${digits}`);
}

/** Raw addresses of TON, whose colon also stands between the parts of a link. */
function tonWithin(text: string): string[] {
  return text.length > MAX_ADDRESS ? [] : (text.match(RAW_TON) ?? []);
}

/** The address of an ICAP account: XE, two check digits, and 30 or 31 digits of base 36. */
function icapAccount(text: string): string[] {
  const number = ICAP.exec(text)?.[1];
  if (number === undefined) return [];
  const value = Array.from(number).reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n);
  const digits = value.toString(16).padStart(40, '0');
  return digits.length === 40 ? [`0x${digits}`] : [];
}

/** Also for what databases write (`\\x`), half a prefix, and the letter O in the place of the zero. */
function prefixed(text: string): string {
  return text.replace(/^(?:\\x|o?x)?(?=[0-9a-f]{40}$)/i, '0x');
}

/** The addresses that a longer text may contain: ERC-681, BIP-21, CAIP-10, EIP-3770, and `xdc` in place of `0x`. */
function partsOf(text: string): string[] {
  if (text.length > MAX_ADDRESS || !AROUND.test(text)) return [];
  return text
    .split(AROUND)
    .filter(({ length }) => length >= MIN_PART)
    .map(prefixed);
}

/** The addresses between other words: "BTC bc1q…", "0x… (USDT)". Some have a hyphen, a dot or a low line inside. */
function wordsOf(address: string): string[] {
  if (address.length > MAX_ADDRESS) return [];
  const words = [/[^A-Za-z0-9]+/, /[^\w.-]+/].flatMap((between) => address.split(between));
  return [...new Set(words)].filter((word) => word.length >= MIN_PART && word !== address).map(prefixed);
}

function accountForms(text: string): string[] {
  if (text.length > MAX_ADDRESS) return [];
  // A wrong checksum of the letters' case does not make it another address.
  if (looksLikeEvm(text)) return RULES_FOR_EVM.flatMap(({ normal }) => normal(text.toLowerCase()) ?? []);
  const account = taggedAccount(text) ?? text;
  return [
    account,
    ...RULES.flatMap(({ normal }) => normal(account) ?? []),
    ...sharedSpellings(account),
    ...addressesInUnified(account),
  ];
}
