import { randomBytes } from 'node:crypto';
import type { Database } from '../database.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';

const BYTES = 32;

/** `whsec_` and 256 random bits in base64; the whole text is the HMAC key of the tenant's webhooks. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(BYTES).toString('base64')}`;
}

/** Seals a tenant's current webhook secret. */
export function sealWebhookSecret(keys: TenantKeys, tenantId: string, secret: string): Buffer {
  return keys.seal(sealingContext.tenant.webhookSecret(tenantId), secret);
}

/** Opens `tenants.webhook_secret` of a row. Throws SealedValueError, NoTenantKeys. */
export async function openWebhookSecret(
  db: Database,
  { id, webhook_secret: sealed }: { id: string; webhook_secret: Buffer },
): Promise<string> {
  const keys = await db.vault.tenantKeys(id, [sealed]);
  return keys.open<string>(sealingContext.tenant.webhookSecret(id), sealed);
}

/** Seals a secret that was replaced by a rotation; it does not open as the current one. */
export function sealPreviousSecret(keys: TenantKeys, tenantId: string, secret: string): Buffer {
  return keys.seal(sealingContext.tenant.previousWebhookSecret(tenantId), secret);
}

/** Opens `tenants.webhook_secret_previous`. Throws SealedValueError, NoTenantKeys. */
export async function openPreviousSecret(db: Database, tenantId: string, sealed: Buffer): Promise<string> {
  const keys = await db.vault.tenantKeys(tenantId, [sealed]);
  return keys.open<string>(sealingContext.tenant.previousWebhookSecret(tenantId), sealed);
}
