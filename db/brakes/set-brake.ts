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
  const { id, tenantId, kind, counterpartyEntityId, reason, setBy, setAt } = brake;
  await lockRoutes(tx, [tenantRoute(tenantId)]);
  await keepEntity(tx, counterpartyEntityId);
  const on = await findBrakeOn(tx, brake);
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
  return brake;
}

/**
 * Keeps the entity from being deleted before the brake is on. A duplicate stays as it was named: its brake holds for its master as
 * long as they are merged, and for itself afterwards.
 */
async function keepEntity(tx: Queryable, entityId: string | null): Promise<void> {
  if (entityId === null) return;
  const { rowCount } = await tx.query('select 1 from entities where id = $1 for key share', [entityId]);
  if (rowCount === 0)
    throw invalidField('/counterpartyEntityId', 'unknown_entity', 'There is no such entity.');
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
