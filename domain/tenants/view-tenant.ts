import type { KeyEnvironment } from './api-key-text.ts';
import type { OperatorTenant, Tenant } from './schema.ts';
import type { TenantRecord } from './tenant.ts';

interface TenantViewOptions {
  environment: KeyEnvironment;
  /** Null if the caller may not see it. */
  webhookSecret: string | null;
}

/** A tenant as it sees itself. */
export function viewTenant(tenant: TenantRecord, { environment, webhookSecret }: TenantViewOptions): Tenant {
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
export function viewTenantForOperator(tenant: TenantRecord, options: TenantViewOptions): OperatorTenant {
  const { rateLimits, answersRoute, suspendedAt } = tenant;
  return {
    ...viewTenant(tenant, options),
    rateLimits,
    answersRoute,
    suspendedAt: suspendedAt?.toISOString() ?? null,
  };
}
