import { claimMail, claimReminderMail } from '../../domain/mails/portal-claim-mails.ts';
import { claimMailAnswerBy, isClaimToBeMailed, remindByMail } from '../../domain/claims/mail-claim.ts';
import type { ClaimRecord } from '../../domain/claims/record.ts';
import { writeDecided, type ChangedClaim } from '../claims/change-claim.ts';
import { lockClaim, type LockedClaim } from '../claims/find-claim.ts';
import { putOffClaim } from '../claims/put-off-claim.ts';
import type { Database } from '../database.ts';
import { inTransaction, type Queryable } from '../postgres.ts';
import type { StoredLink } from '../portal/portal-links.ts';
import { getTenantSettings } from '../tenants/get-tenant-settings.ts';
import { linkMailInput, linkTo, queueLinkMail, queueReminder, type LinkMailInput } from './link-mails.ts';

interface ClaimOffer {
  tenantId: string;
  id: string;
  /** The mailbox. */
  address: string;
  /** The address of the portal, to which tokens are added. */
  portalUrl: string;
  now: Date;
}

/**
 * Queues the mail with the link to a claim, or the reminder that is due. However often it is called, each mail is queued once.
 * Null when the claim does not wait for it any more.
 */
export async function offerClaimByMail(db: Database, offer: ClaimOffer): Promise<ChangedClaim | null> {
  const { tenantId, id, now } = offer;
  await db.vault.tenantKeys(tenantId);
  return await inTransaction(db.pool, async (tx) => {
    const locked = await lockClaim(db, tx, tenantId, id);
    const { record } = locked.own;
    if (!isClaimToBeMailed(record, now)) return null;
    const subject = { kind: 'CLAIM', id } as const;
    const link = await linkTo(db, tx, { tenantId, subject, address: offer.address, now });
    if (link.mailId === null) return await queueLink(db, tx, { locked, link, offer });
    if (link.sentAt === null) return await waitUntil(tx, record, claimMailAnswerBy(record, now));
    if (record.remindAt === null || record.remindAt > now)
      return await waitUntil(tx, record, record.remindAt ?? record.deadlineAt);
    return await remind(db, tx, { locked, link, offer });
  });
}

async function waitUntil(tx: Queryable, record: ClaimRecord, wakeAt: Date): Promise<ChangedClaim> {
  return { record: await putOffClaim(tx, record, wakeAt), outbox: [] };
}

interface LinkedClaim {
  locked: LockedClaim;
  link: StoredLink;
  offer: ClaimOffer;
}

async function queueLink(db: Database, tx: Queryable, linked: LinkedClaim): Promise<ChangedClaim> {
  const { locked, link, offer } = linked;
  const { record } = locked.own;
  const { now } = offer;
  const outbox = await queueLinkMail(db, tx, { link, content: claimMail(await mailInput(tx, linked)), now });
  const { record: waiting } = await waitUntil(tx, record, claimMailAnswerBy(record, now));
  return { record: waiting, outbox };
}

async function remind(db: Database, tx: Queryable, linked: LinkedClaim): Promise<ChangedClaim> {
  const { locked, link, offer } = linked;
  const { portalUrl, now } = offer;
  const { record, key } = locked.own;
  const { deadlineAt } = record;
  const { timeZone } = await getTenantSettings(tx, record.tenantId);
  const contentOf = (input: LinkMailInput) => claimReminderMail({ ...input, deadlineAt, timeZone });
  const { outbox, ...sent } = await queueReminder(db, tx, { link, key, portalUrl, contentOf, now });
  const decided = remindByMail(record, { ...sent, now });
  const changed = await writeDecided(db, tx, { locked, decided }, now);
  return { record: changed.record, outbox: [...changed.outbox, ...outbox] };
}

async function mailInput(tx: Queryable, { locked: { own }, link, offer }: LinkedClaim) {
  const input = await linkMailInput(tx, { link, key: own.key, portalUrl: offer.portalUrl });
  const { timeZone } = await getTenantSettings(tx, own.record.tenantId);
  return { ...input, deadlineAt: own.record.deadlineAt, timeZone };
}
