import { markClaimLinkRenewed } from '../../domain/claims/mail-claim.ts';
import { claimMail } from '../../domain/mails/portal-claim-mails.ts';
import { writeDecided } from '../claims/change-claim.ts';
import { lockClaim } from '../claims/find-claim.ts';
import type { Database } from '../database.ts';
import type { OutboxEntry } from '../outbox.ts';
import { inTransaction } from '../postgres.ts';
import { getTenantSettings } from '../tenants/get-tenant-settings.ts';
import { queueNewLink } from './link-mails.ts';
import type { RenewedLink } from './renew-link.ts';

/** Like `renewLink`, for a claim. */
export async function renewClaimLink(
  db: Database,
  { tenantId, id, address, portalUrl, now }: RenewedLink,
): Promise<OutboxEntry[]> {
  await db.vault.tenantKeys(tenantId);
  return await inTransaction(db.pool, async (tx) => {
    const locked = await lockClaim(db, tx, tenantId, id);
    const { record, key } = locked.own;
    const { deadlineAt } = record;
    const { timeZone } = await getTenantSettings(tx, tenantId);
    const queued = await queueNewLink(db, tx, {
      tenantId,
      subject: { kind: 'CLAIM', id },
      address,
      key,
      portalUrl,
      contentOf: (input) => claimMail({ ...input, deadlineAt, timeZone }),
      now,
    });
    const decided = markClaimLinkRenewed(record, now);
    const { outbox } = await writeDecided(db, tx, { locked, decided }, now);
    return [...outbox, ...queued];
  });
}
