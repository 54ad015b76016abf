// Contract wallets in a few bytes, written by hand since there is no compiler here. None of them knows a key.

const push4Word = (word: string) => `63${word}60e01b60005260206000f3`;

/** Its isValidSignature says yes to every signature: what ERC-1271 alone is worth. */
export const YES = push4Word('1626ba7e');
/** Says no to every signature, in words. */
export const NO = push4Word('ffffffff');
/** Says no by reverting, as most wallets do. */
export const REVERTS = '60006000fd';
/** Burns all gas. */
export const LOOPS = '5b600056';
/** Makes a contract of what it is called with, by CREATE2 with salt 0. */
export const FACTORY = '36600060003760003660006000f500';

/** Data of the transaction that creates a contract with this code. */
export function creationOf(code: string): `0x${string}` {
  const bytes = (code.length / 2).toString(16).padStart(2, '0');
  return `0x60${bytes}80600b6000396000f3${code}`;
}
