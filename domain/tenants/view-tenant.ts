import type { Environment } from './api-key-text.ts';
import type { OperatorTenant, Tenant } from './schema.ts';
import type { TenantRecord } from './tenant.ts';

interface Showing {
  environment: Environment;
  /** Null for whoever may not see it. */
  webhookSecret: string | null;
}

/** A tenant as it sees itself. */
export function viewTenant(tenant: TenantRecord, { environment, webhookSecret }: Showing): Tenant {
  return {
    id: tenant.id,
    name: tenant.name,
    legalName: tenant.legalName,
    email: tenant.email,
    country: tenant.country,
    registrationNumber: tenant.registrationNumber,
    lei: tenant.lei,
    webpage: tenant.webpage,
    webhookUrl: tenant.webhookUrl,
    webhookSecret,
    webhookStatus: tenant.webhookStatus,
    environment,
    createdAt: tenant.createdAt.toISOString(),
    updatedAt: tenant.updatedAt.toISOString(),
  };
}

/** A tenant as the operator sees it. */
export function viewTenantForOperator(tenant: TenantRecord, showing: Showing): OperatorTenant {
  return { ...viewTenant(tenant, showing), rateLimits: tenant.rateLimits };
}
