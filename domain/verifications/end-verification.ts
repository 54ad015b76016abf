import { DomainError } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { changed, type VerificationChange } from './change.ts';
import type { VerificationRecord } from './record.ts';
import { basisOf } from './review-verification.ts';

interface EndingAct {
  actor: Actor;
  now: Date;
}

/**
 * Takes a proof back that was accepted: from now on it is none, neither for transfers nor for reuse. Throws
 * invalid_transition unless VERIFIED.
 */
export function revokeVerification(
  record: VerificationRecord,
  reason: string,
  { actor, now }: EndingAct,
): VerificationChange {
  if (record.status !== 'VERIFIED') {
    throw new DomainError('invalid_transition', 'Only a VERIFIED verification can be revoked.', {
      members: { allowed: [] },
    });
  }
  return changed(
    record,
    {
      status: 'DECLINED',
      failureCode: 'REVOKED',
      updatedAt: now,
      personal: { ...record.personal, statusReasoning: reason },
    },
    { type: 'REVOKED', message: 'The proof was taken back.', actor, basis: basisOf(actor) },
  );
}

/** Removes a verification from its tenant's sight; its last webhook says so. */
export function deleteVerification(
  record: VerificationRecord,
  { actor, now }: EndingAct,
): VerificationChange {
  return changed(
    record,
    { status: 'DELETED', deletedAt: now, wakeAt: null, updatedAt: now },
    { type: 'DELETED', message: 'The verification was deleted.', actor },
  );
}
