import { DomainError } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import type { EventBasis, EventDraft } from '../events/event.ts';
import { changed, type VerificationChange } from './change.ts';
import type { VerificationRecord } from './record.ts';
import type { PatchVerificationBody } from './schema.ts';
import { allowedDecisions, type VerificationStatus } from './state.ts';

interface ReviewAct {
  actor: Actor;
  now: Date;
}

/**
 * A reviewer's decision on what is ACTION_REQUIRED, and the tenant's own texts at any time. All or nothing; null clears
 * a text. Null when nothing changes. Throws invalid_transition with what may be set: of two reviewers the first wins.
 */
export function patchVerification(
  record: VerificationRecord,
  patch: PatchVerificationBody,
  deed: ReviewAct,
): VerificationChange | null {
  const decision = decisionOf(record, patch.status);
  const texts = changedTexts(record, patch);
  const names = Object.keys(texts);
  if (!decision && names.length === 0) return null;
  const { actor, now } = deed;
  const personal = { ...record.personal, ...texts };
  if (!decision) {
    const event = { type: 'CHANGED', message: 'Texts were changed.', actor, data: { fields: names } };
    return changed(record, { updatedAt: now, personal }, event);
  }
  const verifiedAt = decision === 'VERIFIED' ? now : null;
  return changed(
    record,
    { status: decision, verifiedAt, wakeAt: null, updatedAt: now, personal },
    reviewedEvent(decision, names, actor),
  );
}

/** PENDING sent back unchanged asks for nothing; a decision that was made before is a decision too late. */
function decisionOf(
  { status }: VerificationRecord,
  wanted: VerificationStatus | undefined,
): VerificationStatus | null {
  if (wanted === undefined) return null;
  const allowed = allowedDecisions(status);
  if (allowed.includes(wanted)) return wanted;
  const isDecision = wanted === 'VERIFIED' || wanted === 'DECLINED';
  if (wanted === status && !isDecision) return null;
  throw new DomainError('invalid_transition', 'The verification does not wait for this decision.', {
    members: { allowed },
  });
}

type ReviewTexts = Partial<Pick<VerificationRecord['personal'], 'statusReasoning' | 'metadata'>>;

function changedTexts({ personal }: VerificationRecord, patch: PatchVerificationBody): ReviewTexts {
  const texts: ReviewTexts = {};
  for (const name of ['statusReasoning', 'metadata'] as const) {
    const wanted = patch[name];
    if (wanted !== undefined && wanted !== personal[name]) texts[name] = wanted;
  }
  return texts;
}

function reviewedEvent(decision: VerificationStatus, fields: string[], actor: Actor): EventDraft {
  return {
    type: 'REVIEWED',
    message: decision === 'VERIFIED' ? 'A reviewer accepted the proof.' : 'A reviewer declined the proof.',
    actor,
    data: { fields },
    basis: basisOf(actor),
  };
}

/** Who decided. */
export function basisOf(actor: Actor): EventBasis | null {
  return actor.kind === 'USER' || actor.kind === 'API_KEY' ? { kind: actor.kind } : null;
}
