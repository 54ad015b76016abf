import { addMs, DAY_MS, earliest } from '../../durations.ts';
import { COUNTERPARTY, SYSTEM } from '../../events/actor.ts';
import type { MailboxTrust } from '../../entities/mailbox.ts';
import { NO_CHANGE, type PairChange } from '../change.ts';
import type { TransactionRecord } from '../record.ts';
import { ANSWER_MS } from '../deadlines.ts';
import { needsScreening } from '../screening-due.ts';
import { isPendingOutgoing, moved, ownChange } from './own-change.ts';
import type { SkippedNetwork } from './route.ts';

/** Days after the first mail on which a link that nobody has opened is sent again. */
const REMINDER_DAYS = [3, 7];
/** The mail server is asked for a day at most; its answer comes before that, or after a lost worker was replaced. */
const MAIL_ANSWER_MS = 2 * DAY_MS;

/** Whether the message may be offered by e-mail now. */
export function isToBeMailed(record: TransactionRecord): boolean {
  return (
    isPendingOutgoing(record) && !needsScreening(record) && record.hold === null && record.pairId === null
  );
}

/** When a message whose mail is on its way is looked at again, if nobody says what became of the mail. */
export function mailAnswerBy(record: TransactionRecord, now: Date): Date {
  return atMost(record, addMs(now, MAIL_ANSWER_MS));
}

/** Whether a reminder of a link is due. */
export function isReminderDue(
  { sentAt, reminders }: { sentAt: Date; reminders: number },
  now: Date,
): boolean {
  const day = REMINDER_DAYS[reminders];
  return day !== undefined && addMs(sentAt, day * DAY_MS) <= now;
}

/** When a message whose link was sent is looked at again: for the next reminder, then at its deadline. */
export function nextReminder(
  record: TransactionRecord,
  { sentAt, reminders }: { sentAt: Date; reminders: number },
): Date {
  const day = REMINDER_DAYS[reminders];
  if (day === undefined) return record.deadlineAt ?? addMs(sentAt, ANSWER_MS);
  return atMost(record, addMs(sentAt, day * DAY_MS));
}

function atMost({ deadlineAt }: TransactionRecord, at: Date): Date {
  return deadlineAt ? earliest(at, deadlineAt) : at;
}

/** Holds a message for a review of the mailbox that it would go to. */
export function holdForMailbox(
  record: TransactionRecord,
  { standing, now }: { standing: Exclude<MailboxTrust, 'FITS'>; now: Date },
): PairChange {
  return ownChange(
    record,
    { hold: 'MAILBOX', routingFault: null, wakeAt: null, updatedAt: now },
    {
      type: 'HELD',
      message:
        standing === 'FREE_MAIL'
          ? 'Held for review: anybody gets an address at the domain of the mailbox.'
          : 'Held for review: the mailbox is at none of the domains of the beneficiary VASP.',
      ...moved(record, 'PENDING'),
      data: { hold: 'MAILBOX', standing },
    },
  );
}

interface Mailed {
  /** The beneficiary VASP, if it is in the directory. */
  entityId: string | null;
  skipped: readonly SkippedNetwork[];
  linkId: string;
  /** When its mail was taken, and the reminders since. */
  sent: { sentAt: Date; reminders: number };
  now: Date;
}

/** The mail server took the mail with the link, now or before the message was held or screened again. */
export function markMailed(
  record: TransactionRecord,
  { entityId, skipped, linkId, sent, now }: Mailed,
): PairChange {
  if (!isToBeMailed(record)) return NO_CHANGE;
  return ownChange(
    record,
    {
      routingFault: 'EMAIL_SENT',
      counterpartyEntityId: entityId,
      wakeAt: nextReminder(record, sent),
      updatedAt: now,
    },
    {
      type: 'EMAIL_SENT',
      message:
        sent.sentAt < now
          ? 'The message waits for its link to be opened: the beneficiary VASP has it by an earlier e-mail.'
          : 'A link to the message was sent by e-mail to the beneficiary VASP.',
      ...moved(record, 'PENDING'),
      data: { network: 'EMAIL', entityId, linkId, ...(skipped.length > 0 && { skipped: [...skipped] }) },
    },
  );
}

interface Reminder {
  /** The link in the mail. */
  linkId: string;
  /** Whether the mail carries a new link. */
  isRenewed: boolean;
  /** When the message is looked at again; left out where its workflow times that itself. */
  wakeAt?: Date;
  now: Date;
}

