import { findBlockchain, type Blockchain } from '../../../../domain/blockchains.ts';
import { DomainError } from '../../../../domain/errors.ts';
import {
  checkSignature,
  type SignatureProof,
} from '../../../../domain/verifications/signatures/check-signature.ts';

export function chainNamed(name: string): Blockchain {
  const chain = findBlockchain(name);
  if (!chain) throw new Error(`no chain ${name}`);
  return chain;
}

/** The refusal of a proof; fails when it is accepted or when anything but a refusal is thrown. */
export async function refusalOfProof(proof: SignatureProof): Promise<DomainError> {
  try {
    await checkSignature(proof);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('the proof was accepted');
}

export async function refusalCode(proof: SignatureProof): Promise<string> {
  return (await refusalOfProof(proof)).code;
}
