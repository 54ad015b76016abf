import { DomainError, invalidField } from '../../domain/errors.ts';
import type { ContractCheck } from '../../domain/verifications/contract-check.ts';
import { chainAt } from '../../domain/verifications/new-verification.ts';
import { isOwnChallenge } from '../../domain/verifications/challenge.ts';
import type { VerificationRecord } from '../../domain/verifications/record.ts';
import type { ProofWarning } from '../../domain/verifications/risk.ts';
import {
  checkSignature,
  type SignatureProof,
} from '../../domain/verifications/signatures/check-signature.ts';
import { judgeMessage } from '../../domain/verifications/signatures/judge-message.ts';
import type { CheckedSignature } from '../../domain/verifications/submission.ts';
import type { TryContract } from './check-contract-signature.ts';

interface GivenProof {
  message: string;
  signature: string;
}

interface SignatureProofInput {
  /** Of our own hosted page. */
  walletUrl: string;
  now: Date;
  /** The text came as part of a form, where senders write every line end as CRLF, whatever was signed. */
  isForm: boolean;
  /** Asked about what the key itself did not sign. */
  tryContract: TryContract;
}

/**
 * Whether the wallet itself signed this text, and what the text is worth. Throws what the signature is refused with;
 * nothing of it may be stored, logged or answered: it may be worth money.
 */
export async function checkSignatureProof(
  record: VerificationRecord,
  given: GivenProof,
  around: SignatureProofInput,
): Promise<CheckedSignature> {
  try {
    return await checkText(record, given, around);
  } catch (error) {
    const message = given.message.replaceAll('\r\n', '\n');
    const isMismatch = error instanceof DomainError && error.code === 'signature_mismatch';
    if (!isMismatch || !around.isForm || message === given.message) throw error;
    return await checkText(record, { ...given, message }, around);
  }
}

async function checkText(
  record: VerificationRecord,
  { message, signature }: GivenProof,
  { walletUrl, now, tryContract }: SignatureProofInput,
): Promise<CheckedSignature> {
  const blockchain = chainAt('/verificationFlow', record.blockchainKey);
  const { address, personal } = record;
  const proof = { blockchain, address, message, signature };
  const signed = await signedBy(proof, tryContract);
  const own: readonly ProofWarning[] = signed.contract ? ['CONTRACT_SIGNATURE'] : [];
  if (isOwnChallenge(record, message, now)) return { message, signature, ...signed, warnings: own };
  const warnings = judgeMessage({
    message,
    address,
    blockchain,
    verificationId: record.id,
    expectedOrigin: personal.origin,
    ownDomains: [new URL(walletUrl).host],
    now,
  });
  return { message, signature, ...signed, warnings: [...own, ...warnings] };
}

/** The key itself, whatever code is at its address; else the contract, where that may be asked. */
async function signedBy(
  proof: SignatureProof,
  tryContract: TryContract,
): Promise<{ scheme: string; contract: ContractCheck | null }> {
  try {
    return { scheme: (await checkSignature(proof)).scheme, contract: null };
  } catch (refusal) {
    const contract = await tryContract(refusal, proof);
    return { scheme: contract.standard, contract };
  }
}

/** A text that was signed for another verification says nothing about this one; with an origin it is refused. */
export function refuseReplay({ personal }: VerificationRecord): void {
  if (personal.origin === null) return;
  throw invalidField('/message', 'message_replayed', 'This text was used in another verification.');
}
