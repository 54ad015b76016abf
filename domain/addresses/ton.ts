import { bytesToHex } from '@noble/hashes/utils.js';
import { base64 } from '@scure/base';
import { crc16 } from './crc.ts';

const RAW = /^(?:0|-1):[0-9a-f]{64}$/i;
const FRIENDLY = /^[0-9a-z+/_-]{48}$/i;
/** Tags for bounceable and non-bounceable, main and (high bit) test network: hints for the sender, not part of the account. */
const TAGS = [0x11, 0x51, 0x91, 0xd1];
const WORKCHAINS = new Map([
  [0x00, '0'],
  [0xff, '-1'],
]);

/** Raw form (`workchain:hash`) of a TON address, given in raw or any user-friendly form (TEP-2). */
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
