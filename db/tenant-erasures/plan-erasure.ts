import { plannedDay, refuseKept, type TenantErasure } from '../../domain/tenant-erasures/tenant-erasure.ts';
import { lockTenant } from '../tenants/change-tenant.ts';
import type { Database } from '../database.ts';
import { OPERATORS } from '../idempotency/operator-scope.ts';
import { newId } from '../new-id.ts';
import type { Queryable } from '../postgres.ts';
import { sealingContext } from '../vault/contexts.ts';
import { countKept } from './count-kept.ts';
import { getErasure, refuseSecondErasure } from './find-erasure.ts';

interface ErasurePlan {
  tenantId: string;
  reason: string;
  overrides: boolean;
  operator: string;
  now: Date;
}

/**
 * Plans the erasure of a tenant 30 days ahead; nothing else happens before it is approved. Throws not_found, also for a tenant
 * that was erased, and conflict where one is planned or records have to be kept. Load the keys of the operators first.
 */
export async function planErasure(
  db: Database,
  tx: Queryable,
  { tenantId, reason, overrides, operator, now }: ErasurePlan,
): Promise<TenantErasure> {
  await lockTenant(tx, tenantId);
  await refuseSecondErasure(tx, tenantId);
  const day = plannedDay(now);
  const kept = await countKept(tx, { tenantId, day });
  refuseKept(kept, overrides);
  const id = newId(now);
  const keys = await db.vault.tenantKeys(OPERATORS);
  const sealed = keys.seal(sealingContext.tenantErasure.reason(id), reason);
  await tx.query(
    `insert into tenant_erasures (id, tenant_id, state, reason, overrides, planned_for, planned_by, planned_at, under_retention,
       legal_holds)
     values ($1, $2, 'PLANNED', $3, $4, $5, $6, $7, $8, $9)`,
    [id, tenantId, sealed, overrides, day, operator, now, kept.underRetention, kept.legalHolds],
  );
  return await getErasure(db, tenantId, tx);
}
