import type { BrakeActor, BrakeKind, BrakeRecord } from '../../domain/brakes/brake.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';

export interface BrakeRow {
  id: string;
  tenant_id: string;
  kind: BrakeKind;
  counterparty_entity_id: string | null;
  reason: Buffer;
  set_by_kind: BrakeActor['kind'];
  set_by: string;
  set_at: Date;
  released_by_kind: BrakeActor['kind'] | null;
  released_by: string | null;
  released_at: Date | null;
  per_second: number | null;
  resumed: number;
  finished_at: Date | null;
}

/** SQL: the columns of `brakes` that a brake is read from. */
export const BRAKE_COLUMNS = `id, tenant_id, kind, counterparty_entity_id, reason, set_by_kind, set_by, set_at, released_by_kind,
  released_by, released_at, per_second, resumed, finished_at`;

export function toBrake(row: BrakeRow, keys: TenantKeys): BrakeRecord {
  const { id, tenant_id: tenantId, released_by_kind: releasedByKind, released_by: releasedBy } = row;
  return {
    id,
    tenantId,
    kind: row.kind,
    counterpartyEntityId: row.counterparty_entity_id,
    reason: keys.open<string>(sealingContext.brake.reason(tenantId, id), row.reason),
    setBy: { kind: row.set_by_kind, id: row.set_by },
    setAt: row.set_at,
    releasedBy: releasedByKind && releasedBy !== null ? { kind: releasedByKind, id: releasedBy } : null,
    releasedAt: row.released_at,
    perSecond: row.per_second,
    resumed: row.resumed,
    finishedAt: row.finished_at,
  };
}
