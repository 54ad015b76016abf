import { earliest, addMs, DAY_MS } from '../durations.ts';
import { COUNTERPARTY, SYSTEM } from '../events/actor.ts';
import { claimChanged, claimNoted, NO_CLAIM_CHANGE, type ClaimPairChange } from './change.ts';
import { failed } from './deliver-claim.ts';
import { remindAtFor } from './new-claim.ts';
import type { ClaimRecord } from './record.ts';

/** The mail server is asked for a day at most; its answer comes before that, or after a lost worker was replaced. */
const MAIL_ANSWER_MS = 2 * DAY_MS;

/** When a claim whose mail is on its way is looked at again, if nobody says what became of the mail. */
export function claimMailAnswerBy({ deadlineAt }: ClaimRecord, now: Date): Date {
  return earliest(addMs(now, MAIL_ANSWER_MS), deadlineAt);
}

/** Whether a claim may still go out by e-mail. */
export function isClaimToBeMailed({ status, deadlineAt }: ClaimRecord, now: Date): boolean {
  return status === 'PENDING' && deadlineAt > now;
}

interface MailedClaim {
  entityId: string | null;
  skipped: readonly string[];
  linkId: string;
  now: Date;
}

/** The mail server took the mail with the link: the claim waits for somebody to open it. */
export function markClaimMailed(
  own: ClaimRecord,
  { entityId, skipped, linkId, now }: MailedClaim,
): ClaimPairChange {
  if (!isClaimToBeMailed(own, now)) return NO_CLAIM_CHANGE;
  const remindAt = remindAtFor(own, now);
  const change = claimChanged(
    own,
    { originatorVaspEntityId: entityId, messageSource: 'EMAIL', remindAt, wakeAt: remindAt, updatedAt: now },
    {
      type: 'EMAIL_SENT',
      message: 'A link to the claim was sent by e-mail to the originator VASP.',
      actor: SYSTEM,
      data: { network: 'EMAIL', entityId, linkId, ...(skipped.length > 0 && { skipped: [...skipped] }) },
    },
    { wakesWorkflow: true },
  );
  return { own: change, counterpart: null };
}

interface RefusedClaimMail {
  address: string;
  /** Why, a code such as `SMTP_550`. */
  error: string;
  /** Whether another route is left. */
  hasNext: boolean;
  now: Date;
}

/** The mail server refused the mail for good: the next route is tried; without one the claim has failed. */
export function markClaimMailRefused(
  own: ClaimRecord,
  { address, error, hasNext, now }: RefusedClaimMail,
): ClaimPairChange {
  if (own.status !== 'PENDING') return NO_CLAIM_CHANGE;
  const { refusedMailboxes = [] } = own.personal;
  const personal = { ...own.personal, refusedMailboxes: [...refusedMailboxes, address] };
  const event = {
    type: 'EMAIL_FAILED',
    message: hasNext
      ? 'The mail could not be delivered; the next route is tried.'
      : 'The mail could not be delivered, and no other route is left.',
    actor: SYSTEM,
    data: { network: 'EMAIL', error },
  };
  const change = claimChanged(own, { personal, wakeAt: now, updatedAt: now }, event, {
    notify: false,
    wakesWorkflow: hasNext,
  });
  if (hasNext) return { own: change, counterpart: null };
  const { own: end } = failed(change.after, change.after, { failureCode: 'VASP_NOT_REACHABLE', now });
  return {
    own: end && { ...end, events: [...change.events, ...end.events], wakesWorkflow: true },
    counterpart: null,
  };
}

/** A second mail with the link, when three quarters of the time are over and nobody has opened it. */
export function remindByMail(
  own: ClaimRecord,
  { linkId, isRenewed, now }: { linkId: string; isRenewed: boolean; now: Date },
): ClaimPairChange {
  const change = claimChanged(
    own,
    { remindedAt: now, remindAt: null, wakeAt: own.deadlineAt, updatedAt: now },
    {
      type: 'REMINDED',
      message: isRenewed
        ? 'Three quarters of the time for an answer are over: a mail reminds of that, with a new link in the place of the one before.'
        : 'Three quarters of the time for an answer are over: a mail reminds of that.',
      actor: SYSTEM,
      data: { network: 'EMAIL', linkId },
    },
    { notify: false },
  );
  return { own: change, counterpart: null };
}

/** The VASP has opened the link with the right code; each time is an event. */
export function markClaimOpened(
  own: ClaimRecord,
  { linkId, now }: { linkId: string; now: Date },
): ClaimPairChange {
  return noted(own, now, {
    type: 'EMAIL_OPENED',
    message: 'The originator VASP has opened the link with a code that was sent to its mailbox.',
    data: { network: 'EMAIL', linkId },
  });
}

/** A new link was sent to the same mailbox, because somebody with the earlier one asked for it. */
export function markClaimLinkRenewed(own: ClaimRecord, now: Date): ClaimPairChange {
  return noted(own, now, {
    type: 'EMAIL_RENEWED',
    message: 'A new link was sent to the same mailbox, in the place of the one before.',
    data: { network: 'EMAIL' },
  });
}

/** The mail server refused the mail with a new link for good: the claim waits on, but nobody has a link that opens it. */
export function markClaimNewLinkRefused(
  own: ClaimRecord,
  { linkId, error, now }: { linkId: string; error: string; now: Date },
): ClaimPairChange {
  const event = {
    type: 'EMAIL_FAILED',
    message: 'The mail with a new link could not be delivered: reach the originator VASP in another way.',
    actor: SYSTEM,
    data: { network: 'EMAIL', linkId, error },
  };
  return { own: claimNoted(own, event, now), counterpart: null };
}

function noted(
  own: ClaimRecord,
  now: Date,
  event: { type: string; message: string; data: Record<string, string> },
): ClaimPairChange {
  return { own: claimNoted(own, { ...event, actor: COUNTERPARTY }, now), counterpart: null };
}
