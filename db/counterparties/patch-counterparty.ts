import type { PatchCounterpartyBody } from '../../domain/entities/counterparty.ts';
import { notFound } from '../../domain/errors.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { Database } from '../database.ts';

interface CounterpartyPatch {
  tenantId: string;
  entityId: string;
  patch: PatchCounterpartyBody;
  now: Date;
}

/**
 * Updates a tenant's policy and notes on an entity, or on its master when it is a duplicate: absent fields stay, null
 * clears. A new policy also replaces those of the duplicates. Throws not_found.
 */
export async function patchCounterparty(db: Database, change: CounterpartyPatch): Promise<void> {
  const { tenantId, entityId, patch, now } = change;
  const masterId = await masterOf(db, entityId);
  const note =
    typeof patch.note === 'string'
      ? (await db.vault.tenantKeys(tenantId)).seal(
          sealingContext.counterparty.note(tenantId, masterId),
          patch.note,
        )
      : null;
  const { rowCount } = await db.pool.query(
    `with relaxed as (
       update counterparties set policy = $3, updated_at = $11 where $4 and tenant_id = $1
         and entity_id in (select id from entities where master_entity_id = $2)
     )
     insert into counterparties as c (tenant_id, entity_id, policy, due_diligence_at, next_review_at, note, claim_deadline_days,
       created_at, updated_at)
     select $1, id, $3, $5, $7, $9, $12, $11, $11 from entities where id = $2 for key share
     on conflict (tenant_id, entity_id) do update set
       policy = case when $4 then excluded.policy else c.policy end,
       due_diligence_at = case when $6 then excluded.due_diligence_at else c.due_diligence_at end,
       next_review_at = case when $8 then excluded.next_review_at else c.next_review_at end,
       note = case when $10 then excluded.note else c.note end,
       claim_deadline_days = case when $13 then excluded.claim_deadline_days else c.claim_deadline_days end,
       updated_at = excluded.updated_at`,
    [
      tenantId,
      masterId,
      patch.policy ?? 'ALLOW',
      patch.policy !== undefined,
      patch.dueDiligenceAt ?? null,
      patch.dueDiligenceAt !== undefined,
      patch.nextReviewAt ?? null,
      patch.nextReviewAt !== undefined,
      note,
      patch.note !== undefined,
      now,
      patch.claimDeadlineDays ?? null,
      patch.claimDeadlineDays !== undefined,
    ],
  );
  // It was deleted meanwhile.
  if (rowCount === 0) throw notFound('entity');
}

/** The entity itself, or the master of a duplicate. Throws not_found. */
export async function masterOf({ pool }: Database, entityId: string): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    'select coalesce(master_entity_id, id) as id from entities where id = $1',
    [entityId],
  );
  if (!rows[0]) throw notFound('entity');
  return rows[0].id;
}
