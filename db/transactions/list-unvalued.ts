import type { Queryable } from '../postgres.ts';

interface UnvaluedRecord {
  id: string;
  tenantId: string;
  asset: string;
}

/** SQL over transactions: open records without a fiat value, as the index of migration 0030 has them. */
const UNVALUED = `amount_usd is null and amount_eur is null and amount is not null
  and status in ('PENDING', 'DELIVERED') and deleted_at is null`;

/** Open records of all tenants, up to `limit`, that have an amount of one of these assets and no fiat value. */
export async function listUnvalued(
  db: Queryable,
  assets: readonly string[],
  limit: number,
): Promise<UnvaluedRecord[]> {
  const { rows } = await db.query<{ id: string; tenant_id: string; asset: string }>(
    `select id, tenant_id, asset from transactions where ${UNVALUED} and upper(asset) = any($1::text[]) limit $2`,
    [assets, limit],
  );
  return rows.map(({ tenant_id: tenantId, ...row }) => ({ tenantId, ...row }));
}
