import { DomainError } from '../errors.ts';
import { SYSTEM, type Actor } from '../events/actor.ts';
import {
  claimChanged,
  claimNoted,
  NO_CLAIM_CHANGE,
  type ClaimChange,
  type ClaimPairChange,
} from './change.ts';
import type { ClaimRecord } from './record.ts';
import { isOpenClaim } from './state.ts';

/** When three quarters of the time from `from` to `until` have passed. */
export function reminderOf(from: Date, until: Date): Date {
  return new Date(until.getTime() - (until.getTime() - from.getTime()) / 4);
}

type ClaimTimes = Pick<
  ClaimRecord,
  'direction' | 'status' | 'wakeAt' | 'remindAt' | 'deadlineAt' | 'lookedForTransfer'
>;

/** The next step of the claim workflow. Contains codes and times only, never personal data. */
export type ClaimPlan =
  | { step: 'DELIVER' | 'LOOK_FOR_TRANSFER' | 'REMIND' | 'EXPIRE' | 'DONE'; status: string }
  | {
      step: 'WAIT';
      status: string;
      waitingFor: 'DELIVERY' | 'COUNTERPARTY_ANSWER' | 'DECISION';
      untilMs: number;
      deadlineMs: number;
    };

/** The next step of a record at `now`. */
export function planOfClaim(claim: ClaimTimes, now: Date): ClaimPlan {
  const { direction, status, wakeAt, remindAt, deadlineAt } = claim;
  if (!isOpenClaim(claim)) return { step: 'DONE', status };
  if (deadlineAt <= now) return { step: 'EXPIRE', status };
  const deadlineMs = deadlineAt.getTime();
  if (status === 'PENDING') {
    if (wakeAt === null || wakeAt <= now) return { step: 'DELIVER', status };
    return { step: 'WAIT', status, waitingFor: 'DELIVERY', untilMs: wakeAt.getTime(), deadlineMs };
  }
  const isAsked = direction === 'INCOMING';
  if (isAsked && !claim.lookedForTransfer) return { step: 'LOOK_FOR_TRANSFER', status };
  if (remindAt !== null && remindAt <= now) return { step: 'REMIND', status };
  const untilMs = (remindAt ?? deadlineAt).getTime();
  const waitingFor = isAsked ? 'DECISION' : 'COUNTERPARTY_ANSWER';
  return { step: 'WAIT', status, waitingFor, untilMs, deadlineMs };
}

/**
 * Reminds the asked side, by a webhook of its claim, that three quarters of the time are over; a VASP on no network gets a mail
 * instead, which the log of the asking side shows.
 */
export function remindOfClaim(own: ClaimRecord, counterpart: ClaimRecord | null, now: Date): ClaimPairChange {
  if (planOfClaim(own, now).step !== 'REMIND') return NO_CLAIM_CHANGE;
  const change = claimChanged(
    own,
    { remindedAt: now, remindAt: null, wakeAt: own.deadlineAt, updatedAt: now },
    { type: 'REMINDED', message: 'Three quarters of the time for an answer are over.', actor: SYSTEM },
  );
  const isMailed = own.messageSource === 'EMAIL';
  return { own: change, counterpart: isMailed && counterpart ? mailNoted(counterpart, now) : null };
}

function mailNoted(asking: ClaimRecord, now: Date): ClaimChange {
  const event = {
    type: 'REMINDED',
    message: 'Three quarters of the time for an answer are over: a mail reminds the originator VASP of that.',
    actor: SYSTEM,
    data: { network: 'EMAIL' },
  };
  return claimNoted(asking, event, now);
}

/** Ends a claim that was not answered in time, on both sides. */
export function expireClaim(own: ClaimRecord, counterpart: ClaimRecord | null, now: Date): ClaimPairChange {
  if (planOfClaim(own, now).step !== 'EXPIRE') return NO_CLAIM_CHANGE;
  return { own: expired(own, now, false), counterpart: counterpart && expired(counterpart, now, true) };
}

/** The workflow of the own claim does this itself; that of the other side has to end. */
function expired(claim: ClaimRecord, now: Date, wakesWorkflow: boolean): ClaimChange | null {
  if (!isOpenClaim(claim)) return null;
  return claimChanged(
    claim,
    { status: 'EXPIRED', updatedAt: now },
    {
      type: 'EXPIRED',
      message: 'The claim was not answered in time.',
      actor: SYSTEM,
      basis: { kind: 'EXPIRY' },
    },
    { wakesWorkflow },
  );
}

/** Ends the time for an answer now, by request; the workflow then ends both sides. Throws conflict for a claim that has ended. */
export function fireClaimTimer(
  own: ClaimRecord,
  { actor, now }: { actor: Actor; now: Date },
): ClaimPairChange {
  if (!isOpenClaim(own)) throw new DomainError('conflict', 'This claim waits for no deadline.');
  if (own.deadlineAt <= now) return NO_CLAIM_CHANGE;
  const change = claimChanged(
    own,
    { deadlineAt: now, wakeAt: now, updatedAt: now },
    { type: 'TIMER_FIRED', message: 'The time was ended by hand.', actor },
    { notify: false, wakesWorkflow: true },
  );
  return { own: change, counterpart: null };
}
