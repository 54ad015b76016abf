import { DomainError, type ErrorCode } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { changed, type VerificationChange } from './change.ts';
import type { ContractCheck } from './contract-check.ts';
import { requireFlow } from './flows.ts';
import type { VerificationRecord } from './record.ts';
import type { ProofWarning } from './risk.ts';
import type { Flow } from './state.ts';
import { isExpired } from './time.ts';

/** Throws verification_expired or verification_completed unless a proof may still be given. */
function requireOpen(record: VerificationRecord, now: Date): void {
  const expired = record.status === 'PENDING' ? isExpired(record, now) : record.failureCode === 'EXPIRED';
  if (expired) {
    throw new DomainError('verification_expired', 'The time for a proof is over; create a new verification.');
  }
  if (record.status !== 'PENDING') {
    throw new DomainError('verification_completed', 'This verification takes no proof any more.', {
      members: { status: record.status },
    });
  }
}

/** Both checks that come before a proof is looked at. */
export function requireSubmittable(record: VerificationRecord, flow: Flow, now: Date): void {
  requireOpen(record, now);
  requireFlow(record, flow);
}

interface SubmissionAct {
  actor: Actor;
  now: Date;
  /** Given by the owner of the wallet in person. */
  via?: 'HOSTED_PAGE';
}

/** What the log says about how a proof came in. */
function viaOf({ via }: SubmissionAct): { via?: string } {
  return via ? { via } : {};
}

/** The fields that every proof ends with, whatever its kind. */
function verified(now: Date): Partial<VerificationRecord> {
  return { status: 'VERIFIED', verifiedAt: now, wakeAt: null, updatedAt: now };
}

/** The owner's word, recorded as such. */
export function declareOwnership(record: VerificationRecord, deed: SubmissionAct): VerificationChange {
  const { actor, now } = deed;
  requireSubmittable(record, 'SELF_DECLARED', now);
  return changed(
    record,
    { ...verified(now), flow: 'SELF_DECLARED', personal: { ...record.personal, signIn: null } },
    {
      type: 'PROOF_ACCEPTED',
      message: 'Ownership was declared.',
      actor,
      data: { flow: 'SELF_DECLARED', ...viaOf(deed) },
    },
  );
}

export interface CheckedSignature {
  message: string;
  signature: string;
  /** By the name of its standard. */
  scheme: string;
  warnings: readonly ProofWarning[];
  /** Where a contract said yes, and no key. */
  contract?: ContractCheck | null;
}

/** A signature that was checked to be the address's own over this very message. */
export function acceptSignature(
  record: VerificationRecord,
  { message, signature, scheme, warnings, contract = null }: CheckedSignature,
  deed: SubmissionAct,
): VerificationChange {
  const { actor, now } = deed;
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
        ? 'The contract at the address takes the signature for its own.'
        : 'The signature is that of the address.',
      actor,
      data: { flow: 'SIGNATURE_PROOF', scheme, warnings: [...warnings], ...viaOf(deed) },
    },
  );
}

/** The owner says that the small transfer is on its way; the chain decides. Saying it again changes nothing. */
export function startSatoshiTest(record: VerificationRecord, deed: SubmissionAct): VerificationChange | null {
  const { actor, now } = deed;
  requireSubmittable(record, 'SATOSHI_TEST', now);
  if (record.flow === 'SATOSHI_TEST') return null;
  return changed(
    record,
    { flow: 'SATOSHI_TEST', updatedAt: now },
    {
      type: 'FLOW_STARTED',
      message: 'A transfer is expected.',
      actor,
      data: { flow: 'SATOSHI_TEST', ...viaOf(deed) },
    },
  );
}

/** How often a wrong proof may be given. */
const MAX_BAD_TRIES = 10;

/** The refusals of a proof that was looked at; a node that does not answer is nobody's wrong proof. */
const BAD_TRIES: ReadonlySet<ErrorCode> = new Set([
  'message_empty',
  'signature_malformed',
  'signature_mismatch',
  'signature_typed_data',
  'validation_failed',
]);

/** Whether a refusal while a proof was checked says that it was wrong. */
export function isBadTry(error: unknown): error is DomainError {
  return error instanceof DomainError && BAD_TRIES.has(error.code);
}

/**
 * A wrong proof: of it only its number and the code of its refusal are kept. The last one that is allowed ends the
 * verification.
 */
export function countBadTry(
  record: VerificationRecord,
  code: ErrorCode,
  deed: SubmissionAct,
): VerificationChange {
  const { actor, now } = deed;
  requireOpen(record, now);
  const badTries = record.badTries + 1;
  const isLast = badTries >= MAX_BAD_TRIES;
  const refused = {
    type: isLast ? 'TOO_MANY_ATTEMPTS' : 'PROOF_REJECTED',
    message: isLast ? 'Too many wrong proofs were given.' : 'A wrong proof was given.',
    actor,
    data: { code, attempt: badTries, ...viaOf(deed) },
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
