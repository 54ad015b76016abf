import { markClaimMailed, markClaimMailRefused } from '../../domain/claims/mail-claim.ts';
import type { ClaimPairChange } from '../../domain/claims/change.ts';
import type { ClaimRecord } from '../../domain/claims/record.ts';
import { writeDecided } from '../claims/change-claim.ts';
import { lockClaim } from '../claims/find-claim.ts';
import type { Database } from '../database.ts';
import { endMail, type MailEnd } from '../mails/pending-mail.ts';
import type { OutboxEntry } from '../outbox.ts';
import { inTransaction, type Queryable } from '../postgres.ts';
import { endLink, lockCurrentLink, setSent, type StoredLink } from '../portal/portal-links.ts';
import { resolveClaimRoute } from './resolve-claim-route.ts';

export interface EndedLinkMail {
  mailId: string;
  end: MailEnd;
  now: Date;
}

/** Ends the mail with the link to a claim: the claim waits for it to be opened, or goes the next route, or has failed. */
export async function settleClaimMail(
  db: Database,
  known: StoredLink,
  { mailId, end, now }: EndedLinkMail,
): Promise<OutboxEntry[]> {
  const { tenantId, subject } = known;
  return await inTransaction(db.pool, async (tx) => {
    const locked = await lockClaim(db, tx, tenantId, subject.id);
    const isFirst = await endMail(tx, mailId, end);
    const { record } = locked.own;
    if (!isFirst || record.status !== 'PENDING') return [];
    const link = await lockCurrentLink(db, tx, { tenantId, subject });
    if (link?.mailId !== mailId) return [];
    await (end.status === 'FAILED' ? endLink(tx, link.id, now) : setSent(tx, link.id, now));
    const decided = await changeAfter(tx, { record, link, end, now });
    return (await writeDecided(db, tx, { locked, decided }, now)).outbox;
  });
}

interface ClaimMailOutcome {
  record: ClaimRecord;
  link: StoredLink;
  end: MailEnd;
  now: Date;
}

async function changeAfter(
  tx: Queryable,
  { record, link, end, now }: ClaimMailOutcome,
): Promise<ClaimPairChange> {
  const { address, id: linkId } = link;
  if (end.status === 'FAILED') {
    const { refusedMailboxes = [] } = record.personal;
    const refused = { ...record.personal, refusedMailboxes: [...refusedMailboxes, address] };
    const { counterparty } = await resolveClaimRoute(tx, { ...record, personal: refused });
    const hasNext = counterparty !== null;
    return markClaimMailRefused(record, { address, error: end.error ?? 'UNKNOWN', hasNext, now });
  }
  const { counterparty, entityId: named, skipped } = await resolveClaimRoute(tx, record);
  const entityId = counterparty?.network === 'EMAIL' ? counterparty.entityId : named;
  return markClaimMailed(record, { entityId, skipped, linkId, now });
}
