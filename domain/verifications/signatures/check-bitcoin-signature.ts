import type { AddressFormat } from '../../blockchains.ts';
import { destinationOf } from '../../addresses/bitcoin-destination.ts';
import { checkBip137, isBip137 } from './check-bip137.ts';
import { checkBip322 } from './check-bip322.ts';
import { base64Bytes, hexBytes } from './signature-bytes.ts';
import type { SignatureScheme } from './signature-schemes.ts';
import { malformedSignature, noSignatureProof } from './signature-refusals.ts';

/** Prefixes of BIP-322 since its version 2; without a prefix, the signature is in the simple form. */
const SIMPLE = 'smp';
const NOT_SIMPLE = ['ful', 'pof'];

/** Checks signatures of Bitcoin (BIP-137, BIP-322) and related chains (BIP-137 with their own prefix), in base64 or hex. */
export function checkBitcoinSignature(
  format: AddressFormat,
  address: string,
  message: string,
  signature: string,
): SignatureScheme {
  const destination = destinationOf(format, address);
  if (!destination) throw noSignatureProof('kind of address');
  const { isPrefixed, bytes } = readBitcoinSignature(signature);
  if (!isPrefixed && isBip137(bytes)) {
    checkBip137(format, destination, message, bytes);
    return 'BIP137';
  }
  if (format !== 'BITCOIN') {
    throw malformedSignature('A complete signature has 65 bytes in base64 (88 characters).');
  }
  checkBip322(destination, message, bytes);
  return 'BIP322';
}

function readBitcoinSignature(signature: string): { isPrefixed: boolean; bytes: Uint8Array } {
  if (NOT_SIMPLE.some((prefix) => signature.startsWith(prefix))) {
    throw malformedSignature(
      'Only the simple form of BIP-322 can be checked here, not the full one or a proof of funds. Sign in the simple form or use the satoshi test.',
    );
  }
  const isPrefixed = signature.startsWith(SIMPLE);
  const text = isPrefixed ? signature.slice(SIMPLE.length) : signature;
  const bytes = hexBytes(text) ?? base64Bytes(text);
  if (bytes && bytes.length > 0) return { isPrefixed, bytes };
  throw malformedSignature('The signature must be base64, complete with its = signs, or hex.');
}
