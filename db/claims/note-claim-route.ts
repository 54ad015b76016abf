import type { Queryable } from '../postgres.ts';

interface FoundRoute {
  tenantId: string;
  id: string;
  /** When a route was found; null while there is none. */
  foundAt: Date | null;
}

/** Stores whether a claim that has reached nobody would reach somebody now. Nothing else of it changes: it stays FAILED. */
export async function noteClaimRoute(db: Queryable, { tenantId, id, foundAt }: FoundRoute): Promise<void> {
  await db.query(
    `update claims set route_found_at = $3 where tenant_id = $1 and id = $2 and status = 'FAILED'`,
    [tenantId, id, foundAt],
  );
}
