import { DomainError } from '../../domain/errors.ts';
import type { MailContent } from '../../domain/mails/mail.ts';
import { stateOfLink, type LinkSubject } from '../../domain/portal/link.ts';
import type { Database } from '../database.ts';
import { queueMail } from '../mails/queue-mail.ts';
import type { OutboxEntry } from '../outbox.ts';
import type { Queryable } from '../postgres.ts';
import {
  insertLink,
  lockCurrentLink,
  setMail,
  setReminders,
  setSent,
  type StoredLink,
} from '../portal/portal-links.ts';
import { portalTokenOf } from '../portal/portal-token.ts';
import type { RecordKey } from '../vault/record-key.ts';

interface LinkPlace {
  tenantId: string;
  subject: LinkSubject;
  now: Date;
}

/** The link to this mailbox: the one that there is, or a new one in the place of that to another mailbox. */
export async function linkTo(
  db: Database,
  tx: Queryable,
  place: LinkPlace & { address: string },
): Promise<StoredLink> {
  const current = await lockCurrentLink(db, tx, place);
  return current?.address === place.address ? current : await newLinkTo(db, tx, place);
}

/** A new link to this mailbox, in the place of the one that there may be. */
export async function newLinkTo(
  db: Database,
  tx: Queryable,
  place: LinkPlace & { address: string },
): Promise<StoredLink> {
  await insertLink(db, tx, place);
  const made = await lockCurrentLink(db, tx, place);
  if (!made) throw new Error('the link was not stored');
  return made;
}

/** What mails with a link have in common. */
export interface LinkMailInput {
  to: string;
  tenantName: string;
  link: string;
}

interface LinkInMail {
  link: Pick<StoredLink, 'id' | 'tenantId' | 'address'>;
  /** The key of the record, from which the token is derived. */
  key: RecordKey;
  /** The address of the portal, to which the token is added. */
  portalUrl: string;
}

/** The token is a fragment, which no server and no log gets. */
export async function linkMailInput(
  tx: Queryable,
  { link: { id, tenantId, address }, key, portalUrl }: LinkInMail,
): Promise<LinkMailInput> {
  const { rows } = await tx.query<{ name: string }>('select name from tenants where id = $1', [tenantId]);
  return { to: address, tenantName: rows[0]?.name ?? '', link: `${portalUrl}#${portalTokenOf(id, key)}` };
}

interface LinkMail {
  link: Pick<StoredLink, 'id' | 'tenantId'>;
  content: MailContent;
  now: Date;
}

/** Queues the mail that carries a link; its end decides how the record goes on. */
export async function queueLinkMail(
  db: Database,
  tx: Queryable,
  { link, content, now }: LinkMail,
): Promise<OutboxEntry[]> {
  const { tenantId, id: linkId } = link;
  const { mailId, outbox } = await queue(db, tx, { tenantId, kind: 'PORTAL_LINK', content, now });
  await setMail(tx, { linkId, mailId, now });
  return outbox;
}

interface LinkReminder {
  link: StoredLink;
  key: RecordKey;
  portalUrl: string;
  contentOf: (input: LinkMailInput) => MailContent;
  now: Date;
}

interface QueuedReminder {
  /** The link in the mail. */
  linkId: string;
  /** Whether it is a new one. */
  isRenewed: boolean;
  /** When the first mail with this link was sent. */
  sentAt: Date;
  outbox: OutboxEntry[];
}

/**
 * Queues a mail that reminds of a link, and counts it. Where that link opens nothing any more, because it has expired or is locked,
 * the mail carries a new one to the same mailbox, in its place.
 */
export async function queueReminder(
  db: Database,
  tx: Queryable,
  { link, key, portalUrl, contentOf, now }: LinkReminder,
): Promise<QueuedReminder> {
  const { tenantId, subject, address, reminders } = link;
  const isRenewed = stateOfLink(link, now) !== 'OPEN';
  const carried = isRenewed ? await newLinkTo(db, tx, { tenantId, subject, address, now }) : link;
  const content = contentOf(await linkMailInput(tx, { link: carried, key, portalUrl }));
  const { mailId, outbox } = await queue(db, tx, { tenantId, kind: 'PORTAL_REMINDER', content, now });
  if (isRenewed) {
    await setMail(tx, { linkId: carried.id, mailId, now });
    await setSent(tx, carried.id, now);
  }
  await setReminders(tx, carried.id, reminders + 1);
  return { linkId: carried.id, isRenewed, sentAt: (isRenewed ? null : link.sentAt) ?? now, outbox };
}

interface NewLink extends LinkPlace, Pick<LinkInMail, 'key' | 'portalUrl'> {
  /** The mailbox whose link whoever asks has. */
  address: string;
  contentOf: (input: LinkMailInput) => MailContent;
}

/**
 * Makes a link in the place of the present one and queues its mail: whoever asks has a link of the record, which proves nothing
 * but that, so the new one goes to the same mailbox and nowhere else. Throws conflict where that mailbox is not the one that
 * was sent the present link: the message or claim goes to another now, or a reviewer has to decide on that first.
 */
export async function queueNewLink(
  db: Database,
  tx: Queryable,
  { key, portalUrl, contentOf, address, ...place }: NewLink,
): Promise<OutboxEntry[]> {
  const { tenantId, now } = place;
  const current = await lockCurrentLink(db, tx, place);
  if (current?.address !== address || current.mailId === null) throw noNewLink();
  const linkId = await insertLink(db, tx, { ...place, address });
  const input = await linkMailInput(tx, { link: { id: linkId, tenantId, address }, key, portalUrl });
  const content = contentOf(input);
  const { mailId, outbox } = await queue(db, tx, { tenantId, kind: 'PORTAL_REMINDER', content, now });
  await setMail(tx, { linkId, mailId, now });
  await setSent(tx, linkId, now);
  return outbox;
}

export function noNewLink(): DomainError {
  return new DomainError('conflict', 'No new link can be sent at the moment.');
}

/** Queues a mail; with the id by which its end is found. */
async function queue(
  db: Database,
  tx: Queryable,
  mail: { tenantId: string; kind: 'PORTAL_LINK' | 'PORTAL_REMINDER'; content: MailContent; now: Date },
): Promise<{ mailId: string; outbox: OutboxEntry[] }> {
  const outbox = await queueMail(db, tx, mail);
  const mailId = outbox[0]?.subjectId;
  if (mailId === undefined) throw new Error('the mail was not queued');
  return { mailId, outbox };
}
