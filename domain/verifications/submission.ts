import { DomainError, type ErrorCode } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { changed, type VerificationChange } from './change.ts';
import type { ContractCheck } from './contract-check.ts';
import { requireFlow } from './flows.ts';
import type { OwnershipDeclaration, VerificationRecord } from './record.ts';
import type { ProofWarning } from './risk.ts';
import type { VerificationFlow } from './state.ts';
import { isExpired } from './time.ts';

/** Throws verification_expired or verification_completed unless a proof may still be given. */
function requireOpen(record: VerificationRecord, now: Date): void {
  const expired = record.status === 'PENDING' ? isExpired(record, now) : record.failureCode === 'EXPIRED';
  if (expired) {
    throw new DomainError('verification_expired', 'The time for a proof is over; create a new verification.');
  }
  if (record.status !== 'PENDING') {
    throw new DomainError('verification_completed', 'This verification no longer accepts a proof.', {
      members: { status: record.status },
    });
  }
}

/** Checks before a proof is read: throws verification_expired, verification_completed or validation_failed. */
export function requireSubmittable(record: VerificationRecord, flow: VerificationFlow, now: Date): void {
  requireOpen(record, now);
  requireFlow(record, flow);
}

interface SubmissionAct {
  actor: Actor;
  now: Date;
  /** Set if the owner of the wallet submitted it on the hosted page. */
  via?: 'HOSTED_PAGE';
}

/** The channel of a proof, for the event log. */
function viaOf({ via }: SubmissionAct): { via?: string } {
  return via ? { via } : {};
}

/** The fields set by every accepted proof. */
function verified(now: Date): Partial<VerificationRecord> {
  return { status: 'VERIFIED', verifiedAt: now, wakeAt: null, updatedAt: now };
}

/** Accepts the owner's declaration as a proof; on the hosted page it has a text and a typed name. */
export function declareOwnership(
  record: VerificationRecord,
  act: SubmissionAct,
  declaration?: OwnershipDeclaration,
): VerificationChange {
  const { actor, now } = act;
  requireSubmittable(record, 'SELF_DECLARED', now);
  return changed(
    record,
    {
      ...verified(now),
      flow: 'SELF_DECLARED',
      personal: { ...record.personal, signIn: null, ...(declaration && { declaration }) },
    },
    {
      type: 'PROOF_ACCEPTED',
      message: 'Ownership was declared.',
      actor,
      data: { flow: 'SELF_DECLARED', ...viaOf(act) },
    },
  );
}

export interface CheckedSignature {
  message: string;
  signature: string;
  /** Name of the signature standard. */
  scheme: string;
  warnings: readonly ProofWarning[];
  /** Set if a contract confirmed the signature, not a key. */
  contract?: ContractCheck | null;
}

/** Accepts a signature that was checked against the address and the message. */
export function acceptSignature(
  record: VerificationRecord,
  { message, signature, scheme, warnings, contract = null }: CheckedSignature,
  act: SubmissionAct,
): VerificationChange {
  const { actor, now } = act;
  requireSubmittable(record, 'SIGNATURE_PROOF', now);
  return changed(
    record,
    {
      ...verified(now),
      flow: 'SIGNATURE_PROOF',
      warnings: [...new Set([...record.warnings, ...warnings])],
      personal: {
        ...record.personal,
        message,
        signature,
        signIn: null,
        ...(contract ? { contractCheck: contract } : {}),
      },
    },
    {
      type: 'PROOF_ACCEPTED',
      message: contract
        ? 'The contract at the address accepted the signature.'
        : 'The address made the signature.',
      actor,
      data: { flow: 'SIGNATURE_PROOF', scheme, warnings: [...warnings], ...viaOf(act) },
    },
  );
}

/** Starts the satoshi test: the chain is watched for the transfer. Null if it has already started. */
export function startSatoshiTest(record: VerificationRecord, act: SubmissionAct): VerificationChange | null {
  const { actor, now } = act;
  requireSubmittable(record, 'SATOSHI_TEST', now);
  if (record.flow === 'SATOSHI_TEST') return null;
  return changed(
    record,
    { flow: 'SATOSHI_TEST', updatedAt: now },
    {
      type: 'FLOW_STARTED',
      message: 'A transfer is expected.',
      actor,
      data: { flow: 'SATOSHI_TEST', ...viaOf(act) },
    },
  );
}

/** Number of wrong proofs after which the verification fails. */
export const MAX_BAD_TRIES = 10;

/** Error codes that count as a wrong proof; a node that does not respond, for example, does not count. */
const BAD_TRIES: ReadonlySet<ErrorCode> = new Set([
  'message_empty',
  'signature_malformed',
  'signature_mismatch',
  'signature_typed_data',
  'validation_failed',
]);

/** Whether an error of a proof check counts as a wrong proof. */
export function isBadTry(error: unknown): error is DomainError {
  return error instanceof DomainError && BAD_TRIES.has(error.code);
}

/** Counts a wrong proof. Only its number and error code are stored. The last allowed one fails the verification. */
export function countBadTry(
  record: VerificationRecord,
  code: ErrorCode,
  act: SubmissionAct,
): VerificationChange {
  const { actor, now } = act;
  requireOpen(record, now);
  const badTries = record.badTries + 1;
  const isLast = badTries >= MAX_BAD_TRIES;
  const refused = {
    type: isLast ? 'TOO_MANY_ATTEMPTS' : 'PROOF_REJECTED',
    message: isLast ? 'Too many wrong proofs were given.' : 'A wrong proof was given.',
    actor,
    data: { code, attempt: badTries, ...viaOf(act) },
  };
  if (!isLast) return changed(record, { badTries, updatedAt: now }, refused, { notify: false });
  return changed(
    record,
    {
      badTries,
      status: 'FAILED',
      failureCode: 'TOO_MANY_ATTEMPTS',
      wakeAt: null,
      updatedAt: now,
      personal: { ...record.personal, statusReasoning: 'Too many attempts', signIn: null },
    },
    refused,
  );
}