/** A mail reminds the beneficiary VASP of a message that it has not opened, or not answered. */
export function markReminded(
  record: TransactionRecord,
  { linkId, isRenewed, wakeAt, now }: Reminder,
): PairChange {
  return ownChange(
    record,
    { ...(wakeAt && { wakeAt }), updatedAt: now },
    {
      type: 'REMINDED',
      message: isRenewed
        ? 'The beneficiary VASP is reminded by e-mail, with a new link in the place of the one before.'
        : 'The beneficiary VASP is reminded by e-mail.',
      actor: SYSTEM,
      data: { network: 'EMAIL', linkId },
    },
  );
}

interface RefusedMail {
  address: string;
  /** Why, a code such as `SMTP_550`. */
  error: string;
  /** Whether another route is left. */
  hasNext: boolean;
  now: Date;
}

/**
 * The mail server refused the mail for good: the next route is tried; without one the message has failed. A message that is held
 * meanwhile stays held, and goes on in the same way once a reviewer lets it pass.
 */
export function markMailRefused(
  record: TransactionRecord,
  { address, error, hasNext, now }: RefusedMail,
): PairChange {
  if (!isPendingOutgoing(record)) return NO_CHANGE;
  const { refusedMailboxes = [] } = record.personal;
  const personal = { ...record.personal, refusedMailboxes: [...refusedMailboxes, address] };
  const isHeld = record.hold !== null;
  const goesOn = isHeld || hasNext;
  const status = goesOn ? 'PENDING' : 'FAILED';
  const change = ownChange(
    record,
    {
      ...(goesOn ? { routingFault: null } : FAILED_UNREACHED),
      ...(goesOn && !isHeld && { wakeAt: now }),
      updatedAt: now,
      personal,
    },
    {
      type: 'EMAIL_FAILED',
      message: isHeld
        ? 'The mail could not be delivered; the message stays held, and goes the next route after the review.'
        : hasNext
          ? 'The mail could not be delivered; the next route is tried.'
          : 'The mail could not be delivered, and no other route is left.',
      ...moved(record, status),
      data: { network: 'EMAIL', error },
    },
  );
  return isHeld ? change : wakingWorkflow(change);
}

/** What a message is that no mailbox takes and no other network reaches. */
const FAILED_UNREACHED = {
  status: 'FAILED',
  routingFault: 'VASP_NOT_REACHABLE',
  wakeAt: null,
  deadlineAt: null,
  ruleWaitUntil: null,
  isScreeningDelayed: false,
} as const satisfies Partial<TransactionRecord>;

/**
 * Fails a message whose mailboxes were all refused while it was held: now that it may go, no route is left. Null for any other
 * message that has none.
 */
export function failUnmailed(
  record: TransactionRecord,
  { skipped, entityId, now }: { skipped: readonly SkippedNetwork[]; entityId: string | null; now: Date },
): PairChange | null {
  if (!skipped.includes('EMAIL:REFUSED')) return null;
  return ownChange(
    record,
    { ...FAILED_UNREACHED, counterpartyEntityId: entityId, updatedAt: now },
    {
      type: 'EMAIL_FAILED',
      message: 'The mail could not be delivered, and no other route is left.',
      ...moved(record, 'FAILED'),
      data: { network: 'EMAIL', skipped: [...skipped] },
    },
  );
}

function wakingWorkflow(change: PairChange): PairChange {
  return change.own ? { ...change, own: { ...change.own, wakesWorkflow: true } } : change;
}

/** The VASP has opened the link with the right code; each time is an event. The workflow times the reminder anew. */
export function markOpened(
  record: TransactionRecord,
  { linkId, now }: { linkId: string; now: Date },
): PairChange {
  const change = ownChange(
    record,
    { updatedAt: now },
    {
      type: 'EMAIL_OPENED',
      message: 'The beneficiary VASP has opened the link with a code that was sent to its mailbox.',
      actor: COUNTERPARTY,
      data: { network: 'EMAIL', linkId },
    },
  );
  return wakingWorkflow(change);
}

/** A new link was sent to the same mailbox, because somebody with the earlier one asked for it. */
export function markRenewed(record: TransactionRecord, now: Date): PairChange {
  return ownChange(
    record,
    { updatedAt: now },
    {
      type: 'EMAIL_RENEWED',
      message: 'A new link was sent to the same mailbox, in the place of the one before.',
      actor: COUNTERPARTY,
      data: { network: 'EMAIL' },
    },
  );
}

/** The mail server refused the mail with a new link for good: the message waits on, but nobody has a link that opens it. */
export function markNewLinkRefused(
  record: TransactionRecord,
  { linkId, error, now }: { linkId: string; error: string; now: Date },
): PairChange {
  return ownChange(
    record,
    { updatedAt: now },
    {
      type: 'EMAIL_FAILED',
      message: 'The mail with a new link could not be delivered: reach the beneficiary VASP in another way.',
      actor: SYSTEM,
      data: { network: 'EMAIL', linkId, error },
    },
  );
}
