import type { CachedKey } from '../db/api-keys/cached-key.ts';
import type { ScreeningSettings } from '../domain/sanctions-screening/settings.ts';
import type { Role } from '../domain/tenants/role.ts';

/** What every request needs to know of the tenant that makes it. */
interface CallingTenant {
  name: string;
  email: string | null;
  /** The tenant's own entry in the entity directory. */
  entityId: string;
  /** Limits of its own, in requests per minute; 0 is off. */
  rateLimits: Partial<Record<LimitKind, number>>;
  /** How it screens, defaults filled in. */
  screening: ScreeningSettings;
  /** Whether it called any match a false positive. */
  hasSuppressions: boolean;
}

export interface TenantCaller {
  kind: 'API_KEY';
  tenantId: string;
  apiKeyId: string;
  role: Role;
  tenant: CallingTenant;
  /** Set for a caller who was remembered instead of read for this request. */
  cachedKey?: CachedKey;
}
export interface OperatorCaller {
  kind: 'OPERATOR';
}
interface AnonymousCaller {
  kind: 'NONE';
}

/** Who is asking, by the `auth` of the endpoint. */
export interface CallerBy {
  TENANT: TenantCaller;
  OPERATOR: OperatorCaller;
  NONE: AnonymousCaller;
}
export type EndpointAuth = keyof CallerBy;
export type Caller = CallerBy[EndpointAuth];

/** The budgets per minute that an API key has; HOSTED is that of an address without one. */
export type LimitKind = 'READS' | 'WRITES' | 'SCREENING' | 'HOSTED';

/** The caller's API key, as events, screenings, suppressions and rule versions name who made them. */
export function actorOf({ kind, apiKeyId }: TenantCaller): { kind: 'API_KEY'; id: string } {
  return { kind, id: apiKeyId };
}
