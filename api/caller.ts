import type { CachedKey } from '../db/api-keys/cached-key.ts';
import type { ScreeningSettings } from '../domain/sanctions-screening/settings.ts';
import type { Role } from '../domain/tenants/role.ts';

/** The tenant's data that authentication loads with the API key. */
interface CallingTenant {
  name: string;
  email: string | null;
  /** The tenant's own entry in the entity directory. */
  entityId: string;
  /** The tenant's own rate limits, in requests per minute and API key; 0 switches a limit off. */
  rateLimits: Partial<Record<LimitKind, number>>;
  /** The tenant's screening settings, with defaults filled in. */
  screening: ScreeningSettings;
  /** True if the tenant has marked at least one match as a false positive. */
  hasSuppressions: boolean;
}

export interface TenantCaller {
  kind: 'API_KEY';
  tenantId: string;
  apiKeyId: string;
  role: Role;
  tenant: CallingTenant;
  /** Set if this caller came from the cache and was not read from the database for this request. */
  cachedKey?: CachedKey;
}
export interface OperatorCaller {
  kind: 'OPERATOR';
}
interface AnonymousCaller {
  kind: 'NONE';
}

/** The type of the authenticated caller, by the `auth` of the endpoint. */
export interface CallerBy {
  TENANT: TenantCaller;
  OPERATOR: OperatorCaller;
  NONE: AnonymousCaller;
}
export type EndpointAuth = keyof CallerBy;
export type Caller = CallerBy[EndpointAuth];

/** The rate limits. READS, WRITES and SCREENING count per API key, HOSTED and ANONYMOUS per IP address. */
export type LimitKind = 'READS' | 'WRITES' | 'SCREENING' | 'HOSTED' | 'ANONYMOUS';

/** The caller as the actor that events, screenings, suppressions and rule versions record. */
export function actorOf({ kind, apiKeyId }: TenantCaller): { kind: 'API_KEY'; id: string } {
  return { kind, id: apiKeyId };
}
