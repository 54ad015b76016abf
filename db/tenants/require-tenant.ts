import { notFound } from '../../domain/errors.ts';
import type { Queryable } from '../postgres.ts';

/** Throws not_found when there is no such tenant, or it was erased. */
export async function requireTenant(db: Queryable, tenantId: string): Promise<void> {
  const { rows } = await db.query(
    'select 1 from tenants where id = $1 and gateway is null and erased_at is null',
    [tenantId],
  );
  if (rows.length === 0) throw notFound('tenant');
}
