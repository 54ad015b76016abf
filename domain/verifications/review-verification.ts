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
 * Applies a reviewer's decision on a verification that is ACTION_REQUIRED, and changes of the tenant's own texts at any
 * time; null clears a text. Returns null when nothing changes. Throws invalid_transition with the allowed statuses, also
 * for the second of two reviewers.
 */
export function patchVerification(
  record: VerificationRecord,
  patch: PatchVerificationBody,
  act: ReviewAct,
): VerificationChange | null {
  const decision = decisionOf(record, patch.status);
  const texts = changedTexts(record, patch);
  const names = Object.keys(texts);
  if (!decision && names.length === 0) return null;
  const { actor, now } = act;
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

/** The decision in a patch. An unchanged status is none, but repeating a decision is a second decision and refused. */
function decisionOf(
  { status }: VerificationRecord,
  requested: VerificationStatus | undefined,
): VerificationStatus | null {
  if (requested === undefined) return null;
  const allowed = allowedDecisions(status);
  if (allowed.includes(requested)) return requested;
  const isDecision = requested === 'VERIFIED' || requested === 'DECLINED';
  if (requested === status && !isDecision) return null;
  throw new DomainError('invalid_transition', 'The verification does not wait for this decision.', {
    members: { allowed },
  });
}

type ReviewTexts = Partial<Pick<VerificationRecord['personal'], 'statusReasoning' | 'metadata'>>;

function changedTexts({ personal }: VerificationRecord, patch: PatchVerificationBody): ReviewTexts {
  const texts: ReviewTexts = {};
  for (const name of ['statusReasoning', 'metadata'] as const) {
    const text = patch[name];
    if (text !== undefined && text !== personal[name]) texts[name] = text;
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

/** The basis of an event: the user or API key that decided. */
export function basisOf(actor: Actor): EventBasis | null {
  return actor.kind === 'USER' || actor.kind === 'API_KEY' ? { kind: actor.kind } : null;
}
