import { DomainError } from '../errors.ts';
import { COUNTERPARTY, SYSTEM, type Actor } from '../events/actor.ts';
import { basisOfActor } from '../events/event.ts';
import { requireInTime } from './answer-claim.ts';
import { claimChanged, NO_CLAIM_CHANGE, type ClaimChange, type ClaimPairChange } from './change.ts';
import type { ClaimRecord } from './record.ts';
import type { PatchClaimBody } from './schema.ts';
import { allowedClaimStatuses, isOpenClaim, type ClaimStatus } from './state.ts';

interface ClaimAct {
  actor: Actor;
  now: Date;
}

/**
 * The asking side takes its claim back, the asked side refuses it; the other side follows. The reason of a refusal is sent,
 * that of a cancellation stays. A refusal is in time or none. Throws invalid_transition with the allowed statuses.
 */
export function patchClaim(
  own: ClaimRecord,
  counterpart: ClaimRecord | null,
  { status, statusReasoning }: PatchClaimBody,
  { actor, now }: ClaimAct,
): ClaimPairChange {
  const reasoning = statusReasoning === undefined ? own.personal.statusReasoning : statusReasoning;
  if (status === undefined || (status === own.status && allowedClaimStatuses(own).length > 0))
    return reasonChanged(own, reasoning, { actor, now });
  const allowed = allowedClaimStatuses(own);
  if (!allowed.includes(status)) {
    const text = isOpenClaim(own)
      ? `The ${own.direction === 'OUTGOING' ? 'asking' : 'asked'} side of a claim sets ${allowed.join()} only, not ${status}.`
      : `A claim that is ${own.status} keeps its status.`;
    throw new DomainError('invalid_transition', text, { members: { allowed } });
  }
  if (status === 'DECLINED') requireInTime(own, now);
  const ended = { status, updatedAt: now, personal: { ...own.personal, statusReasoning: reasoning } };
  const message = status === 'CANCELLED' ? 'The claim was taken back.' : 'The claim was refused.';
  return {
    own: claimChanged(own, ended, { type: status, message, actor, basis: basisOfActor(actor) }),
    counterpart: counterpart && followed(counterpart, status, { reasoning, now }),
  };
}

/** Like patchClaim, for a VASP outside that is asked: it refuses in time, and the same refusal again changes nothing. */
export function patchFromOutside(
  own: ClaimRecord,
  counterpart: ClaimRecord | null,
  body: PatchClaimBody,
  now: Date,
): ClaimPairChange {
  if (isOpenClaim(own)) requireInTime(own, now);
  const { status, ...reason } = body;
  if (status === 'DECLINED' && own.status === status)
    return patchClaim(own, counterpart, reason, { actor: COUNTERPARTY, now });
  return patchClaim(own, counterpart, body, { actor: COUNTERPARTY, now });
}

/** A reason alone. Of a claim that has ended it stays as the other side has learnt it. */
function reasonChanged(
  own: ClaimRecord,
  statusReasoning: string | null,
  { actor, now }: ClaimAct,
): ClaimPairChange {
  if (statusReasoning === own.personal.statusReasoning) return NO_CLAIM_CHANGE;
  if (!isOpenClaim(own))
    throw new DomainError('conflict', `A claim that is ${own.status} keeps its statusReasoning.`);
  const personal = { ...own.personal, statusReasoning };
  const event = {
    type: 'CHANGED',
    message: 'The reason was changed.',
    actor,
    data: { fields: ['statusReasoning'] },
  };
  return { own: claimChanged(own, { updatedAt: now, personal }, event), counterpart: null };
}

/** The other side's record of a claim that was taken back or refused. */
function followed(
  claim: ClaimRecord,
  status: ClaimStatus,
  { reasoning, now }: { reasoning: string | null; now: Date },
): ClaimChange | null {
  if (!isOpenClaim(claim)) return null;
  const isRefused = status === 'DECLINED';
  const statusReasoning = isRefused ? reasoning : claim.personal.statusReasoning;
  return claimChanged(
    claim,
    { status, updatedAt: now, personal: { ...claim.personal, statusReasoning } },
    {
      type: status,
      message: isRefused
        ? 'The originator VASP refused the claim.'
        : 'The beneficiary VASP took the claim back.',
      actor: COUNTERPARTY,
      basis: { kind: 'COUNTERPARTY' },
    },
  );
}

/** The claim of a transfer whose message has arrived. `transactionId`: its tenant's record of the message, where it has one. */
export function answeredClaim(
  claim: ClaimRecord,
  transactionId: string | null,
  now: Date,
): ClaimChange | null {
  if (!isOpenClaim(claim)) return null;
  return claimChanged(
    claim,
    { status: 'ANSWERED', transactionId: transactionId ?? claim.transactionId, updatedAt: now },
    {
      type: 'ANSWERED',
      message: 'A message of this transfer has arrived.',
      actor: claim.direction === 'OUTGOING' ? COUNTERPARTY : SYSTEM,
      data: { transactionId },
      basis: { kind: 'COUNTERPARTY' },
    },
  );
}

/** A new claim of a transfer whose message had arrived before: it is answered at once. */
export function answeredBefore(change: ClaimChange, transactionId: string, now: Date): ClaimChange {
  const answered = answeredClaim(change.after, transactionId, now);
  if (!answered) return change;
  return { ...answered, events: [...change.events, ...answered.events], notify: false, wakesWorkflow: false };
}
