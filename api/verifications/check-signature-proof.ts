import { DomainError, invalidField } from '../../domain/errors.ts';
import type { ContractCheck } from '../../domain/verifications/contract-check.ts';
import { blockchainAt } from '../../domain/normalised-places.ts';
import { isOwnChallenge, issuedNonce } from '../../domain/verifications/challenge.ts';
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
  /** URL of the hosted page. */
  walletUrl: string;
  now: Date;
  /** True if the text came in a form: forms write every line end as CRLF, even if the signed text had LF. */
  isForm: boolean;
  /** Called for a signature that is not of the address's own key. */
  tryContract: TryContract;
}

/**
 * Checks that the wallet signed the text, and collects warnings about the text. Throws signature_malformed,
 * signature_mismatch, signature_typed_data, temporarily_unavailable. A refused signature must not be stored, logged or
 * returned: it may be a permit that moves money.
 */
export async function checkSignatureProof(
  record: VerificationRecord,
  given: GivenProof,
  input: SignatureProofInput,
): Promise<CheckedSignature> {
  try {
    return await checkText(record, given, input);
  } catch (error) {
    const message = given.message.replaceAll('\r\n', '\n');
    const isMismatch = error instanceof DomainError && error.code === 'signature_mismatch';
    if (!isMismatch || !input.isForm || message === given.message) throw error;
    return await checkText(record, { ...given, message }, input);
  }
}

async function checkText(
  record: VerificationRecord,
  { message, signature }: GivenProof,
  { walletUrl, now, tryContract }: SignatureProofInput,
): Promise<CheckedSignature> {
  const blockchain = blockchainAt('/verificationFlow', record.blockchainKey);
  const { address, personal } = record;
  const proof = { blockchain, address, message, signature };
  const signed = await signedBy(proof, tryContract);
  const own: readonly ProofWarning[] = signed.contract ? ['CONTRACT_SIGNATURE'] : [];
  if (isOwnChallenge(record, message, now)) return { message, signature, ...signed, warnings: own };
  // With an origin the text has a nonce of its own.
  const nonce = personal.origin === null ? issuedNonce(record, now) : undefined;
  const warnings = judgeMessage({
    message,
    address,
    blockchain,
    verificationId: record.id,
    ...(nonce !== undefined && { nonce }),
    expectedOrigin: personal.origin,
    ownDomains: [new URL(walletUrl).host],
    now,
  });
  return { message, signature, ...signed, warnings: [...own, ...warnings] };
}

/** Checks the signature with the key of the address, then with its contract if that is allowed. */
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

/** Refuses a text that was used in another verification, if this one has an origin. Throws validation_failed. */
export function refuseReplay({ personal }: VerificationRecord): void {
  if (personal.origin === null) return;
  throw invalidField('/message', 'message_replayed', 'This text was used in another verification.');
}
