import type { ScreeningSettings } from '../sanctions-screening/settings.ts';
import type { Role } from './role.ts';

/** The tenant's data that authentication loads for every request. */
export interface CallingTenant {
  name: string;
  email: string | null;
  /** The tenant's own entry in the entity directory. */
  entityId: string;
  /** The tenant's own rate limits, in requests per minute of each key or user; 0 switches a limit off. */
  rateLimits: Partial<Record<'READS' | 'WRITES' | 'SCREENING', number>>;
  /** The tenant's screening settings, with defaults filled in. */
  screening: ScreeningSettings;
  /** True if the tenant has marked at least one match as a false positive. */
  hasSuppressions: boolean;
  /** The brake on everything that the tenant sends; null without one. */
  outgoingBrake: string | null;
}

/** Who acts for a tenant: one of its API keys, or one of its users. */
export interface TenantCaller {
  kind: 'TENANT';
  tenantId: string;
  actor: { kind: 'API_KEY' | 'USER'; id: string };
  /** The session of a user. */
  sessionId?: string;
  role: Role;
  /** The networks from which an API key may be used; null for all. */
  allowedIps?: readonly string[] | null;
  tenant: CallingTenant;
}
