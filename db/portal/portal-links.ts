import { LINK_DAYS, type LinkSubject, type PortalLink } from '../../domain/portal/link.ts';
import type { Database } from '../database.ts';
import { newId } from '../new-id.ts';
import type { Queryable } from '../postgres.ts';
import { sealingContext } from '../vault/contexts.ts';

/** A link with its mailbox and the state of its mail. */
export interface StoredLink extends PortalLink {
  /** The mailbox that gets the link and its codes. */
  address: string;
  /** The mail that carries it; null while a reviewer has to decide on the mailbox. */
  mailId: string | null;
  /** When the mail server took the mail. */
  sentAt: Date | null;
  /** Reminders that were sent. */
  reminders: number;
}

export interface LinkRow {
  id: string;
  tenant_id: string;
  transaction_id: string | null;
  claim_id: string | null;
  address: Buffer;
  mail_id: string | null;
  created_at: Date;
  expires_at: Date;
  ended_at: Date | null;
  sent_at: Date | null;
  reminders: number;
  opened_at: Date | null;
  tries: number;
}

const COLUMNS = `id, tenant_id, transaction_id, claim_id, address, mail_id, created_at, expires_at, ended_at, sent_at,
  reminders, opened_at, tries`;

/** The column that names what a link leads to. */
const SUBJECT: Record<LinkSubject['kind'], string> = { TRANSACTION: 'transaction_id', CLAIM: 'claim_id' };

interface TenantSubject {
  tenantId: string;
  subject: LinkSubject;
}

/** The link with this id; undefined when there is none. */
export async function findLinkById(db: Database, id: string): Promise<StoredLink | undefined> {
  const { rows } = await db.pool.query<LinkRow>(`select ${COLUMNS} from portal_links where id = $1`, [id]);
  return rows[0] && (await toLink(db, rows[0]));
}

/** The link that shows a record now, locked; undefined when there is none. Lock the record first. */
export async function lockCurrentLink(
  db: Database,
  tx: Queryable,
  { tenantId, subject }: TenantSubject,
): Promise<StoredLink | undefined> {
  const { rows } = await tx.query<LinkRow>(
    `select ${COLUMNS} from portal_links where tenant_id = $1 and ${SUBJECT[subject.kind]} = $2 and ended_at is null for update`,
    [tenantId, subject.id],
  );
  return rows[0] && (await toLink(db, rows[0]));
}

/** The link that a mail carries; undefined when the mail carries none. */
export async function findLinkOfMail(db: Database, mailId: string): Promise<StoredLink | undefined> {
  const { rows } = await db.pool.query<LinkRow>(`select ${COLUMNS} from portal_links where mail_id = $1`, [
    mailId,
  ]);
  return rows[0] && (await toLink(db, rows[0]));
}

/** Opens a row with the keys of its tenant. */
export async function toLink({ vault }: Database, row: LinkRow): Promise<StoredLink> {
  const keys = await vault.tenantKeys(row.tenant_id, [row.address]);
  return {
    id: row.id,
    tenantId: row.tenant_id,
    subject: subjectOf(row),
    address: keys.open<string>(sealingContext.portalLink.address(row.tenant_id, row.id), row.address),
    mailId: row.mail_id,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    endedAt: row.ended_at,
    sentAt: row.sent_at,
    reminders: row.reminders,
    openedAt: row.opened_at,
    tries: row.tries,
  };
}

function subjectOf({ transaction_id: transactionId, claim_id: claimId }: LinkRow): LinkSubject {
  if (transactionId !== null) return { kind: 'TRANSACTION', id: transactionId };
  if (claimId !== null) return { kind: 'CLAIM', id: claimId };
  throw new Error('a link leads to a message or to a claim');
}

interface NewPortalLink extends TenantSubject {
  address: string;
  now: Date;
}

/**
 * Stores a link in the place of the one that showed the record before. Load the tenant's keys and lock the record first.
 * Returns its id.
 */
