/**
 * The form in which wallet addresses are compared: without blanks, lower-case, with `0x` for an EVM address written
 * without it. Published addresses do not collide when lower-cased.
 */
export function walletKey(address: string): string {
  const key = address.replace(/[\s\p{Cf}]+/gu, '').toLowerCase();
  return /^[0-9a-f]{40}$/.test(key) ? `0x${key}` : key;
}
