import { notFound } from '../../domain/errors.ts';
import type { PartnerRecord } from '../../domain/partners/partner.ts';
import { needsNewWebhookSecret } from '../../domain/tenants/patch-tenant.ts';
import type { Database } from '../database.ts';
import { inTransaction, type Queryable } from '../postgres.ts';
import { newPartnerSecret, openPartnerSecret } from '../webhooks/partner-secret.ts';
import type { OpenPartner } from './get-partner.ts';
import { PARTNER_COLUMNS, toPartner, type PartnerRow } from './partner-row.ts';

/**
 * Changes a partner: `decide` gets the locked record and returns the changed one, or the same object for no change. A new
 * webhook URL gets a new secret. Throws not_found.
 */
export async function changePartner(
  db: Database,
  id: string,
  decide: (partner: PartnerRecord) => PartnerRecord,
): Promise<OpenPartner> {
  // Loaded before, since loading takes a connection of its own.
  const keys = await db.vault.tenantKeys(id);
  const stored = await inTransaction(db.pool, async (tx) => {
    const row = await lockPartner(tx, id);
    const before = toPartner(row);
    const partner = decide(before);
    if (partner === before) return { row, partner };
    const sealed = needsNewWebhookSecret(before, partner)
      ? newPartnerSecret(keys, id).sealed
      : row.webhook_secret;
    await updatePartner(tx, partner, sealed);
    return { row: { ...row, webhook_secret: sealed }, partner };
  });
  return { partner: stored.partner, webhookSecret: await openPartnerSecret(db, stored.row) };
}

async function lockPartner(tx: Queryable, id: string): Promise<PartnerRow> {
  const { rows } = await tx.query<PartnerRow>(
    `select ${PARTNER_COLUMNS} from partners where id = $1 for no key update`,
    [id],
  );
  if (!rows[0]) throw notFound('partner');
  return rows[0];
}

async function updatePartner(tx: Queryable, partner: PartnerRecord, sealedSecret: Buffer): Promise<void> {
  await tx.query(
    `update partners set legal_name = $2, email = $3, country = $4, webpage = $5, webhook_url = $6, webhook_secret = $7,
       webhook_status = $8, updated_at = $9,
       webhook_set_at = case when (webhook_url, webhook_status) is distinct from ($6, $8) then $9 else webhook_set_at end
     where id = $1`,
    [
      partner.id,
      partner.legalName,
      partner.email,
      partner.country,
      partner.webpage,
      partner.webhookUrl,
      sealedSecret,
      partner.webhookStatus,
      partner.updatedAt,
    ],
  );
}
