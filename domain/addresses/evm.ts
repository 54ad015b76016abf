import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

const EVM_ADDRESS = /^0x[0-9a-f]{40}$/i;

/** Whether the text has the shape of an EVM address, whatever its checksum. */
export function looksLikeEvm(address: string): boolean {
  return EVM_ADDRESS.test(address);
}

/** Lower-case form of an EVM address. Mixed case must carry the EIP-55 checksum; one case alone has none to check. */
export function normalEvm(address: string): string | undefined {
  if (!looksLikeEvm(address)) return undefined;
  const digits = address.slice(2);
  const lower = digits.toLowerCase();
  const isOneCase = digits === lower || digits === digits.toUpperCase();
  return isOneCase || digits === withChecksum(lower) ? `0x${lower}` : undefined;
}

/** EIP-55: a letter is upper-case where the same digit of the Keccak-256 hash of the lower-case text is 8 or more. */
function withChecksum(lower: string): string {
  const hash = bytesToHex(keccak_256(utf8ToBytes(lower)));
  return lower.replace(/[a-f]/g, (letter, index: number) =>
    (hash[index] ?? '') >= '8' ? letter.toUpperCase() : letter,
  );
}
