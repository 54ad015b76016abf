import { DomainError } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { changed, type VerificationChange } from './change.ts';
import type { VerificationRecord } from './record.ts';
import { basisOf } from './review-verification.ts';

interface EndingAct {
  actor: Actor;
  now: Date;
}

/** Revokes an accepted proof: it no longer counts for transfers or reuse. Throws invalid_transition unless VERIFIED. */
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
    { type: 'REVOKED', message: 'The proof was revoked.', actor, basis: basisOf(actor) },
  );
}

/** Hides a verification from its tenant and notifies it by a last webhook. */
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
