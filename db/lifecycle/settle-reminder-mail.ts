import type pg from 'pg';
import { markClaimNewLinkRefused } from '../../domain/claims/mail-claim.ts';
import { markNewLinkRefused } from '../../domain/transactions/lifecycle/mail-outcomes.ts';
import { writeDecided } from '../claims/change-claim.ts';
import { lockClaim } from '../claims/find-claim.ts';
import type { Database } from '../database.ts';
import { endMail } from '../mails/pending-mail.ts';
import type { OutboxEntry } from '../outbox.ts';
import { inTransaction } from '../postgres.ts';
import { findLinkOfMail, type StoredLink } from '../portal/portal-links.ts';
import { changeInTransaction, lockPairOf, untilPaired } from '../transactions/change-transaction.ts';
import { lockTransaction } from '../transactions/find-transaction.ts';
import type { EndedLinkMail } from './settle-claim-mail.ts';

/**
 * Ends a mail that reminds of a link or brings a new one. A new link that the mail server refuses for good is an event of its
 * message or claim, which waits on: the link before has ended, so nobody can open it. A second call changes nothing.
 */
export async function settleReminderMail(db: Database, ended: EndedLinkMail): Promise<OutboxEntry[]> {
  const { mailId, end } = ended;
  const link = end.status === 'FAILED' ? await findLinkOfMail(db, mailId) : undefined;
  if (link?.subject.kind === 'CLAIM') return await noteOnClaim(db, link, ended);
  if (link) return await untilPaired(db, async (tx) => await noteOnMessage(db, tx, { link, ended }));
  await endMail(db.pool, mailId, end);
  return [];
}

async function noteOnClaim(
  db: Database,
  { id: linkId, tenantId, subject }: StoredLink,
  { mailId, end, now }: EndedLinkMail,
): Promise<OutboxEntry[]> {
  return await inTransaction(db.pool, async (tx) => {
    const locked = await lockClaim(db, tx, tenantId, subject.id);
    if (!(await endMail(tx, mailId, end))) return [];
    const refused = { linkId, error: end.error ?? 'UNKNOWN', now };
    const decided = markClaimNewLinkRefused(locked.own.record, refused);
    return (await writeDecided(db, tx, { locked, decided }, now)).outbox;
  });
}

async function noteOnMessage(
  db: Database,
  tx: pg.PoolClient,
  { link, ended }: { link: StoredLink; ended: EndedLinkMail },
): Promise<OutboxEntry[] | undefined> {
  const { id: linkId, tenantId, subject } = link;
  const { mailId, end, now } = ended;
  const { id } = subject;
  await lockPairOf(tx, tenantId, id);
  const open = await lockTransaction(db, tx, tenantId, id);
  const isFirst = await endMail(tx, mailId, end);
  if (!isFirst || !open || open.record.deletedAt) return [];
  const refused = { linkId, error: end.error ?? 'UNKNOWN', now };
  const changed = await changeInTransaction(db, tx, {
    tenantId,
    id,
    now,
    decide: (own) => markNewLinkRefused(own, refused),
  });
  return changed?.outbox;
}
