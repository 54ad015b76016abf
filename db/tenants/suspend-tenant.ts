import type { TenantRecord } from '../../domain/tenants/tenant.ts';
import { foldedNames } from '../entities/wake-named.ts';
import type { OutboxEntry } from '../outbox.ts';
import type { Queryable } from '../postgres.ts';
import { wakeUnreachable } from '../transactions/wake-unreachable.ts';
import { queueWaiting } from '../webhooks/queue-waiting.ts';
import { lockTenant } from './change-tenant.ts';
import { toTenant } from './tenant-row.ts';

/** Suspends a tenant; one that is suspended already keeps its time. Throws not_found. */
export async function suspendTenant(tx: Queryable, tenantId: string, now: Date): Promise<TenantRecord> {
  const tenant = toTenant(await lockTenant(tx, tenantId));
  return tenant.suspendedAt
    ? tenant
    : await storeSuspension(tx, tenant, { suspendedAt: now, updatedAt: now });
}

interface ResumedTenant {
  tenant: TenantRecord;
  outbox: OutboxEntry[];
}

/**
 * Ends the suspension of a tenant: its webhooks that waited are sent, and messages that could not reach it are delivered.
 * Nothing happens to a tenant that is not suspended. Throws not_found.
 */
export async function resumeTenant(tx: Queryable, tenantId: string, now: Date): Promise<ResumedTenant> {
  const suspended = toTenant(await lockTenant(tx, tenantId));
  if (suspended.suspendedAt === null) return { tenant: suspended, outbox: [] };
  const tenant = await storeSuspension(tx, suspended, { suspendedAt: null, updatedAt: now });
  await queueWaiting(tx, tenantId, now);
  const vaspsFolded = await foldedNames(tx, [tenant.entityId]);
  return { tenant, outbox: await wakeUnreachable(tx, { tenantId, vaspsFolded }, now) };
}

async function storeSuspension(
  tx: Queryable,
  tenant: TenantRecord,
  change: Pick<TenantRecord, 'suspendedAt' | 'updatedAt'>,
): Promise<TenantRecord> {
  await tx.query('update tenants set suspended_at = $2, updated_at = $3 where id = $1', [
    tenant.id,
    change.suspendedAt,
    change.updatedAt,
  ]);
  return { ...tenant, ...change };
}
