import { crc16 } from './crc.ts';
import { base32Bytes } from './decoded.ts';

/** Version bytes of SEP-23: accounts (G…) and contracts (C…). */
const VERSIONS = [6 << 3, 2 << 3];
const SIZE = 35;

/** Normal form of a Stellar address. A muxed one (M…) is refused: its id belongs in the tag field, which is compared. */
export function normalStellar(address: string): string | undefined {
  const bytes = base32Bytes(address);
  if (bytes?.length !== SIZE || !VERSIONS.includes(bytes[0] ?? -1)) return undefined;
  const checksum = (bytes[SIZE - 2] ?? 0) + 256 * (bytes[SIZE - 1] ?? 0);
  return crc16(bytes.subarray(0, -2)) === checksum ? address : undefined;
}
