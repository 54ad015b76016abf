import { keccak_256 } from '@noble/hashes/sha3.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';

const EVM_ADDRESS = /^0x[0-9a-f]{40}$/i;
/** Upper-case letters and digits have lower codes. */
const LETTER_A = 'a'.charCodeAt(0);

/** Whether the text has the shape of an EVM address, whatever its checksum. */
export function looksLikeEvm(address: string): boolean {
  return EVM_ADDRESS.test(address);
}

/** Lower-case form of an EVM address. Mixed case must have the EIP-55 checksum; a single case has no checksum. */
export function normalEvm(address: string): string | undefined {
  if (!looksLikeEvm(address)) return undefined;
  const digits = address.slice(2);
  const lower = digits.toLowerCase();
  const isOneCase = digits === lower || digits === digits.toUpperCase();
  return isOneCase || hasChecksum(digits, lower) ? `0x${lower}` : undefined;
}

/** EIP-55: a letter is upper-case if the same digit of the Keccak-256 hash of the lower-case text is 8 or more. */
function hasChecksum(digits: string, lower: string): boolean {
  const hash = keccak_256(utf8ToBytes(lower));
  for (let index = 0; index < digits.length; index++) {
    if (lower.charCodeAt(index) < LETTER_A) continue;
    const highBit = index % 2 === 0 ? 0x80 : 0x08;
    const isUpper = ((hash[index >> 1] ?? 0) & highBit) !== 0;
    if (isUpper !== digits.charCodeAt(index) < LETTER_A) return false;
  }
  return true;
}
