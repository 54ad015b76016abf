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
  const id = newId(now);
  const body: TestWebhook = {
    id,
    type: 'test',
    createdAt: now.toISOString(),
    message: 'This is a test: webhooks of this service arrive here.',
  };
  await tx.query(
    `insert into webhook_deliveries
       (id, tenant_id, kind, resource_kind, resource_id, resource_version, body, status, wake_at, created_at)
     values ($1, $2, 'test', 'TENANT', $2, 1, $3, 'PENDING', $4, $4)`,
    [id, tenantId, keys.seal(sealingContext.transaction.webhook({ tenantId, id: tenantId }, id), body), now],
  );
  const delivery = await getDelivery(tx, tenantId, id);
  return { delivery, outbox: await insertOutboxEntries(tx, [webhookEntry(delivery)], now) };
}
