import type { Database } from '../database.ts';
import type { OutboxEntry } from '../outbox.ts';
import type { Queryable } from '../postgres.ts';
import { NoTenantKeys, type TenantKeys } from '../vault/tenant-keys.ts';
import { insertDeliveries, type NewDelivery } from '../webhooks/insert-deliveries.ts';
import { toSeal, type NewSeal } from './seal-row.ts';

/** Stores the webhooks of new seals for the tenants that ask for them. */
export async function announceSeals(
  db: Database,
  tx: Queryable,
  seals: readonly NewSeal[],
): Promise<OutboxEntry[]> {
  const deliveries: NewDelivery[] = [];
  for (const seal of seals.filter(({ isAnnounced }) => isAnnounced)) {
    const key = await keysUnlessErased(db, seal.tenantId);
    if (key) deliveries.push(deliveryOf(db, seal, key));
  }
  return seals[0] ? await insertDeliveries(tx, deliveries, seals[0].createdAt) : [];
}

function deliveryOf({ vault }: Database, { tenantId, day, jws, createdAt }: NewSeal, key: TenantKeys) {
  return {
    kind: 'seal' as const,
    tenantId,
    resourceId: tenantId,
    // The day as a number: a later seal has a greater one.
    resourceVersion: Number(day.replaceAll('-', '')),
    masked: false,
    key,
    body: toSeal({ jws, created_at: createdAt }, vault),
  };
}

async function keysUnlessErased({ vault }: Database, tenantId: string): Promise<TenantKeys | null> {
  try {
    return await vault.tenantKeys(tenantId);
  } catch (error) {
    if (error instanceof NoTenantKeys) return null;
    throw error;
  }
}
