import { DIRECTIONS } from '../../domain/direction.ts';
import type { Queryable } from '../postgres.ts';
import { newId } from '../new-id.ts';

/** Inserts the two rule configurations that every tenant has from its creation, with empty drafts. */
export async function insertConfigurations(tx: Queryable, tenantId: string, now: Date): Promise<void> {
  await tx.query(
    `insert into rule_configurations (id, tenant_id, direction, draft_updated_at, created_at)
     select r.id, $1, r.direction, $4, $4 from unnest($2::uuid[], $3::text[]) r (id, direction)`,
    [tenantId, DIRECTIONS.map(() => newId(now)), [...DIRECTIONS], now],
  );
}
