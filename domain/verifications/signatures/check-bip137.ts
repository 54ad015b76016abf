import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { p2tr } from '@scure/btc-signer/payment.js';
import { VarBytes } from '@scure/btc-signer/script.js';
import type { AddressFormat } from '../../blockchains.ts';
import {
  destinationKey,
  hash160,
  hasWitness,
  witnessScript,
  type BitcoinDestination,
} from '../../addresses/bitcoin-destination.ts';
import { recoverPublicKey, uncompressedKey } from './recover-public-key.ts';
import { mismatchedSignature } from './signature-refusals.ts';

const SIGNATURE_BYTES = 65;
const FIRST_HEADER = 27;
const LAST_HEADER = 42;

const PREFIXES: Partial<Record<AddressFormat, string>> = {
  BITCOIN: 'Bitcoin Signed Message:\n',
  BITCOIN_CASH: 'Bitcoin Signed Message:\n',
  LITECOIN: 'Litecoin Signed Message:\n',
  DOGECOIN: 'Dogecoin Signed Message:\n',
  DASH: 'DarkCoin Signed Message:\n',
  ZCASH: 'Zcash Signed Message:\n',
};

/** Whether the bytes are a BIP-137 header byte followed by a signature of 64 bytes. */
export function isBip137(bytes: Uint8Array): boolean {
  const [header = 0] = bytes;
  return bytes.length === SIGNATURE_BYTES && header >= FIRST_HEADER && header <= LAST_HEADER;
}

/**
 * Checks a recoverable signature over the text with the chain's prefix. Wallets disagree about the address type in the
 * header, so it is ignored: the recovered key must belong to the address in any form. Throws signature_mismatch.
 */
export function checkBip137(
  format: AddressFormat,
  destination: BitcoinDestination,
  message: string,
  bytes: Uint8Array,
): void {
  const [header = 0] = bytes;
  const hash = hashOf(PREFIXES[format] ?? '', message);
  const publicKey = recoverPublicKey(hash, (header - FIRST_HEADER) % 4, bytes.subarray(1));
  const keys = destinationsOfKey(format, publicKey).map(destinationKey);
  if (!keys.includes(destinationKey(destination))) throw mismatchedSignature(message);
}

function hashOf(prefix: string, message: string): Uint8Array {
  const parts = [prefix, message].map((text) => VarBytes.encode(utf8ToBytes(text)));
  return sha256(sha256(concatBytes(...parts)));
}

/** All destinations of this single key (33 bytes) on the chain. */
function destinationsOfKey(format: AddressFormat, publicKey: Uint8Array): BitcoinDestination[] {
  const keyHash = hash160(publicKey);
  const longKey = concatBytes(Uint8Array.of(4), uncompressedKey(publicKey));
  const plain: BitcoinDestination[] = [
    { kind: 'KEY_HASH', program: keyHash },
    { kind: 'KEY_HASH', program: hash160(longKey) },
  ];
  if (!hasWitness(format)) return plain;
  return [
    ...plain,
    { kind: 'SCRIPT_HASH', program: hash160(witnessScript(0, keyHash)) },
    { kind: 'WITNESS', version: 0, program: keyHash },
    { kind: 'WITNESS', version: 1, program: p2tr(publicKey.subarray(1)).tweakedPubkey },
  ];
}
