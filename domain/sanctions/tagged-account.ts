import { equalBytes } from '@noble/curves/utils.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js';
import { base32nopad, base58xmr, base58xrp } from '@scure/base';
import { base58CheckPayload, base58CheckText } from '../addresses/base58.ts';
import { crc16 } from '../addresses/crc.ts';
import { base32Bytes, base58Bytes } from '../addresses/decoded.ts';

/**
 * The account of an address that carries a tag: an X-address of the XRP Ledger, a muxed account of Stellar or an
 * integrated address of Monero. Undefined for other texts. Transactions have the tag in a field of its own and refuse
 * these forms, but lists and searches may write them, and the account is the same with every tag.
 */
export function taggedAccount(address: string): string | undefined {
  return accountOfX(address) ?? accountOfMuxed(address) ?? accountOfIntegrated(address);
}

/** XLS-5: two bytes of prefix (X… or T…), 20 bytes of the account, a flag and the tag. */
function accountOfX(address: string): string | undefined {
  if (!/^[XT][1-9A-HJ-NP-Za-km-z]{46}$/.test(address)) return undefined;
  const payload = base58CheckPayload(address, base58xrp);
  if (payload?.length !== 31 || !['0544', '0493'].includes(bytesToHex(payload.subarray(0, 2))))
    return undefined;
  return base58CheckText(concatBytes(Uint8Array.of(0), payload.subarray(2, 22)), base58xrp);
}

/** SEP-23: the version byte of M…, 32 bytes of the key, 8 of the id and a checksum. */
function accountOfMuxed(address: string): string | undefined {
  if (!/^M[A-Z2-7]{68}$/.test(address)) return undefined;
  const bytes = base32Bytes(address);
  if (bytes?.length !== 43 || bytes[0] !== 12 << 3) return undefined;
  if (!equalBytes(littleEndian(crc16(bytes.subarray(0, -2))), bytes.subarray(-2))) return undefined;
  const account = concatBytes(Uint8Array.of(6 << 3), bytes.subarray(1, 33));
  return base32nopad.encode(concatBytes(account, littleEndian(crc16(account))));
}

function littleEndian(checksum: number): Uint8Array {
  return Uint8Array.of(checksum & 0xff, checksum >> 8);
}

/** The network bytes of integrated addresses, each with that of its accounts: main, test and stage network. */
const INTEGRATED: ReadonlyMap<number, number> = new Map([
  [19, 18],
  [54, 53],
  [25, 24],
]);

/** A network byte, two keys of 32 bytes, 8 bytes of payment id and a checksum. */
function accountOfIntegrated(address: string): string | undefined {
  if (!/^[1-9A-HJ-NP-Za-km-z]{106}$/.test(address)) return undefined;
  const bytes = base58Bytes(address, base58xmr);
  const network = INTEGRATED.get(bytes?.[0] ?? -1);
  if (bytes?.length !== 77 || network === undefined) return undefined;
  const checksum = keccak_256(bytes.subarray(0, -4)).subarray(0, 4);
  if (!equalBytes(checksum, bytes.subarray(-4))) return undefined;
  const account = concatBytes(Uint8Array.of(network), bytes.subarray(1, 65));
  return base58xmr.encode(concatBytes(account, keccak_256(account).subarray(0, 4)));
}
