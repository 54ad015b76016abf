import type { CallingTenant } from '../../domain/tenants/caller.ts';
import type { RateLimits } from '../../domain/tenants/rate-limits.ts';
import { tenantSuspended } from '../../domain/tenants/suspended.ts';
import { outgoingBrake } from '../brakes/find-brake.ts';
import { settingsOf, type StoredSettings } from '../../domain/tenants/settings.ts';

export interface CallingTenantRow {
  tenant_id: string;
  name: string;
  email: string | null;
  entity_id: string;
  rate_limits: Partial<RateLimits>;
  screening: StoredSettings['screening'] | null;
  has_suppressions: boolean;
  suspended: boolean;
  outgoing_brake: string | null;
}

export const SUPPRESSES = 'exists (select from screening_suppressions s where s.tenant_id = t.id)';

export const IS_SUSPENDED = 't.suspended_at is not null';

export const OUTGOING_BRAKE = outgoingBrake('t.id');

/** SQL: what every request reads of its tenant `t`. */
export const TENANT_COLUMNS = `t.id as tenant_id, t.name, t.email, t.entity_id, t.rate_limits,
  t.settings -> 'screening' as screening, ${SUPPRESSES} as has_suppressions, ${IS_SUSPENDED} as suspended,
  ${OUTGOING_BRAKE} as outgoing_brake`;

/** Throws tenant_suspended. */
export function callingTenant(row: CallingTenantRow): CallingTenant {
  if (row.suspended) throw tenantSuspended();
  const { reads, writes, screening } = row.rate_limits;
  return {
    name: row.name,
    email: row.email,
    entityId: row.entity_id,
    rateLimits: {
      ...(typeof reads === 'number' && { READS: reads }),
      ...(typeof writes === 'number' && { WRITES: writes }),
      ...(typeof screening === 'number' && { SCREENING: screening }),
    },
    screening: settingsOf(row.screening ? { screening: row.screening } : {}).screening,
    hasSuppressions: row.has_suppressions,
    outgoingBrake: row.outgoing_brake,
  };
}
