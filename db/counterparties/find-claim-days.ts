import { masterOf } from '../routes/same-entity.ts';
import type { Queryable } from '../postgres.ts';

/** The working days that the tenant gives an entity, or its master, to answer a claim; null for those of its settings. */
export async function findClaimDays(
  db: Queryable,
  tenantId: string,
  entityId: string | null,
): Promise<number | null> {
  if (entityId === null) return null;
  const { rows } = await db.query<{ days: number | null }>({
    name: 'find-claim-days',
    text: `select claim_deadline_days as days from counterparties where tenant_id = $1 and entity_id = ${masterOf('$2::uuid')}`,
    values: [tenantId, entityId],
  });
  return rows[0]?.days ?? null;
}
