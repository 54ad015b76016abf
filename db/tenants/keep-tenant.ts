import { notFound } from '../../domain/errors.ts';
import type { Queryable } from '../postgres.ts';

/** Keeps the erasure of a tenant from beginning until the end of the transaction. Throws not_found once it has begun. */
export async function keepTenant(tx: Queryable, tenantId: string): Promise<void> {
  const { rowCount } = await tx.query('select 1 from tenants where id = $1 and erased_at is null for share', [
    tenantId,
  ]);
  if (rowCount === 0) throw notFound('tenant');
}
