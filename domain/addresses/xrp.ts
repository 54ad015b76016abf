import { bytesToHex, concatBytes } from '@noble/hashes/utils.js';
import { base58xrp } from '@scure/base';
import { base58CheckPayload, base58CheckText, decodeBase58Check } from './base58.ts';

/** The shape of 35 bytes with one of the prefixes in base58. */
const X_SHAPE = /^[XT][1-9A-HJ-NP-Za-km-z]{46}$/;
/** Prefixes of the main network (X…) and the test networks (T…). */
const X_PREFIXES = ['0544', '0493'];
/** Flag, tag and reserved bytes of an X-address without a tag. */
const NO_TAG = '00'.repeat(9);

/** Classic form of an XRP Ledger address, given in that form or as an X-address without a tag. */
export function normalXrp(address: string): string | undefined {
  const isClassic = decodeBase58Check(address, base58xrp)?.version === '00';
  return isClassic ? address : classicOfX(address);
}

/** Classic form of an X-address. One with a tag is refused: the tag belongs in its own field, which is compared. */
export function classicOfX(address: string): string | undefined {
  if (!X_SHAPE.test(address)) return undefined;
  const payload = base58CheckPayload(address, base58xrp);
  if (payload?.length !== 31 || !X_PREFIXES.includes(bytesToHex(payload.subarray(0, 2)))) return undefined;
  if (bytesToHex(payload.subarray(22)) !== NO_TAG) return undefined;
  return base58CheckText(concatBytes(Uint8Array.of(0), payload.subarray(2, 22)), base58xrp);
}
