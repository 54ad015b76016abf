import type { EndpointStatus } from '../webhooks/endpoint-status.ts';
import type { RateLimits } from './rate-limits.ts';

/** A tenant's own data. */
interface TenantProfile {
  legalName: string | null;
  email: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  registrationNumber: string | null;
  lei: string | null;
  webpage: string | null;
}

/** A regulated business that uses the service. Its webhook secret is read separately. */
export interface TenantRecord extends TenantProfile {
  id: string;
  /** The tenant's own entry in the entity directory. */
  entityId: string;
  name: string;
  webhookUrl: string | null;
  /** Null without a webhook URL. */
  webhookStatus: EndpointStatus | null;
  rateLimits: RateLimits;
  /** Whether its answers about addresses route messages that name nobody. */
  answersRoute: boolean;
  /** When an operator suspended the tenant; null while it may act. */
  suspendedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}
