import type { Hex } from 'viem';
import { requireHex } from './check-eip191.ts';
import { malformedSignature } from './signature-refusals.ts';
import { requireSignableMessage } from './require-signable-message.ts';

/** Enough for a Safe with many owners or an ERC-6492 deployment, without letting callers send megabytes to a node. */
const MAX_CONTRACT_SIGNATURE_BYTES = 16 * 1024;

/**
 * Checks the form of a contract wallet's signature (ERC-1271, ERC-6492): whole bytes in hex, at most 16 kB. Throws like
 * `checkSignature`. Only the contract can tell whether the signature is valid.
 */
export function requireContractSignature(message: string, signature: string): Hex {
  requireSignableMessage(message);
  if (signature.length > 2 + 2 * MAX_CONTRACT_SIGNATURE_BYTES) {
    throw malformedSignature('A signature of a contract wallet may have at most 16 kB (16,384 bytes).');
  }
  const digits = requireHex(signature);
  if (digits.length % 2 === 1)
    throw malformedSignature('The signature must have an even number of hex digits.');
  return `0x${digits}`;
}
