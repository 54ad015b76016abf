import type { Queryable } from '../postgres.ts';

/**
 * The user who made an API key, directly or by keys that made it; null if the operator did, or a version of the service that did
 * not store it.
 */
export async function findMakerOfKey(
  db: Queryable,
  { tenantId, keyId }: { tenantId: string; keyId: string },
): Promise<string | null> {
  const { rows } = await db.query<{ user_id: string }>(
    `with recursive made as (
       select created_by_kind, created_by from api_keys where tenant_id = $1 and id = $2
       union
       select k.created_by_kind, k.created_by from made m
         join api_keys k on m.created_by_kind = 'API_KEY' and k.tenant_id = $1 and k.id = m.created_by
     )
     select created_by as user_id from made where created_by_kind = 'USER'`,
    [tenantId, keyId],
  );
  return rows[0]?.user_id ?? null;
}