export async function insertLink({ vault }: Database, tx: Queryable, link: NewPortalLink): Promise<string> {
  const { tenantId, subject, address, now } = link;
  const column = SUBJECT[subject.kind];
  const id = newId(now);
  const keys = await vault.tenantKeys(tenantId);
  await tx.query(
    `update portal_links set ended_at = $3 where tenant_id = $1 and ${column} = $2 and ended_at is null`,
    [tenantId, subject.id, now],
  );
  await tx.query(
    `insert into portal_links (id, tenant_id, ${column}, address, created_at, expires_at)
     values ($1, $2, $3, $4, $5::timestamptz, $5::timestamptz + make_interval(days => $6))`,
    [
      id,
      tenantId,
      subject.id,
      keys.seal(sealingContext.portalLink.address(tenantId, id), address),
      now,
      LINK_DAYS,
    ],
  );
  return id;
}

/** Stores which mail carries a link, and since when the link counts. */
export async function setMail(
  tx: Queryable,
  { linkId, mailId, now }: { linkId: string; mailId: string; now: Date },
): Promise<void> {
  await tx.query(
    `update portal_links set mail_id = $2, expires_at = $3::timestamptz + make_interval(days => $4) where id = $1`,
    [linkId, mailId, now, LINK_DAYS],
  );
}

/** Stores that the mail server took the mail. */
export async function setSent(tx: Queryable, linkId: string, now: Date): Promise<void> {
  await tx.query('update portal_links set sent_at = $2 where id = $1', [linkId, now]);
}

/** Ends a link. */
export async function endLink(tx: Queryable, linkId: string, now: Date): Promise<void> {
  await tx.query('update portal_links set ended_at = $2 where id = $1 and ended_at is null', [linkId, now]);
}

/** Ends the links to messages that a mailbox was sent: they are routed anew. Lock the records first. */
export async function endMailedLinks(
  tx: Queryable,
  messages: readonly { tenantId: string; id: string }[],
  now: Date,
): Promise<void> {
  for (const { tenantId, id } of messages)
    await tx.query(
      `update portal_links set ended_at = $3
       where tenant_id = $1 and transaction_id = $2 and ended_at is null and mail_id is not null`,
      [tenantId, id, now],
    );
}

/** When a message was last opened by any of its links; null if nobody has, and once the answer was reminded of. */
export async function lastOpening(
  tx: Queryable,
  { tenantId, id }: { tenantId: string; id: string },
): Promise<Date | null> {
  const { rows } = await tx.query<{ opened_at: Date | null }>(
    `select max(last_opened_at) as opened_at from portal_links where tenant_id = $1 and transaction_id = $2
     having count(answer_reminded_at) = 0`,
    [tenantId, id],
  );
  return rows[0]?.opened_at ?? null;
}

/** Stores that whoever has opened a message was reminded of the answer. */
export async function keepAnswerReminder(
  tx: Queryable,
  { tenantId, id }: { tenantId: string; id: string },
  now: Date,
): Promise<void> {
  await tx.query(
    `update portal_links set answer_reminded_at = $3 where tenant_id = $1 and transaction_id = $2 and ended_at is null`,
    [tenantId, id, now],
  );
}

/** Stores how many reminders of a record were sent, with the link that the last one carries. */
export async function setReminders(tx: Queryable, linkId: string, reminders: number): Promise<void> {
  await tx.query('update portal_links set reminders = $2 where id = $1', [linkId, reminders]);
}

/** Whether the mail with the present link to a record was refused, so that nobody has that link. */
export async function isMailRefused(
  db: Queryable,
  { tenantId, subject }: { tenantId: string; subject: LinkSubject },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from portal_links l join mails m on m.id = l.mail_id
     where l.tenant_id = $1 and l.${SUBJECT[subject.kind]} = $2 and l.ended_at is null and m.status = 'FAILED'`,
    [tenantId, subject.id],
  );
  return rowCount === 1;
}
