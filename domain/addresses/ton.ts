import { bytesToHex } from '@noble/hashes/utils.js';
import { base64 } from '@scure/base';

const RAW = /^(?:0|-1):[0-9a-f]{64}$/i;
const FRIENDLY = /^[0-9a-z+/_-]{48}$/i;
/** Bounceable and not, each for the main and (high bit) the test network: hints for the sender, not part of the account. */
const TAGS = [0x11, 0x51, 0x91, 0xd1];
const WORKCHAINS = new Map([
  [0x00, '0'],
  [0xff, '-1'],
]);

/** Raw form (`workchain:hash`) of a TON address in raw or in any of the user-friendly forms (TEP-2). */
export function normalTon(address: string): string | undefined {
  if (RAW.test(address)) return address.toLowerCase();
  if (!FRIENDLY.test(address)) return undefined;
  const bytes = base64.decode(address.replaceAll('-', '+').replaceAll('_', '/'));
  const workchain = WORKCHAINS.get(bytes[1] ?? -1);
  if (workchain === undefined || !TAGS.includes(bytes[0] ?? -1)) return undefined;
  const checksum = bytesToHex(bytes.subarray(34));
  return crc16(bytes.subarray(0, 34)) === parseInt(checksum, 16)
    ? `${workchain}:${bytesToHex(bytes.subarray(2, 34))}`
    : undefined;
}

/** CRC-16/XMODEM. */
function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : crc << 1;
  }
  return crc;
}
