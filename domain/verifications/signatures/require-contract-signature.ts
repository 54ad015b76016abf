import type { Hex } from 'viem';
import { requireHex } from './check-eip191.ts';
import { malformedSignature } from './signature-refusals.ts';
import { requireSignableMessage } from './require-signable-message.ts';

/** Room for a Safe with many owners or an ERC-6492 deployment, and no way to make a node chew on megabytes. */
const MAX_CONTRACT_SIGNATURE_BYTES = 16 * 1024;

/**
 * The signature of a contract wallet (ERC-1271, ERC-6492) has no form of its own: whole bytes in hex, not too many.
 * Throws as `checkSignature` does for message and form; whether it is valid only the contract can say.
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
