import type { DeliveryRecord, TestWebhook } from '../../domain/webhooks/schema.ts';
import type { Queryable } from '../postgres.ts';
import { newId } from '../new-id.ts';
import { type OutboxEntry, insertOutboxEntries } from '../outbox.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';
import { getDelivery } from './get-delivery.ts';
import { requireEndpoint } from './require-endpoint.ts';
import { sealingContext } from '../vault/contexts.ts';
import { webhookEntry } from './webhook-entry.ts';

/** Stores a test webhook. Throws conflict when the tenant has no active webhook URL. */
export async function insertTestDelivery(
  tx: Queryable,
  keys: TenantKeys,
  tenantId: string,
  now: Date,
): Promise<{ delivery: DeliveryRecord; outbox: OutboxEntry[] }> {
  await requireEndpoint(tx, tenantId);
  return await insert(tx, keys, {
    tenantId,
    message: 'This is a test: webhooks of this service arrive here.',
    now,
  });
}

/** Stores a webhook that is signed with a wrong secret; none for a tenant without an active webhook URL. */
export async function insertForgedDelivery(
  tx: Queryable,
  keys: TenantKeys,
  tenantId: string,
  now: Date,
): Promise<OutboxEntry[]> {
  const { rows } = await tx.query(
    `select 1 from tenants where id = $1 and webhook_url is not null and webhook_status = 'ACTIVE'`,
    [tenantId],
  );
  if (rows.length === 0) return [];
  const message = 'The signature of this webhook is wrong on purpose: refuse it.';
  return (await insert(tx, keys, { tenantId, message, isForged: true, now })).outbox;
}

interface TestDelivery {
  tenantId: string;
  message: string;
  isForged?: boolean;
  now: Date;
}

async function insert(
  tx: Queryable,
  keys: TenantKeys,
  { tenantId, message, isForged = false, now }: TestDelivery,
): Promise<{ delivery: DeliveryRecord; outbox: OutboxEntry[] }> {
  const id = newId(now);
  const body: TestWebhook = { id, type: 'test', createdAt: now.toISOString(), message };
  const sealed = keys.seal(sealingContext.transaction.webhook({ tenantId, id: tenantId }, id), body);
  await tx.query(
    `insert into webhook_deliveries
       (id, tenant_id, kind, resource_kind, resource_id, resource_version, body, status, wake_at, created_at, is_forged)
     values ($1, $2, 'test', 'TENANT', $2, 1, $3, 'PENDING', $4, $4, $5)`,
    [id, tenantId, sealed, now, isForged],
  );
  const delivery = await getDelivery(tx, tenantId, id);
  return { delivery, outbox: await insertOutboxEntries(tx, [webhookEntry(delivery)], now) };
}
