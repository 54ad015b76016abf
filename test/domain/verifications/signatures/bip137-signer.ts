import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';

/** Signs as Bitcoin Core does, with the header byte counted from `firstHeader` (27, 31, 35 or 39). */
export function signBip137(
  privateKey: Uint8Array,
  message: string,
  firstHeader: number,
  prefix = 'Bitcoin Signed Message:\n',
): Uint8Array {
  const preimage = Buffer.concat([prefix, message].map((text) => withLength(Buffer.from(text))));
  const signature = secp256k1.sign(sha256(sha256(preimage)), privateKey, {
    prehash: false,
    format: 'recovered',
  });
  const [recovery = 0] = signature;
  return Uint8Array.from([firstHeader + recovery, ...signature.subarray(1)]);
}

/** The length of texts under 64 KiB as Bitcoin counts them. */
function withLength(bytes: Buffer): Buffer {
  const length = bytes.length < 0xfd ? [bytes.length] : [0xfd, bytes.length & 0xff, bytes.length >> 8];
  return Buffer.concat([Uint8Array.from(length), bytes]);
}
