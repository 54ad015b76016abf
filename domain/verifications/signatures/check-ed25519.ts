import { ed25519 } from '@noble/curves/ed25519.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { base58Bytes } from '../../addresses/decoded.ts';
import { base64Bytes, hexBytes } from './signature-bytes.ts';
import { malformedSignature, mismatchedSignature } from './signature-refusals.ts';

const SIGNATURE_BYTES = 64;
/** Length of the longest form, hex with 0x. The limit matters because decoding base58 takes quadratic time. */
const MAX_SIGNATURE_CHARACTERS = 130;
/** Maximum bytes of one packet, and so of a message for a hardware wallet, header included. */
const MAX_PACKET_BYTES = 1232;
const SIGNING_DOMAIN = concatBytes(Uint8Array.of(0xff), utf8ToBytes('solana offchain'));
const NO_APPLICATION = new Uint8Array(32);

/**
 * Checks a Solana signature: ed25519 by the key that is the address, over the text or, as Ledger does, over the text
 * framed as an off-chain message of version 0. `zip215: false`, because ZIP-215 accepts keys of small order, for which
 * one signature fits every message. Throws signature_malformed or signature_mismatch.
 */
export function checkEd25519(address: string, message: string, signature: string): void {
  const bytes = readSignature(signature);
  const publicKey = base58Bytes(address);
  const isSigned = (text: Uint8Array) =>
    publicKey?.length === 32 && ed25519.verify(bytes, text, publicKey, { zip215: false });
  const text = utf8ToBytes(message);
  if (isSigned(text)) return;
  if (publicKey && framings(text, publicKey).some(isSigned)) return;
  throw mismatchedSignature(message);
}

function readSignature(signature: string): Uint8Array {
  const coders = [hexBytes, base64Bytes, base58Bytes];
  const isShort = signature.length <= MAX_SIGNATURE_CHARACTERS;
  const readings = isShort ? coders.map((decode) => decode(signature)) : [];
  const bytes = readings.find((reading) => reading?.length === SIGNATURE_BYTES);
  if (bytes) return bytes;
  throw malformedSignature('A complete signature has 64 bytes, written in base58, base64 or hex.');
}

/** The frames in use: with the short header of the first command line tools, and with the specified header. */
function framings(text: Uint8Array, signer: Uint8Array): Uint8Array[] {
  const start = concatBytes(SIGNING_DOMAIN, Uint8Array.of(0));
  const length = Uint8Array.of(text.length & 0xff, text.length >> 8);
  return [
    framed(text, (format) => concatBytes(start, Uint8Array.of(format), length)),
    framed(text, (format) => concatBytes(start, NO_APPLICATION, Uint8Array.of(format, 1), signer, length)),
  ];
}

/** Adds a header with the format: 0 for printable ASCII, 1 for other text in one packet, 2 for longer text. */
function framed(text: Uint8Array, headerOf: (format: number) => Uint8Array): Uint8Array {
  const isOnePacket = headerOf(0).length + text.length <= MAX_PACKET_BYTES;
  const isAscii = text.every((byte) => byte >= 0x20 && byte <= 0x7e);
  const format = !isOnePacket ? 2 : isAscii ? 0 : 1;
  return concatBytes(headerOf(format), text);
}
