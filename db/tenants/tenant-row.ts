import { NO_LIMITS_OF_ITS_OWN, type RateLimits } from '../../domain/tenants/rate-limits.ts';
import type { TenantRecord } from '../../domain/tenants/tenant.ts';
import type { EndpointStatus } from '../../domain/webhooks/endpoint-status.ts';

export interface TenantRow {
  id: string;
  entity_id: string;
  name: string;
  legal_name: string | null;
  email: string | null;
  country: string | null;
  registration_number: string | null;
  lei: string | null;
  webpage: string | null;
  webhook_url: string | null;
  webhook_secret: Buffer;
  webhook_status: EndpointStatus | null;
  rate_limits: Partial<RateLimits>;
  answers_route: boolean;
  suspended_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

export const TENANT_COLUMNS = `id, entity_id, name, legal_name, email, country, registration_number, lei, webpage,
  webhook_url, webhook_secret, webhook_status, rate_limits, answers_route, suspended_at, created_at, updated_at`;

export function toTenant(row: TenantRow): TenantRecord {
  return {
    id: row.id,
    entityId: row.entity_id,
    name: row.name,
    legalName: row.legal_name,
    email: row.email,
    country: row.country,
    registrationNumber: row.registration_number,
    lei: row.lei,
    webpage: row.webpage,
    webhookUrl: row.webhook_url,
    webhookStatus: row.webhook_status,
    rateLimits: { ...NO_LIMITS_OF_ITS_OWN, ...row.rate_limits },
    answersRoute: row.answers_route,
    suspendedAt: row.suspended_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
