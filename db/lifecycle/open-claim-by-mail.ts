import { mailboxTrust } from '../../domain/entities/mailbox.ts';
import { markClaimOpened } from '../../domain/claims/mail-claim.ts';
import type { ClaimRecord } from '../../domain/claims/record.ts';
import { DomainError } from '../../domain/errors.ts';
import { changeClaimIn } from '../claims/change-claim.ts';
import { findClaimOfWorkflow } from '../claims/find-claim.ts';
import type { Database } from '../database.ts';
import { findGateway } from '../gateways/find-gateway.ts';
import type { OutboxEntry } from '../outbox.ts';
import { inTransaction, type Queryable } from '../postgres.ts';
import { startSession } from '../portal/portal-codes.ts';
import type { StoredLink } from '../portal/portal-links.ts';
import { deliverClaimIn, type AskedOutside } from './deliver-claim.ts';
import { mailDomainsOf } from './reach-by-mail.ts';
import { requireCurrentLink } from './require-current-link.ts';

interface OpenedClaim {
  session: string;
  expiresAt: Date;
  outbox: OutboxEntry[];
}

interface RightCode {
  link: StoredLink;
  /** The asking side's record. */
  record: ClaimRecord;
  code: string;
  now: Date;
}

/**
 * Opens a claim after a right code: the first time it is delivered to the gateway of e-mail; each time is an event. Throws
 * conflict for a claim that has ended before anybody opened it.
 */
export async function openClaimByMail(
  db: Database,
  { link, record: { tenantId, id, originatorVaspEntityId }, code, now }: RightCode,
): Promise<OpenedClaim> {
  const askedTenantId = await findGateway(db.pool, 'EMAIL');
  await Promise.all([tenantId, askedTenantId].map(async (owner) => await db.vault.tenantKeys(owner)));
  return await inTransaction(db.pool, async (tx) => {
    const outside = await outsideOf(tx, link, originatorVaspEntityId);
    const delivered = await deliverClaimIn(db, tx, { tenantId, id, askedTenantId, outside, now });
    const opened = await changeClaimIn(db, tx, {
      tenantId,
      id,
      now,
      decide: (own) => {
        requireOpened(own);
        return markClaimOpened(own, { linkId: link.id, now });
      },
    });
    await requireCurrentLink(db, tx, link);
    const started = await startSession(db, tx, { linkId: link.id, code }, now);
    return { ...started, outbox: [...(delivered?.outbox ?? []), ...opened.outbox] };
  });
}

/** The id of the gateway's record. Throws conflict for a claim that has ended before it was opened, or has gone another way. */
function requireOpened({ counterpartId, messageSource }: ClaimRecord): string {
  if (counterpartId !== null && messageSource === 'EMAIL') return counterpartId;
  throw new DomainError(
    'conflict',
    'This question has ended before it was opened, or was answered in another way.',
  );
}

/** The gateway's record of a claim that was opened by a link. Throws conflict for one that was not. */
export async function mailedClaimOf(db: Database, record: ClaimRecord): Promise<ClaimRecord> {
  const mailed = await findClaimOfWorkflow(db, requireOpened(record));
  if (!mailed) throw new Error('the record of the other side of a claim is missing');
  return mailed;
}

/**
 * What whoever reads the mailbox may learn, and for whom they speak: for the institution only from a mailbox that the directory
 * knows to be its own, since a claim names the mailbox that its tenant likes.
 */
async function outsideOf(
  tx: Queryable,
  { address }: StoredLink,
  entityId: string | null,
): Promise<AskedOutside> {
  const domains = await mailDomainsOf(tx, entityId);
  const isVouched = domains.length > 0 && mailboxTrust(address, domains) === 'FITS';
  return { entityId, skipped: [], isVouched };
}
