/**
 * The form in which wallet addresses are compared: lower-case, without spaces, with `0x` added to an EVM address that
 * lacks it. Published addresses do not collide in lower case.
 */
export function walletKey(address: string): string {
  const key = address.replace(/[\s\p{Cf}]+/gu, '').toLowerCase();
  return /^[0-9a-f]{40}$/.test(key) ? `0x${key}` : key;
}
