import type { BrakeRecord } from '../../domain/brakes/brake.ts';
import { DomainError, invalidField } from '../../domain/errors.ts';
import { insertRow } from '../columns.ts';
import { uniqueViolation, type Queryable } from '../postgres.ts';
import { lockRoutes, tenantRoute } from '../routes/route-lock.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';

/**
 * Sets a brake. Deliveries that are under way are waited for: once this is committed no other message of the tenant passes.
 * Throws validation_failed for an unknown counterparty, conflict with the `id` of the brake
 * that is on already.
 */
export async function setBrake(tx: Queryable, brake: BrakeRecord, keys: TenantKeys): Promise<BrakeRecord> {
  const { id, tenantId, kind, reason, setBy, setAt } = brake;
  await lockRoutes(tx, [tenantRoute(tenantId)]);
  const counterpartyEntityId = await masterOf(tx, brake.counterpartyEntityId);
  const stored = { ...brake, counterpartyEntityId };
  const on = await findBrakeOn(tx, stored);
  if (on !== undefined)
    throw new DomainError('conflict', 'This brake is on already.', { members: { id: on } });
  const row = {
    id,
    tenant_id: tenantId,
    kind,
    counterparty_entity_id: counterpartyEntityId,
    reason: keys.seal(sealingContext.brake.reason(tenantId, id), reason),
    set_by_kind: setBy.kind,
    set_by: setBy.id,
    set_at: setAt,
  };
  await tx.query(insertRow('brakes', row)).catch((error: unknown) => {
    if (uniqueViolation(error) !== 'brakes_on') throw error;
    throw new DomainError('conflict', 'This brake is on already.');
  });
  return stored;
}

/** The entity by which messages name the counterparty; it cannot be deleted before the brake is on. */
async function masterOf(tx: Queryable, entityId: string | null): Promise<string | null> {
  if (entityId === null) return null;
  const { rows } = await tx.query<{ id: string }>(
    'select coalesce(master_entity_id, id) as id from entities where id = $1 for key share',
    [entityId],
  );
  if (!rows[0]) throw invalidField('/counterpartyEntityId', 'unknown_entity', 'There is no such entity.');
  return rows[0].id;
}

async function findBrakeOn(
  tx: Queryable,
  { tenantId, kind, counterpartyEntityId }: BrakeRecord,
): Promise<string | undefined> {
  const { rows } = await tx.query<{ id: string }>(
    `select id from brakes where tenant_id = $1 and kind = $2 and counterparty_entity_id is not distinct from $3
       and released_at is null`,
    [tenantId, kind, counterpartyEntityId],
  );
  return rows[0]?.id;
}
