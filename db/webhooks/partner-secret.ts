import type { Database } from '../database.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';
import { newWebhookSecret } from './webhook-secret.ts';

/** Makes a webhook secret of a partner, sealed by the partner's own keys. */
export function newPartnerSecret(keys: TenantKeys, partnerId: string): { secret: string; sealed: Buffer } {
  const secret = newWebhookSecret();
  return { secret, sealed: keys.seal(sealingContext.partner.webhookSecret(partnerId), secret) };
}

/** Opens `partners.webhook_secret` of a row. Throws SealedValueError, NoTenantKeys. */
export async function openPartnerSecret(
  db: Database,
  { id, webhook_secret: sealed }: { id: string; webhook_secret: Buffer },
): Promise<string> {
  const keys = await db.vault.tenantKeys(id, [sealed]);
  return keys.open<string>(sealingContext.partner.webhookSecret(id), sealed);
}
