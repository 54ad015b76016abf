import type pg from 'pg';
import { linkMail, reminderMail } from '../../domain/mails/portal-mails.ts';
import { mailboxTrust, type MailboxTrust } from '../../domain/entities/mailbox.ts';
import { NO_CHANGE, type PairChange } from '../../domain/transactions/change.ts';
import {
  holdForMailbox,
  isReminderDue,
  isToBeMailed,
  mailAnswerBy,
  markMailed,
  markReminded,
  nextReminder,
} from '../../domain/transactions/lifecycle/mail-outcomes.ts';
import type { SkippedNetwork } from '../../domain/transactions/lifecycle/route.ts';
import { stateOfLink } from '../../domain/portal/link.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { Database } from '../database.ts';
import type { Queryable } from '../postgres.ts';
import type { StoredLink } from '../portal/portal-links.ts';
import { lockTransaction } from '../transactions/find-transaction.ts';
import {
  changeInTransaction,
  untilPaired,
  type ChangedTransaction,
} from '../transactions/change-transaction.ts';
import { putOff } from '../transactions/put-off.ts';
import type { OpenTransaction } from '../transactions/row.ts';
import { linkMailInput, linkTo, newLinkTo, queueLinkMail, queueReminder } from './link-mails.ts';
import { mailDomainsOf } from './reach-by-mail.ts';

export interface MailOffer {
  tenantId: string;
  id: string;
  /** The mailbox. */
  address: string;
  /** The VASP whose mailbox it should be; null for one that is in no directory. */
  entityId: string | null;
  /** Why no network before e-mail takes it. */
  skipped: readonly SkippedNetwork[];
  /** The address of the portal, to which tokens are added. */
  portalUrl: string;
  now: Date;
}

/**
 * Queues the mail with the link to a message, or the reminder that is due; holds the message first where a reviewer has to
 * decide on the mailbox. However often it is called, each mail is queued once. Null when the message does not wait for it any
 * more.
 */
export async function offerByMail(db: Database, offer: MailOffer): Promise<ChangedTransaction | null> {
  const { tenantId, id, now } = offer;
  await db.vault.tenantKeys(tenantId);
  return await untilPaired(db, async (tx) => {
    const open = await lockTransaction(db, tx, tenantId, id);
    if (!open || open.record.deletedAt || !isToBeMailed(open.record)) return null;
    const standing = mailboxTrust(offer.address, await mailDomainsOf(tx, offer.entityId));
    const subject = { kind: 'TRANSACTION', id } as const;
    const place = { tenantId, subject, address: offer.address, now };
    const link = await linkTo(db, tx, place);
    if (standing !== 'FITS' && !isReviewed(open.record, link))
      return await hold(db, tx, { tenantId, id, standing, now });
    const { sentAt } = link;
    const isAgain = sentAt !== null && open.record.routingFault !== 'EMAIL_SENT';
    if (isAgain && stateOfLink(link, now) === 'OPEN')
      return await waitAgain(db, tx, { link: { ...link, sentAt }, offer });
    const offered = isAgain ? await newLinkTo(db, tx, place) : link;
    const linked = { open, link: offered, offer };
    return offered.mailId === null ? await queueLink(db, tx, linked) : await remind(db, tx, linked);
  });
}

/** Whether a reviewer has let the message pass since it was first held for this mailbox. */
function isReviewed({ personal }: TransactionRecord, { mailId, createdAt }: StoredLink): boolean {
  if (mailId !== null) return true;
  const passed = personal.reviews?.filter(
    ({ decision, hold, isVoid }) => decision === 'PROCEED' && hold === 'MAILBOX' && !isVoid,
  );
  return passed?.some(({ at }) => new Date(at) >= createdAt) ?? false;
}

interface MailboxHold {
  tenantId: string;
  id: string;
  standing: Exclude<MailboxTrust, 'FITS'>;
  now: Date;
}

async function hold(
  db: Database,
  tx: pg.PoolClient,
  { tenantId, id, standing, now }: MailboxHold,
): Promise<ChangedTransaction | undefined> {
  const decide = (own: TransactionRecord): PairChange =>
    isToBeMailed(own) ? holdForMailbox(own, { standing, now }) : NO_CHANGE;
  return await changeInTransaction(db, tx, { tenantId, id, now, decide });
}

interface SentLink {
  link: StoredLink & { sentAt: Date };
  offer: MailOffer;
}

/**
 * A message that was held or screened since its mail was sent, or while it was on its way, waits for the same link again: the
 * mailbox has it and needs no other mail.
 */
async function waitAgain(
  db: Database,
  tx: pg.PoolClient,
  { link, offer }: SentLink,
): Promise<ChangedTransaction | undefined> {
  const { tenantId, id, entityId, skipped, now } = offer;
  const mailed = { entityId, skipped, linkId: link.id, sent: link, now };
  const decide = (own: TransactionRecord): PairChange => markMailed(own, mailed);
  return await changeInTransaction(db, tx, { tenantId, id, now, decide });
}

interface LinkedMessage {
  open: OpenTransaction;
  link: StoredLink;
  offer: MailOffer;
}

async function queueLink(
  db: Database,
  tx: Queryable,
  { open, link, offer }: LinkedMessage,
): Promise<ChangedTransaction> {
  const { portalUrl, now } = offer;
  const content = linkMail(await linkMailInput(tx, { link, key: open.key, portalUrl }));
  const outbox = await queueLinkMail(db, tx, { link, content, now });
  return { ...(await waitUntil(tx, open, mailAnswerBy(open.record, now))), outbox };
}

async function waitUntil(
  tx: Queryable,
  { record }: OpenTransaction,
  wakeAt: Date,
): Promise<ChangedTransaction> {
  return { record: await putOff(tx, record, { wakeAt, screenAgain: false }), counterpart: null, outbox: [] };
}

async function remind(
  db: Database,
  tx: pg.PoolClient,
  { open, link, offer }: LinkedMessage,
): Promise<ChangedTransaction | undefined> {
  const { tenantId, id, portalUrl, now } = offer;
  const { sentAt, reminders } = link;
  if (sentAt === null) return await waitUntil(tx, open, mailAnswerBy(open.record, now));
  if (!isReminderDue({ sentAt, reminders }, now))
    return await waitUntil(tx, open, nextReminder(open.record, { sentAt, reminders }));
  const reminder = { link, key: open.key, portalUrl, contentOf: reminderMail, now };
  const { outbox, ...sent } = await queueReminder(db, tx, reminder);
  const wakeAt = nextReminder(open.record, { sentAt: sent.sentAt, reminders: reminders + 1 });
  const decide = (own: TransactionRecord): PairChange => markReminded(own, { ...sent, wakeAt, now });
  const changed = await changeInTransaction(db, tx, { tenantId, id, now, decide });
  return changed && { ...changed, outbox: [...changed.outbox, ...outbox] };
}
