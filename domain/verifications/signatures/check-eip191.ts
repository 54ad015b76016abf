import type { Hex } from 'viem';
import { recoverMessageAddress } from 'viem/utils';
import {
  readCompactSignature,
  readFullSignature,
  type RecoverableSignature,
} from './recoverable-signature.ts';
import { malformedSignature, mismatchedSignature } from './signature-refusals.ts';

const FULL_DIGITS = 130;
const COMPACT_DIGITS = 128;

/**
 * Checks a signature of EIP-191 version 0x45 (`personal_sign`) over the UTF-8 text, offline. No other hash is accepted:
 * with a caller's hash or typed data, a token permit could pass as a proof. Throws signature_malformed or
 * signature_mismatch.
 */
export async function checkEip191(address: string, message: string, signature: string): Promise<void> {
  const { r, s, yParity } = readEvmSignature(signature);
  const signer = await recoverSigner(message, { r: `0x${r}`, s: `0x${s}`, yParity });
  if (signer.toLowerCase() !== address.toLowerCase()) throw mismatchedSignature(message);
}

function readEvmSignature(signature: string): RecoverableSignature {
  const digits = requireHex(signature);
  if (digits.length === FULL_DIGITS) return readFullSignature(digits);
  if (digits.length === COMPACT_DIGITS) return readCompactSignature(digits);
  throw malformedSignature(
    'A complete signature has 65 bytes: 0x and 130 hex digits, or 128 in the compact form of EIP-2098.',
  );
}

/** The hex digits after 0x. Throws signature_malformed. */
export function requireHex(signature: string): string {
  if (!signature.startsWith('0x')) {
    throw malformedSignature('The signature must start with 0x (lower-case x), followed by hex digits.');
  }
  const digits = signature.slice(2);
  if (!/^[0-9a-f]+$/i.test(digits)) {
    throw malformedSignature('The signature must have hex digits after 0x and nothing else.');
  }
  return digits;
}

async function recoverSigner(
  message: string,
  signature: { r: Hex; s: Hex; yParity: 0 | 1 },
): Promise<string> {
  try {
    return await recoverMessageAddress({ message, signature });
  } catch {
    // r is not the coordinate of a point. The library's error contains the signature, so it is not passed on.
    throw malformedSignature('No key can have made this signature. Copy the complete signature again.');
  }
}
