import { randomBytes } from 'node:crypto';
import type { TenantKeys } from '../vault/tenant-keys.ts';

const BYTES = 32;

/** `whsec_` and 256 random bits in base64; the whole text is the HMAC key of the tenant's webhooks. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(BYTES).toString('base64')}`;
}

export function sealWebhookSecret(keys: TenantKeys, tenantId: string, secret: string): Buffer {
  return keys.seal(contextOf(tenantId), secret);
}

/** Opens `tenants.webhook_secret`; `keys` are that tenant's. Throws SealedValueError. */
export function openWebhookSecret(keys: TenantKeys, tenantId: string, sealed: Buffer): string {
  return keys.open<string>(contextOf(tenantId), sealed);
}

function contextOf(tenantId: string): string {
  return `tenants:webhook_secret:${tenantId}`;
}
