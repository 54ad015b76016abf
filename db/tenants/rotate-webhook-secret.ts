import type { Database } from '../database.ts';
import { hostOf } from '../../domain/webhooks/endpoint-url.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';
import { lockTenant } from './change-tenant.ts';
import type { OpenTenant } from './get-tenant.ts';
import { toTenant, type TenantRow } from './tenant-row.ts';
import {
  newWebhookSecret,
  openWebhookSecret,
  sealPreviousSecret,
  sealWebhookSecret,
} from '../webhooks/webhook-secret.ts';
import type { Queryable } from '../postgres.ts';
import { HOUR_MS } from '../../domain/durations.ts';

interface SecretRotation {
  tenantId: string;
  keys: TenantKeys;
  /** Hours for which the old secret signs beside the new one, at the host of the present URL only; 0 for none. */
  overlapHours: number;
  now: Date;
}

/** Gives the tenant a new webhook secret; an overlap that still runs ends at once. Throws not_found. */
export async function rotateWebhookSecret(
  db: Database,
  tx: Queryable,
  { tenantId, keys, overlapHours, now }: SecretRotation,
): Promise<OpenTenant> {
  const row = await lockTenant(tx, tenantId);
  const webhookSecret = newWebhookSecret();
  const host = overlapHours === 0 ? null : hostOf(row.webhook_url);
  await tx.query(
    `update tenants set webhook_secret = $2, webhook_secret_previous = $3, webhook_secret_previous_until = $4,
       webhook_secret_previous_host = $5, updated_at = $6
     where id = $1`,
    [
      tenantId,
      sealWebhookSecret(keys, tenantId, webhookSecret),
      host === null ? null : await sealPresentAsPrevious(db, keys, row),
      host === null ? null : new Date(now.getTime() + overlapHours * HOUR_MS),
      host,
      now,
    ],
  );
  return { tenant: { ...toTenant(row), updatedAt: now }, webhookSecret };
}

async function sealPresentAsPrevious(db: Database, keys: TenantKeys, row: TenantRow): Promise<Buffer> {
  return sealPreviousSecret(keys, row.id, await openWebhookSecret(db, row));
}
