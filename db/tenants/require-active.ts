import { tenantSuspended } from '../../domain/tenants/suspended.ts';
import type { Queryable } from '../postgres.ts';

/** Throws tenant_suspended while the tenant is suspended. */
export async function requireActive(db: Queryable, tenantId: string): Promise<void> {
  if (await isSuspended(db, tenantId)) throw tenantSuspended();
}

export async function isSuspended(db: Queryable, tenantId: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'is-tenant-suspended',
    text: 'select 1 from tenants where id = $1 and suspended_at is not null',
    values: [tenantId],
  });
  return rowCount === 1;
}
