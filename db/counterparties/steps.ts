import type { AddStepBody, CounterpartyStepRecord, StepKind } from '../../domain/entities/counterparty.ts';
import type { Actor } from '../../domain/events/actor.ts';
import type { Database } from '../database.ts';
import { notFound } from '../../domain/errors.ts';
import { newId } from '../new-id.ts';
import type { Queryable } from '../postgres.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';

interface StepRow {
  id: string;
  master_id: string;
  kind: StepKind;
  taken_at: Date;
  note: Buffer | null;
  user_id: string | null;
  api_key_id: string | null;
  created_at: Date;
}

/** What the tenant did about these entities and their duplicates, oldest first, by the id of the entity. */
export async function findSteps(
  db: Database,
  tenantId: string,
  entityIds: readonly string[],
): Promise<Map<string, CounterpartyStepRecord[]>> {
  const { rows } = await db.pool.query<StepRow>(
    `select s.id, coalesce(m.master_entity_id, m.id) as master_id, s.kind, s.taken_at, s.note, s.user_id, s.api_key_id, s.created_at
     from counterparty_steps s join entities m on m.id = s.entity_id
     where s.tenant_id = $1 and coalesce(m.master_entity_id, m.id) = any($2::uuid[])
     order by s.taken_at, s.id`,
    [tenantId, entityIds],
  );
  const notes = rows.flatMap(({ note }) => (note ? [note] : []));
  const keys = notes.length > 0 ? await db.vault.tenantKeys(tenantId, notes) : null;
  const found = new Map<string, CounterpartyStepRecord[]>();
  for (const row of rows) {
    const steps = found.get(row.master_id) ?? [];
    found.set(row.master_id, [...steps, toStep(tenantId, row, keys)]);
  }
  return found;
}

function toStep(tenantId: string, row: StepRow, keys: TenantKeys | null): CounterpartyStepRecord {
  return {
    id: row.id,
    kind: row.kind,
    takenAt: row.taken_at,
    note:
      keys && row.note
        ? keys.open<string>(sealingContext.counterparty.step(tenantId, row.id), row.note)
        : null,
    userId: row.user_id,
    apiKeyId: row.api_key_id,
    createdAt: row.created_at,
  };
}

interface NewStep {
  tenantId: string;
  /** A master, not a duplicate. */
  entityId: string;
  step: AddStepBody;
  actor: Actor;
  keys: TenantKeys;
  now: Date;
}

/** Stores a step. Steps are never changed. Throws not_found for an entity that was deleted meanwhile. */
export async function insertStep(tx: Queryable, added: NewStep): Promise<CounterpartyStepRecord> {
  const { tenantId, entityId, step, actor, keys, now } = added;
  const record: CounterpartyStepRecord = {
    id: newId(now),
    kind: step.kind,
    takenAt: step.takenAt ?? now,
    note: step.note ?? null,
    userId: actor.kind === 'USER' ? actor.id : null,
    apiKeyId: actor.kind === 'API_KEY' ? actor.id : null,
    createdAt: now,
  };
  const { id, kind, takenAt, note, userId, apiKeyId } = record;
  const sealed = note === null ? null : keys.seal(sealingContext.counterparty.step(tenantId, id), note);
  const { rowCount } = await tx.query(
    `insert into counterparty_steps (id, tenant_id, entity_id, kind, taken_at, note, user_id, api_key_id, created_at)
     select $1, $2, id, $4, $5, $6, $7, $8, $9 from entities where id = $3 for key share`,
    [id, tenantId, entityId, kind, takenAt, sealed, userId, apiKeyId, now],
  );
  if (rowCount === 0) throw notFound('entity');
  return record;
}
